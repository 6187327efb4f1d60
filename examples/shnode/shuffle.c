/* MapReduce: words are counted. Each PE makes words (map), sends each to the PE that owns it (shuffle), and adds up what it is
 * sent (reduce). The shuffle is made by plain puts and by shnode's, of all words as they come and of words that were
 * combined before.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc -O2 shuffle.c -lshnode -o shuffle       with an installed Atrium; over another OpenSHMEM: the manual's page on shnode
 * oshrun -n 4 ./shuffle [--small]
 * Prints the milliseconds of each way and its gain over plain puts of all words as measure, bytes, value, unit; then
 * Says: the count of ... words is right: ... different ones on PE 0 of ...
 */
#include <shnode.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 7 };
typedef enum { PLAIN, SHNODE, PLAIN_COMBINED, SHNODE_COMBINED, WAYS } way;
static const char* const names[WAYS] = {"plain", "shnode", "plain_combined", "shnode_combined"};

typedef struct {
  uint32_t word, count;
} pair;

/* Symmetric, in one object. */
typedef struct {
  long filled;
  pair pairs[];
} inbox;

static int me, n;
static uint32_t vocabulary; /* words are numbers below it */
static size_t words, room;  /* of each PE, and how many pairs an inbox takes */
static inbox* in;
static uint32_t *text,
    *counts;          /* what my map emits; by word: what my reduce found, and before, what I combine */
static pair* sorted;  /* what I send, by owner */
static size_t* begin; /* by owner: where its pairs begin in `sorted` */

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int owner_of(uint32_t word) { return (int)((word * UINT64_C(2654435761) >> 8) % (unsigned)n); }

/* Map: a few words are frequent, as in a language. */
static uint32_t draw_word(uint64_t* state) {
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
  const double u = (double)(*state >> 11) * 0x1p-53;
  return (uint32_t)(u * u * u * vocabulary);
}

static uint64_t seed_of(int pe) { return UINT64_C(88172645463325252) + (uint64_t)pe * 7919; }

static void emit_words(void) {
  uint64_t state = seed_of(me);
  for (size_t i = 0; i < words; i++) text[i] = draw_word(&state);
}

static size_t pairs_for(int pe) { return begin[pe + 1] - begin[pe]; }

static void end_of_counting(void) {
  for (int pe = 0; pe < n; pe++) begin[pe + 1] += begin[pe];
}

/* Behind it begin[pe] is where the pairs of `pe` end, which is where those of the next PE begin. */
static void start_over(void) {
  memmove(begin + 1, begin, (size_t)n * sizeof *begin);
  begin[0] = 0;
}

static void sort_all(void) {
  memset(begin, 0, ((size_t)n + 1) * sizeof *begin);
  for (size_t i = 0; i < words; i++) begin[owner_of(text[i]) + 1]++;
  end_of_counting();
  for (size_t i = 0; i < words; i++) sorted[begin[owner_of(text[i])]++] = (pair){text[i], 1};
  start_over();
}

/* A pair for each different word. */
static void sort_combined(void) {
  memset(begin, 0, ((size_t)n + 1) * sizeof *begin);
  memset(counts, 0, vocabulary * sizeof *counts);
  for (size_t i = 0; i < words; i++) counts[text[i]]++;
  for (uint32_t word = 0; word < vocabulary; word++)
    if (counts[word]) begin[owner_of(word) + 1]++;
  end_of_counting();
  for (uint32_t word = 0; word < vocabulary; word++)
    if (counts[word]) sorted[begin[owner_of(word)]++] = (pair){word, counts[word]};
  start_over();
}

/* Each PE begins with its neighbour, so that not all send to the same one. */
static void shuffle(int by_shnode) {
  for (int i = 1; i <= n; i++) {
    const int pe = (me + i) % n;
    const size_t count = pairs_for(pe);
    const long place = shmem_long_fadd(&in->filled, (long)count, pe);
    if ((size_t)place + count > room) shmem_global_exit(2);
    if (by_shnode)
      shnode_putmem(in->pairs + place, sorted + begin[pe], count * sizeof *sorted, pe);
    else
      shmem_putmem(in->pairs + place, sorted + begin[pe], count * sizeof *sorted, pe);
  }
  shnode_barrier_all();
}

