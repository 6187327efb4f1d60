/* libfabric as the driver of a network card answers: memory has to be there when it is registered, there may be a limit to it
 * (REGISTERS_AT_MOST bytes), and with OWN_KEYS keys are the provider's and places in a region are addresses. All but the limit
 * libfabric does itself when it is told that the provider asked for it. With VERBS=works or VERBS=fails there is a provider
 * verbs;ofi_rxm, which is the one for TCP by another name, and can be opened or not, as where a queue would be too long.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "real_fabric.h"

static struct fi_ops_mr memory_ops, *real_memory_ops;

static int register_some(struct fid* domain, const void* start, size_t bytes, uint64_t access,
                         uint64_t offset, uint64_t key, uint64_t flags, struct fid_mr** region,
                         void* context) {
  const char* most = getenv("REGISTERS_AT_MOST");
  if (most && bytes > strtoull(most, NULL, 10)) return -FI_ENOMEM;
  return real_memory_ops->reg(domain, start, bytes, access, offset, key, flags, region, context);
}

static int open_domain(struct fid_fabric* fabric, struct fi_info* info, struct fid_domain** domain,
                       void* context) {
  const int status = real_fabric_ops->domain(fabric, info, domain, context);
  if (status) return status;
  real_memory_ops = (*domain)->mr;
  memory_ops = *real_memory_ops;
  memory_ops.reg = register_some;
  (*domain)->mr = &memory_ops;
  return 0;
}

static const char verbs[] = "verbs;ofi_rxm", tcp[] = "tcp;ofi_rxm";

static int is_verbs(const char* provider) { return provider && !strcmp(provider, verbs) && getenv("VERBS"); }
static void rename_provider(struct fi_fabric_attr* fabric, const char* name) {
  free(fabric->prov_name);
  fabric->prov_name = strdup(name);
}

int fi_fabric(struct fi_fabric_attr* wanted, struct fid_fabric** fabric, void* context) {
  const int for_verbs = is_verbs(wanted->prov_name);
  if (for_verbs && strcmp(getenv("VERBS"), "works") != 0) return -FI_EINVAL;
  if (for_verbs) rename_provider(wanted, tcp); /* and so it stays, for what is opened next */
  return open_fabric(wanted, fabric, context);
}

int fi_getinfo(uint32_t version, const char* node, const char* service, uint64_t flags,
               const struct fi_info* hints, struct fi_info** found) {
  const int for_verbs = hints && hints->fabric_attr && is_verbs(hints->fabric_attr->prov_name);
  struct fi_info* const asked = for_verbs ? REAL(fi_dupinfo)(hints) : NULL;
  if (asked) rename_provider(asked->fabric_attr, tcp);
  const int status = REAL(fi_getinfo)(version, node, service, flags, asked ? asked : hints, found);
  if (asked) REAL(fi_freeinfo)(asked);
  for (struct fi_info* info = asked && !status ? *found : NULL; info; info = info->next)
    rename_provider(info->fabric_attr, verbs);
  const int mode = getenv("OWN_KEYS") ? FI_MR_ALLOCATED | FI_MR_VIRT_ADDR | FI_MR_PROV_KEY : FI_MR_ALLOCATED;
  for (struct fi_info* info = status || !hints ? NULL : *found; info; info = info->next)
    info->domain_attr->mr_mode |= mode & hints->domain_attr->mr_mode;
  return status;
}
