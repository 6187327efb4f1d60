/* What limits of the network share: a program on the first host, its other side on the second one, and a TCP connection between them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `PROGRAM PES [--quick]` runs on the first host and starts its other side by the agent that made the hosts (HOST_LIST,
 * HOST_AGENT: tests/mpi/hosts/with_hosts.sh); without hosts, over this machine's loopback. */
#ifndef BENCH_TWO_HOSTS_H
#define BENCH_TWO_HOSTS_H

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../clock.h"

struct TwoHosts {
  int connection;
  int is_other_side, quick;
  char address[256]; /* of this side */
  pid_t child;       /* the other side, for the first one */
};

static void give_up(const char* what) {
  perror(what);
  exit(1);
}

/* Both sides look without end; where something else needs the CPU, not for longer than a fifth of a millisecond. */
static inline void look_again(int* fruitless) {
  if (++*fruitless % 1000 == 0) sched_yield();
}

/* The host of that number in HOST_LIST, or loopback. */
static inline void host(int number, char* name, size_t room) {
  const char* list = getenv("HOST_LIST");
  char both[256];
  snprintf(both, sizeof both, "%s", list ? list : "127.0.0.1,127.0.0.1");
  char* second = strchr(both, ',');
  if (second) *second++ = '\0';
  snprintf(name, room, "%s", number == 0 || !second ? both : second);
}

static inline void be_other_side(struct TwoHosts* hosts, const char* first, int port, const char* mine,
                                 int quick) {
  const struct sockaddr_in there = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {inet_addr(first)}};
  hosts->is_other_side = 1;
  hosts->quick = quick;
  snprintf(hosts->address, sizeof hosts->address, "%s", mine);
  hosts->connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(hosts->connection, (const struct sockaddr*)&there, sizeof there) != 0) give_up("connect");
}

/* Answers in the child, too, where there is no agent: both sides are of this machine then. */
static inline pid_t start_other_side(struct TwoHosts* hosts, int port) {
  char there[256], number[16], self[4096] = "", library[4096] = "ATRIUM_LIBFABRIC=";
  const char *agent = getenv("HOST_AGENT"),
             *chosen = getenv("ATRIUM_LIBFABRIC"); /* agents pass no variable on */
  if (chosen) strncat(library, chosen, sizeof library - strlen(library) - 1);
  host(1, there, sizeof there);
  snprintf(number, sizeof number, "%d", port);
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) give_up("readlink");
  const pid_t child = fork();
  if (child != 0) return child;
  if (agent)
    execl(agent, agent, there, "env", chosen ? library : "--", self, "--other-side", hosts->address, number,
          there, hosts->quick ? "1" : "0", (char*)NULL);
  be_other_side(hosts, hosts->address, port, there, hosts->quick);
  return 0;
}

static inline void wait_for_other_side(struct TwoHosts* hosts, int door) {
  hosts->connection = accept(door, NULL, NULL);
  if (hosts->connection < 0) give_up("accept");
}

/* Both sides call it with their command line, and go on from here. */
static inline struct TwoHosts meet(int count, char** arguments) {
  struct TwoHosts hosts = {.quick = count > 2 && strcmp(arguments[2], "--quick") == 0};
  const int yes = 1;
  if (count == 6 && strcmp(arguments[1], "--other-side") == 0) {
    be_other_side(&hosts, arguments[2], atoi(arguments[3]), arguments[4], atoi(arguments[5]));
  } else {
    const int door = socket(AF_INET, SOCK_STREAM, 0);
    host(0, hosts.address, sizeof hosts.address);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {inet_addr(hosts.address)}};
    socklen_t length = sizeof here;
    if (bind(door, (struct sockaddr*)&here, sizeof here) != 0 || listen(door, 1) != 0) give_up("bind");
    getsockname(door, (struct sockaddr*)&here, &length);
    hosts.child = start_other_side(&hosts, ntohs(here.sin_port));
    if (!hosts.is_other_side) wait_for_other_side(&hosts, door);
  }
  setsockopt(hosts.connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return hosts;
}

/* The exit status. */
static inline int part(const struct TwoHosts* hosts) {
  int status = 0;
  if (hosts->is_other_side) return 0;
  return waitpid(hosts->child, &status, 0) == hosts->child && status == 0 ? 0 : 1;
}

#endif