static void reduce(void) {
  memset(counts, 0, vocabulary * sizeof *counts);
  for (long i = 0; i < in->filled; i++) counts[in->pairs[i].word] += in->pairs[i].count;
}

static double count_words(way how) {
  in->filled = 0;
  shmem_barrier_all();
  const double start = now_ms();
  if (how >= PLAIN_COMBINED)
    sort_combined();
  else
    sort_all();
  shuffle(how == SHNODE || how == SHNODE_COMBINED);
  reduce();
  shmem_barrier_all();
  return now_ms() - start;
}

/* Every PE makes the words of all again, and counts its own. */
static int is_right(const uint32_t* expected) {
  for (uint32_t word = 0; word < vocabulary; word++)
    if (counts[word] != expected[word]) return 0;
  return 1;
}

static void count_expected(uint32_t* expected) {
  for (int pe = 0; pe < n; pe++) {
    uint64_t state = seed_of(pe);
    for (size_t i = 0; i < words; i++) {
      const uint32_t word = draw_word(&state);
      if (owner_of(word) == me) expected[word]++;
    }
  }
}

static int ascending(const void* a, const void* b) {
  return (*(const double*)a > *(const double*)b) - (*(const double*)a < *(const double*)b);
}

static double median(const double* values) {
  double in_order[REPEATS];
  memcpy(in_order, values, sizeof in_order);
  qsort(in_order, REPEATS, sizeof(double), ascending);
  return in_order[REPEATS / 2];
}

/* The gain is the median of the ratios of neighbours: what disturbs a repeat disturbs all of its ways. */
static void report(double ms[WAYS][REPEATS]) {
  for (int how = 0; how < WAYS; how++) {
    double gain[REPEATS];
    for (int repeat = 0; repeat < REPEATS; repeat++) gain[repeat] = ms[PLAIN][repeat] / ms[how][repeat];
    printf("shuffle.%s\t%zu\t%.3f\tms\n", names[how], words * sizeof(pair), median(ms[how]));
    if (how != PLAIN)
      printf("shuffle.%s.gain\t%zu\t%.3f\ttimes\n", names[how], words * sizeof(pair), median(gain));
  }
}

/* The ways take turns, each as often first and last as the others. */
static int count_in_all_ways(const uint32_t* expected) {
  static double ms[WAYS][REPEATS];
  int right = 1;
  for (int i = 0; i < REPEATS * WAYS; i++) {
    const int repeat = i / WAYS, how = (i + repeat) % WAYS;
    ms[how][repeat] = count_words((way)how);
    right = is_right(expected) && right;
  }
  if (me == 0) report(ms);
  return right;
}

static void* take(size_t count, size_t bytes) {
  void* memory = calloc(count, bytes);
  if (!memory) shmem_global_exit(3);
  return memory;
}

static void prepare(void) {
  room = (size_t)n * words; /* a single word may be most of all texts */
  in = shmem_malloc(sizeof *in + room * sizeof *in->pairs);
  text = take(words, sizeof *text);
  sorted = take(words, sizeof *sorted);
  counts = take(vocabulary, sizeof *counts);
  begin = take((size_t)n + 2, sizeof *begin);
  int status = shnode_init();
  if (!status) status = shnode_create_team(in);
  if (status) {
    fprintf(stderr, "PE %d: %s\n", me, shnode_strerror(status));
    shmem_global_exit(1);
  }
  emit_words();
}

int main(int argc, char** argv) {
  const int small = argc > 1 && !strcmp(argv[1], "--small");
  shmem_init();
  me = shmem_my_pe(), n = shmem_n_pes();
  words = small ? 5000 : 1 << 19;
  vocabulary = small ? 300 : 50000;
  prepare();
  uint32_t* expected = take(vocabulary, sizeof *expected);
  count_expected(expected);
  const int right = count_in_all_ways(expected);
  if (!right) fprintf(stderr, "PE %d: wrong counts\n", me);
  if (right && me == 0) {
    uint32_t different = 0;
    for (uint32_t word = 0; word < vocabulary; word++) different += expected[word] > 0;
    printf("the count of %zu words is right: %u different ones on PE 0 of %d\n", words * (size_t)n, different,
           n);
  }
  shnode_finalize();
  shmem_free(in);
  free(text), free(sorted), free(counts), free(begin), free(expected);
  shmem_finalize();
  return !right;
}
