/* For a library that stands in front of libfabric and changes some of its calls: REAL(function) is libfabric's own, open_fabric() makes
 * a fabric whose domains the library's own open_domain() opens, and calls that nobody changes are handed on.
 * SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <dlfcn.h>
#include <rdma/fi_domain.h>
#include <stdint.h>

static void* real(const char* name) {
  static void* library;
  if (!library) library = dlopen("libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
  return library ? dlsym(library, name) : NULL;
}
#define REAL(function) ((__typeof__(&(function)))real(#function))

static struct fi_ops_fabric fabric_ops, *real_fabric_ops;

static int open_domain(struct fid_fabric* fabric, struct fi_info* info, struct fid_domain** domain,
                       void* context);

/* 0, or the error of libfabric. */
static int open_fabric(struct fi_fabric_attr* wanted, struct fid_fabric** fabric, void* context) {
  const int status = REAL(fi_fabric)(wanted, fabric, context);
  if (status) return status;
  real_fabric_ops = (*fabric)->ops;
  fabric_ops = *real_fabric_ops;
  fabric_ops.domain = open_domain;
  (*fabric)->ops = &fabric_ops;
  return 0;
}

void fi_freeinfo(struct fi_info* info) { REAL(fi_freeinfo)(info); }
struct fi_info* fi_dupinfo(const struct fi_info* info) {
  return REAL(fi_dupinfo)(info);
}
const char* fi_strerror(int number) { return REAL(fi_strerror)(number); }
uint32_t fi_version(void) { return REAL(fi_version)(); }
