/* Limit of the network: TCP between two hosts, both sides polling: a block there and 8 bytes back, and a stream.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `tcp PES [--quick]`, on the first host (two_hosts.h). */
#include <errno.h>

#include "two_hosts.h"

enum { KIB = 1 << 10, MIB = 1 << 20, largest = 4 * MIB, most_rounds = 4096, warm_up = 16 };
static const size_t answered[] = {8, 4 * KIB}, streamed[] = {16 * KIB, 64 * KIB, MIB, 4 * MIB};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

static char block[largest];

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

static void answer_all(int connection, int quick) {
  for (size_t i = 0; i < LENGTH(answered); ++i) answer(connection, answered[i], quick);
  for (size_t i = 0; i < LENGTH(streamed); ++i) answer(connection, streamed[i], quick);
}

static void ask_all(int connection, int quick) {
  for (size_t i = 0; i < LENGTH(answered); ++i)
    printf("tcp round trip\t%zu\t%.4g\tns\n", answered[i], ask(connection, answered[i], quick));
  for (size_t i = 0; i < LENGTH(streamed); ++i)
    printf("tcp bandwidth\t%zu\t%.4g\tGB/s\n", streamed[i],
           (double)streamed[i] / ask(connection, streamed[i], quick));
}

int main(int count, char** arguments) {
  const struct TwoHosts hosts = meet(count, arguments);
  (hosts.is_other_side ? answer_all : ask_all)(hosts.connection, hosts.quick);
  return part(&hosts);
}
