/* Times MPI_Alltoall with Atrium's library and without it, in one run, turn by turn; also counts packets on
 * the network.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: alltoall ROUNDS BYTES...
 * Rank 0 prints a line for each number of bytes per pair:
 *   bytes  microseconds of PMPI_Alltoall  of MPI_Alltoall  how many times faster  packets sent per call by
 * all nodes: of both Times are medians over the rounds of the slowest rank's mean over a round's calls.
 * Without the library both are the MPI's own. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int Exchange(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);

struct RoundTimes {
  double* seconds; /* of each round */
  double packets;
};

enum { max_rounds = 1000, patience_s = 3, fewest_calls = 8, most_calls = 4000, calls_of_choice = 128 };
static const double round_seconds = 0.02;
static int rank, size;
static int speaks_for_node;
static unsigned char *send_buffer, *receive_buffer;

static void end(const char* why) {
  fprintf(stderr, "alltoall: rank %d: %s\n", rank, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void leave(int signal_number) { _exit(signal_number != SIGALRM); }

/* MPICH 4.0 over UCX's TCP often never comes back from MPI_Finalize, with or without a library in front of
 * it. */
static void finalize(void) {
  PMPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("every byte was right");
  fflush(stdout);
  signal(SIGALRM, leave);
  alarm(patience_s);
  MPI_Finalize();
}

/* What all interfaces but the loopback have sent: the second word of a line is bytes received, the eleventh
 * packets sent. */
static double packets_sent(void) {
  char line[512];
  double sum = 0;
  FILE* file = speaks_for_node ? fopen("/proc/net/dev", "r") : NULL;
  if (!file) return 0;
  while (fgets(line, sizeof line, file)) {
    double sent;
    char name[64];
    if (sscanf(line, " %63[^:]: %*s %*s %*s %*s %*s %*s %*s %*s %*s %lf", name, &sent) == 2 &&
        strcmp(name, "lo"))
      sum += sent;
  }
  fclose(file);
  return sum;
}

static void find_speaker(void) {
  MPI_Comm node;
  int place;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &place);
  speaks_for_node = place == 0;
  MPI_Comm_free(&node);
}

/* Byte k from one rank to another in a call that has a number: differs for each of them. */
static unsigned char expected(int from, int to, long k, int call) {
  return (unsigned char)(from * 7 + to * 31 + k * 3 + call);
}

static void check(Exchange* exchange, int bytes, int call) {
  for (long i = 0; i < (long)size * bytes; i++)
    send_buffer[i] = expected(rank, (int)(i / bytes), i % bytes, call);
  memset(receive_buffer, 0xEE, (size_t)size * bytes);
  exchange(send_buffer, bytes, MPI_BYTE, receive_buffer, bytes, MPI_BYTE, MPI_COMM_WORLD);
  for (long i = 0; i < (long)size * bytes; i++)
    if (receive_buffer[i] != expected((int)(i / bytes), rank, i % bytes, call)) end("a wrong byte arrived");
}

/* The slowest rank's seconds for a call; every call sends bytes that were written since the last one. */
static double time_calls(Exchange* exchange, int bytes, int calls) {
  double mine, slowest;
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int call = 0; call < calls; call++) {
    memset(send_buffer, call, (size_t)size * bytes);
    exchange(send_buffer, bytes, MPI_BYTE, receive_buffer, bytes, MPI_BYTE, MPI_COMM_WORLD);
  }
  mine = (MPI_Wtime() - begin) / calls;
  PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static void run_round(Exchange* exchange, int bytes, int calls, int round, struct RoundTimes* times) {
  const double before = packets_sent();
  times->seconds[round] = time_calls(exchange, bytes, calls);
  times->packets += (packets_sent() - before) / calls;
}

static int ascending(const void* a, const void* b) {
  const double left = *(const double*)a, right = *(const double*)b;
  return (left > right) - (left < right);
}

static double median(struct RoundTimes* times, int rounds) {
  qsort(times->seconds, rounds, sizeof(double), ascending);
  return times->seconds[rounds / 2];
}

static double packets_of_all(const struct RoundTimes* times, int rounds) {
  double all, mine = times->packets / rounds;
  PMPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

/* So many calls that a round is long against the clock and the MPI's own barrier before it, which some MPIs
 * need longer for than for a call; rank 0's opinion counts. */
static int calls_per_round(int bytes) {
  int calls = (int)(round_seconds / (time_calls(PMPI_Alltoall, bytes, 3) + 1e-9)) + 1;
  PMPI_Bcast(&calls, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return calls < fewest_calls ? fewest_calls : calls < most_calls ? calls : most_calls;
}

static void measure(int bytes, int rounds) {
  double of_plain[max_rounds], of_ours[max_rounds];
  struct RoundTimes plain = {of_plain, 0}, ours = {of_ours, 0};
  for (int call = 0; call < 3; call++) {
    check(PMPI_Alltoall, bytes, call);
    check(MPI_Alltoall, bytes, call + 3);
  }
  time_calls(MPI_Alltoall, bytes, rounds < 4 ? 8 : calls_of_choice); /* the library chooses */
  const int calls = calls_per_round(bytes);
  for (int round = 0; round < rounds; round++) {
    run_round(PMPI_Alltoall, bytes, calls, round, &plain);
    run_round(MPI_Alltoall, bytes, calls, round, &ours);
  }
  check(MPI_Alltoall, bytes, 99);
  const double plain_packets = packets_of_all(&plain, rounds), our_packets = packets_of_all(&ours, rounds);
  const double plain_time = median(&plain, rounds), our_time = median(&ours, rounds);
  if (rank == 0)
    printf("%d\t%.2f\t%.2f\t%.2f\t%.1f\t%.1f\n", bytes, plain_time * 1e6, our_time * 1e6,
           plain_time / our_time, plain_packets, our_packets);
  fflush(stdout);
}

int main(int argc, char** argv) {
  int most = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = argc > 2 ? atoi(argv[1]) : 0;
  if (rounds < 1 || rounds > max_rounds) end("usage: alltoall ROUNDS BYTES... (at most 1000 rounds)");
  for (int i = 2; i < argc; i++) most = atoi(argv[i]) > most ? atoi(argv[i]) : most;
  send_buffer = malloc((size_t)size * most);
  receive_buffer = malloc((size_t)size * most);
  if (most < 1 || !send_buffer || !receive_buffer) end("no bytes to send, or no memory for them");
  find_speaker();
  for (int i = 2; i < argc; i++) measure(atoi(argv[i]), rounds);
  free(send_buffer);
  free(receive_buffer);
  finalize();
  return 0;
}
