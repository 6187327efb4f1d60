/* Limits of the network library: 8 bytes there and back by libfabric's send and receive over TCP, both sides polling; once by a
 * completion queue that can only be polled, and once by one with a descriptor for whoever sleeps (FI_WAIT_FD), as Atrium's.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `libfabric PES [--quick]`, on the first host (two_hosts.h). The library is opened as Atrium opens it, ATRIUM_LIBFABRIC or
 * libfabric.so.1; the provider is the one that it has for reliable datagrams over TCP: tcp;ofi_rxm before 1.18, then tcp. */
#include <dlfcn.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include "two_hosts.h"

#if FI_VERSION_LT(FI_VERSION(FI_MAJOR_VERSION, FI_MINOR_VERSION), FI_VERSION(1, 15))
#error "libfabric 1.15 or later is needed, as by Atrium"
#endif

enum { most_rounds = 20000, warm_up = 500, most_address = 64 };

static struct fid_ep* endpoint;
static struct fid_cq* completions;
static struct fid_av* addresses;
static fi_addr_t peer;
static long word;

static void must(int status, const char* what) {
  if (status >= 0) return;
  fprintf(stderr, "libfabric: %s: error %d\n", what, -status);
  exit(1);
}

/* Of the library that was opened: the names in the headers would ask for one at link time. */
static void* function(const char* name) {
  static void* library;
  const char* file = getenv("ATRIUM_LIBFABRIC");
  if (!library) library = dlopen(file ? file : "libfabric.so.1", RTLD_NOW);
  void* found = library ? dlsym(library, name) : NULL;
  if (found) return found;
  fprintf(stderr, "libfabric: %s\n", dlerror());
  exit(1);
}

static struct fi_info* choose(const char* address) {
  __typeof__(&fi_dupinfo) copy = (__typeof__(&fi_dupinfo))function("fi_dupinfo");
  __typeof__(&fi_getinfo) ask = (__typeof__(&fi_getinfo))function("fi_getinfo");
  struct fi_info *hints = copy(NULL), *found = NULL;
  hints->fabric_attr->prov_name = strdup("tcp");
  hints->ep_attr->type = FI_EP_RDM;
  hints->caps = FI_MSG;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  must(ask(FI_VERSION(1, 15), address, NULL, FI_SOURCE, hints, &found), "no provider for TCP");
  return found;
}

static void open_endpoint(struct fi_info* info, enum fi_wait_obj wait_object) {
  __typeof__(&fi_fabric) open_fabric = (__typeof__(&fi_fabric))function("fi_fabric");
  struct fid_fabric* fabric;
  struct fid_domain* domain;
  struct fi_cq_attr queue = {.format = FI_CQ_FORMAT_CONTEXT, .wait_obj = wait_object};
  struct fi_av_attr table = {.type = FI_AV_UNSPEC};
  must(open_fabric(info->fabric_attr, &fabric, NULL), "fi_fabric");
  must(fi_domain(fabric, info, &domain, NULL), "fi_domain");
  must(fi_endpoint(domain, info, &endpoint, NULL), "fi_endpoint");
  must(fi_cq_open(domain, &queue, &completions, NULL), "fi_cq_open");
  must(fi_av_open(domain, &table, &addresses, NULL), "fi_av_open");
  must(fi_ep_bind(endpoint, &completions->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
  must(fi_ep_bind(endpoint, &addresses->fid, 0), "fi_ep_bind");
  must(fi_enable(endpoint), "fi_enable");
}

static void exchange(int connection, void* mine, void* theirs, size_t bytes) {
  if (send(connection, mine, bytes, MSG_NOSIGNAL) != (ssize_t)bytes) give_up("send");
  if (recv(connection, theirs, bytes, MSG_WAITALL) != (ssize_t)bytes) give_up("recv");
}

static void find_peer(int connection) {
  char mine[most_address] = "", theirs[most_address];
  size_t length = sizeof mine;
  must(fi_getname(&endpoint->fid, mine, &length), "fi_getname");
  exchange(connection, mine, theirs, sizeof mine);
  must(fi_av_insert(addresses, theirs, 1, &peer, 0, NULL) == 1 ? 0 : -1, "fi_av_insert");
}

static void expect_word(void) {
  static struct fi_context2 context;
  must((int)fi_recv(endpoint, &word, sizeof word, NULL, FI_ADDR_UNSPEC, &context), "fi_recv");
}

/* Moves the library on, and says whether the word has come. Sends are injected, which leaves no completion. */
static int look(void) {
  struct fi_cq_entry entry;
  const ssize_t status = fi_cq_read(completions, &entry, 1);
  if (status != -FI_EAGAIN) must((int)status, "fi_cq_read");
  return status == 1;
}

static void await_word(void) {
  int fruitless = 0;
  while (!look()) look_again(&fruitless);
}

/* The first one makes the connection; nothing comes before it has arrived. */
static void send_word(long value) {
  ssize_t status;
  while ((status = fi_inject(endpoint, &value, sizeof value, peer)) == -FI_EAGAIN) look();
  must((int)status, "fi_inject");
}

static void answer(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    await_word();
    const long got = word;
    if (round + 1 < rounds) expect_word();
    send_word(got);
  }
}

static double ask(int rounds) {
  static double took[most_rounds];
  for (int round = -warm_up; round < rounds; ++round) {
    expect_word();
    const double begin = now_ns();
    send_word(round);
    await_word();
    if (round >= 0) took[round] = now_ns() - begin;
    if (word != round) exit(1);
  }
  return middle(took, rounds);
}

static void measure(const struct TwoHosts* hosts, const char* name, enum fi_wait_obj wait_object) {
  const int rounds = hosts->quick ? most_rounds / 20 : most_rounds;
  char done = 1, theirs;
  open_endpoint(choose(hosts->address), wait_object);
  if (hosts->is_other_side) expect_word(); /* before anybody sends */
  find_peer(hosts->connection);
  if (hosts->is_other_side)
    answer(warm_up + rounds);
  else
    printf("%s\t8\t%.4g\tns\n", name, ask(rounds));
  exchange(hosts->connection, &done, &theirs, 1); /* what was sent has arrived */
}

int main(int count, char** arguments) {
  struct TwoHosts hosts = meet(count, arguments);
  measure(&hosts, "libfabric.by_hand", FI_WAIT_NONE);
  measure(&hosts, "libfabric_descriptor.by_hand", FI_WAIT_FD);
  return part(&hosts);
}
