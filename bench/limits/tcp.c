/* Limit of the network: TCP between two hosts, both sides polling: a block there and 8 bytes back, and a stream.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `tcp PES [--quick]` runs on the first host and starts its other side on the second one, by the agent that made the hosts
 * (HOST_LIST, HOST_AGENT: tests/mpi/hosts/with_hosts.sh); without hosts, over this machine's loopback. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../clock.h"

enum { KIB = 1 << 10, MIB = 1 << 20, largest = 4 * MIB, most_rounds = 4096, warm_up = 16 };
static const size_t answered[] = {8, 4 * KIB}, streamed[] = {16 * KIB, 64 * KIB, MIB, 4 * MIB};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

static char block[largest];

static void give_up(const char* what) {
  perror(what);
  exit(1);
}

/* Both sides look without end; where something else needs the CPU, not for longer than a fifth of a millisecond. */
static void look_again(int* fruitless) {
  if (++*fruitless % 1000 == 0) sched_yield();
}

static void receive(int connection, size_t bytes) {
  int fruitless = 0;
  for (size_t got = 0; got < bytes;) {
    const ssize_t some = recv(connection, block + got, bytes - got, MSG_DONTWAIT);
    if (some == 0) exit(1);
    if (some < 0 && errno != EAGAIN && errno != EINTR) give_up("recv");
    if (some > 0)
      got += (size_t)some;
    else
      look_again(&fruitless);
  }
}

static void deliver(int connection, size_t bytes) {
  int fruitless = 0;
  for (size_t sent = 0; sent < bytes;) {
    const ssize_t some = send(connection, block + sent, bytes - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (some < 0 && errno != EAGAIN && errno != EINTR) give_up("send");
    if (some > 0)
      sent += (size_t)some;
    else
      look_again(&fruitless);
  }
}

static int rounds_of(size_t bytes, int quick) {
  const size_t all = (size_t)(quick ? 16 : 64) * MIB / bytes;
  const size_t most = quick ? most_rounds / 8 : most_rounds;
  return (int)(all < 24 ? 24 : all > most ? most : all);
}

static void answer(int connection, size_t bytes, int quick) {
  for (int round = 0; round < warm_up + rounds_of(bytes, quick); ++round) {
    receive(connection, bytes);
    deliver(connection, 8);
  }
}

static double ask(int connection, size_t bytes, int quick) {
  static double took[most_rounds];
  for (int round = -warm_up; round < rounds_of(bytes, quick); ++round) {
    memset(block, round, bytes);
    const double begin = now_ns();
    deliver(connection, bytes);
    receive(connection, 8);
    if (round >= 0) took[round] = now_ns() - begin;
  }
  return middle(took, rounds_of(bytes, quick));
}

static void be_other_side(const char* address, int port, int quick) {
  const struct sockaddr_in there = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {inet_addr(address)}};
  const int connection = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  if (connect(connection, (const struct sockaddr*)&there, sizeof there) != 0) give_up("connect");
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  for (size_t i = 0; i < LENGTH(answered); ++i) answer(connection, answered[i], quick);
  for (size_t i = 0; i < LENGTH(streamed); ++i) answer(connection, streamed[i], quick);
}

/* The host of that number in HOST_LIST, or loopback. */
static const char* host(int number, char* name, size_t room) {
  const char* list = getenv("HOST_LIST");
  snprintf(name, room, "%s", list ? list : "127.0.0.1,127.0.0.1");
  char* second = strchr(name, ',');
  if (second) *second++ = '\0';
  return number == 0 || !second ? name : second;
}

static pid_t start_other_side(const char* self, const char* mine, int port, int quick) {
  char name[256], number[16];
  const char *there = host(1, name, sizeof name), *agent = getenv("HOST_AGENT");
  snprintf(number, sizeof number, "%d", port);
  const pid_t child = fork();
  if (child != 0) return child;
  if (agent) execl(agent, agent, there, self, "--other-side", mine, number, quick ? "1" : "0", (char*)NULL);
  be_other_side(mine, port, quick);
  _exit(0);
}

int main(int count, char** arguments) {
  if (count == 5 && strcmp(arguments[1], "--other-side") == 0)
    return be_other_side(arguments[2], atoi(arguments[3]), atoi(arguments[4])), 0;
  const int quick = count > 2 && strcmp(arguments[2], "--quick") == 0;
  const int door = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  char name[256], self[4096] = "";
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {inet_addr(host(0, name, sizeof name))}};
  socklen_t length = sizeof here;
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) give_up("readlink");
  if (bind(door, (struct sockaddr*)&here, sizeof here) != 0 || listen(door, 1) != 0) give_up("bind");
  getsockname(door, (struct sockaddr*)&here, &length);
  const pid_t child = start_other_side(self, name, ntohs(here.sin_port), quick);
  const int connection = accept(door, NULL, NULL);
  if (connection < 0) give_up("accept");
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  for (size_t i = 0; i < LENGTH(answered); ++i)
    printf("tcp round trip\t%zu\t%.4g\tns\n", answered[i], ask(connection, answered[i], quick));
  for (size_t i = 0; i < LENGTH(streamed); ++i)
    printf("tcp bandwidth\t%zu\t%.4g\tGB/s\n", streamed[i],
           (double)streamed[i] / ask(connection, streamed[i], quick));
  return waitpid(child, NULL, 0) == child ? 0 : 1;
}
