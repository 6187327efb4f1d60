/* libfabric that counts what a PE hands to it: at the end of the process a line "messages transfers bytes acknowledgements partners" is
 * added to the file COUNTS. Acknowledgements are those of the messages that are nothing else. Partners are those of the time between
 * count_partners(1) and count_partners(0), since the start and the end of a job have others; who gets fewer than four things then is
 * none, but somebody to whom something of the start was still to be answered, or who was asked on a busy machine whether it is there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "real_fabric.h"

static struct fi_ops_domain domain_ops, *real_domain_ops;
static struct fi_ops_msg message_ops, *real_message_ops;
static struct fi_ops_rma transfer_ops, *real_transfer_ops;

enum { bare_message_bytes = 40 }; /* src/wire/message.hpp */

/* One thread at a time is inside an endpoint. */
static uint64_t messages, transfers, bytes_sent, acknowledgements;
static unsigned char sent_to[1 << 16];
enum { sent_to_partners = 4 };
static _Atomic int partners_count;

void count_partners(int begins) { partners_count = begins; }

static ssize_t counted(ssize_t status, uint64_t* kind, size_t bytes, fi_addr_t to) {
  if (status) return status;
  ++*kind;
  bytes_sent += bytes;
  if (kind == &messages && bytes == bare_message_bytes) ++acknowledgements;
  if (partners_count && to < sizeof sent_to && sent_to[to] < sent_to_partners) ++sent_to[to];
  return 0;
}

static size_t bytes_of(const struct iovec* pieces, size_t count) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; ++i) bytes += pieces[i].iov_len;
  return bytes;
}

static ssize_t send_counted(struct fid_ep* ep, const void* data, size_t bytes, void* memory, fi_addr_t to,
                            void* context) {
  return counted(real_message_ops->send(ep, data, bytes, memory, to, context), &messages, bytes, to);
}
static ssize_t inject_counted(struct fid_ep* ep, const void* data, size_t bytes, fi_addr_t to) {
  return counted(real_message_ops->inject(ep, data, bytes, to), &messages, bytes, to);
}
static ssize_t write_counted(struct fid_ep* ep, const struct fi_msg_rma* message, uint64_t flags) {
  return counted(real_transfer_ops->writemsg(ep, message, flags), &transfers,
                 bytes_of(message->msg_iov, message->iov_count), message->addr);
}
static ssize_t read_counted(struct fid_ep* ep, const struct fi_msg_rma* message, uint64_t flags) {
  return counted(real_transfer_ops->readmsg(ep, message, flags), &transfers,
                 bytes_of(message->msg_iov, message->iov_count), message->addr);
}

static int open_endpoint(struct fid_domain* domain, struct fi_info* info, struct fid_ep** endpoint,
                         void* context) {
  const int status = real_domain_ops->endpoint(domain, info, endpoint, context);
  if (status) return status;
  real_message_ops = (*endpoint)->msg;
  message_ops = *real_message_ops;
  message_ops.send = send_counted;
  message_ops.inject = inject_counted;
  (*endpoint)->msg = &message_ops;
  real_transfer_ops = (*endpoint)->rma;
  transfer_ops = *real_transfer_ops;
  transfer_ops.writemsg = write_counted;
  transfer_ops.readmsg = read_counted;
  (*endpoint)->rma = &transfer_ops;
  return 0;
}

static int open_domain(struct fid_fabric* fabric, struct fi_info* info, struct fid_domain** domain,
                       void* context) {
  const int status = real_fabric_ops->domain(fabric, info, domain, context);
  if (status) return status;
  real_domain_ops = (*domain)->ops;
  domain_ops = *real_domain_ops;
  domain_ops.endpoint = open_endpoint;
  (*domain)->ops = &domain_ops;
  return 0;
}

int fi_fabric(struct fi_fabric_attr* wanted, struct fid_fabric** fabric, void* context) {
  return open_fabric(wanted, fabric, context);
}

int fi_getinfo(uint32_t version, const char* node, const char* service, uint64_t flags,
               const struct fi_info* hints, struct fi_info** found) {
  return REAL(fi_getinfo)(version, node, service, flags, hints, found);
}
/* One write, so that lines of several processes stay whole. */
__attribute__((destructor)) static void tell(void) {
  const char* const path = getenv("COUNTS");
  const int file = path && messages + transfers ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
  if (file < 0) return;
  int partners = 0;
  for (size_t i = 0; i < sizeof sent_to; ++i) partners += sent_to[i] == sent_to_partners;
  dprintf(file, "%llu %llu %llu %llu %d\n", (unsigned long long)messages, (unsigned long long)transfers,
          (unsigned long long)bytes_sent, (unsigned long long)acknowledgements, partners);
  close(file);
}
