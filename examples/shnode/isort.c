/* An integer sort in the manner of ISx, with its exchange of keys in three ways: plain puts, shnode's puts,
 * and node-local keys separated: they go straight into their owner's memory while the others' puts fly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc -O2 isort.c -lshnode -o isort       with an installed Atrium; over another OpenSHMEM: the manual's page on shnode
 * oshrun -n 4 ./isort [keys]       keys: of each PE (weak), and of all PEs together (strong)
 * Prints the milliseconds of each variant and its gain over plain puts as measure, bytes, value, unit; then
 * Says: sorted ... keys weakly and ... strongly on ... PEs
 */
#include <shnode.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { KEY_BITS = 20, REPEATS = 15 };
typedef enum { PLAIN, SHNODE_PUT, SEPARATED, VARIANTS } variant;
static const char* const names[VARIANTS] = {"plain", "shnode_put", "separated"};

/* Symmetric, in one object: where received keys begin and how many there are. */
typedef struct {
  long filled;
  long sum[3], total[3];
  int keys[];
} inbox;

static int me, n;
static inbox* in;
static size_t room;                  /* keys that fit into an inbox */
static int *keys, *bucketed, *count; /* private: my keys, the same by owner, how often each value came */
static size_t key_count, *begin;
static int** cursor; /* by owner: where its next key goes */
static int* step;    /* by owner: 1, or 0 to leave its keys out, which are all written to `left_out` */
static int left_out;
static int *order, away;
static long work[8], sync_area[2][256];
static int turn;

static int owner_of(int key) { return (int)(((long)key * n) >> KEY_BITS); }

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void make_keys(size_t how_many) {
  unsigned long long state = 88172645463325252ULL + (unsigned)me;
  key_count = how_many;
  for (size_t i = 0; i < how_many; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    keys[i] = (int)(state >> (64 - KEY_BITS));
  }
}

/* begin[pe] to begin[pe + 1]: the place of its keys in `bucketed`. */
static void count_owners(void) {
  for (int pe = 0; pe <= n; pe++) begin[pe] = 0;
  for (size_t i = 0; i < key_count; i++) begin[owner_of(keys[i]) + 1]++;
  for (int pe = 0; pe < n; pe++) begin[pe + 1] += begin[pe];
}

static size_t keys_for(int pe) { return begin[pe + 1] - begin[pe]; }

static int* reserve(int pe) {
  long place = shmem_long_fadd(&in->filled, (long)keys_for(pe), pe);
  if ((size_t)place + keys_for(pe) > room) shmem_global_exit(2);
  return in->keys + place;
}

static void aim(int pe, int* at) { cursor[pe] = at, step[pe] = 1; }
static void leave_out(int pe) { cursor[pe] = &left_out, step[pe] = 0; }

/* Without a branch: of random keys no processor foresees whose they are. */
static void scatter(void) {
  for (size_t i = 0; i < key_count; i++) {
    const int pe = owner_of(keys[i]);
    *cursor[pe] = keys[i];
    cursor[pe] += step[pe];
  }
}

static void send_buckets(variant how) {
  for (int pe = 0; pe < n; pe++) aim(pe, bucketed + begin[pe]);
  scatter();
  for (int i = 1; i <= n; i++) {
    int pe = (me + i) % n, *place = reserve(pe);
    if (how == PLAIN)
      shmem_int_put(place, bucketed + begin[pe], keys_for(pe), pe);
    else
      shnode_int_put(place, bucketed + begin[pe], keys_for(pe), pe);
  }
}

/* Keys for other nodes are packed and on their way first; those for members need no packing. */
static void send_separated(void) {
  if (away > 0) {
    for (int i = 0; i < away; i++) aim(order[i], bucketed + begin[order[i]]);
    for (int i = away; i < n; i++) leave_out(order[i]);
    scatter();
    for (int i = 0; i < away; i++) {
      leave_out(order[i]);
      shmem_putmem_nbi(reserve(order[i]), bucketed + begin[order[i]], keys_for(order[i]) * sizeof *keys,
                       order[i]);
    }
  }
  for (int i = away; i < n; i++) aim(order[i], shnode_get_member_remote_addr(order[i], reserve(order[i])));
  scatter();
}

/* The first value that a PE owns. */
static int first_value(int pe) { return (int)((((long)pe << KEY_BITS) + n - 1) / n); }

/* A counting sort of my range of values. */
static void count_received(void) {
  memset(count + first_value(me), 0, (size_t)(first_value(me + 1) - first_value(me)) * sizeof *count);
  for (long i = 0; i < in->filled; i++) count[in->keys[i]]++;
}

static double sort_once(variant how) {
  in->filled = 0;
  shmem_barrier_all();
  double start = now_ms();
  count_owners();
  if (how == SEPARATED)
    send_separated();
  else
    send_buckets(how);
  shnode_barrier_all();
  count_received();
  shmem_barrier_all();
  return now_ms() - start;
}

/* No key was lost, made up or went astray: numbers and sums agree over all PEs. */
static int is_sorted(void) {
  long astray = 0, received = 0, sum = 0, sent = 0;
  for (int value = 0; value < 1 << KEY_BITS; value++) {
    received += count[value];
    sum += (long)count[value] * value;
    if (count[value] && owner_of(value) != me) astray++;
  }
  for (size_t i = 0; i < key_count; i++) sent += keys[i];
  in->sum[0] = received - (long)key_count, in->sum[1] = sum - sent, in->sum[2] = astray;
  if (shnode_long_sum_to_all(in->total, in->sum, 3, 0, 0, n, work, sync_area[turn++ % 2])) return 0;
  return !in->total[0] && !in->total[1] && !in->total[2];
}

static int ascending(const void* a, const void* b) {
  return (*(const double*)a > *(const double*)b) - (*(const double*)a < *(const double*)b);
}

static double median(const double* values) {
  double sorted[REPEATS];
  memcpy(sorted, values, sizeof sorted);
  qsort(sorted, REPEATS, sizeof(double), ascending);
  return sorted[REPEATS / 2];
}

/* The gain is the median of the ratios of neighbours: what disturbs a repeat disturbs all of its variants. */
static void report(const char* scaling, size_t bytes, double ms[VARIANTS][REPEATS]) {
  for (int how = 0; how < VARIANTS; how++) {
    double gain[REPEATS];
    for (int repeat = 0; repeat < REPEATS; repeat++) gain[repeat] = ms[PLAIN][repeat] / ms[how][repeat];
    printf("isort.%s.%s\t%zu\t%.3f\tms\n", scaling, names[how], bytes, median(ms[how]));
    if (how != PLAIN)
      printf("isort.%s.%s.gain\t%zu\t%.3f\ttimes\n", scaling, names[how], bytes, median(gain));
  }
}

/* The variants take turns, each as often first, second and last as the others. */
static int sort_in_all_ways(const char* scaling, size_t how_many) {
  double ms[VARIANTS][REPEATS];
  int right = 1;
  make_keys(how_many);
  for (int i = 0; i < REPEATS * VARIANTS; i++) {
    int repeat = i / VARIANTS, how = (i + repeat) % VARIANTS;
    ms[how][repeat] = sort_once((variant)how);
    right = is_sorted() && right;
  }
  if (me == 0) report(scaling, how_many * sizeof *keys, ms);
  return right;
}

static void* take(size_t bytes) {
  void* memory = calloc(1, bytes);
  if (!memory) shmem_global_exit(3);
  return memory;
}

static void prepare(size_t most_keys) {
  room = most_keys + most_keys / 4 + 4096;
  in = shmem_malloc(sizeof *in + room * sizeof *in->keys);
  keys = take(most_keys * sizeof *keys);
  bucketed = take(most_keys * sizeof *bucketed);
  count = take(sizeof *count << KEY_BITS);
  begin = take(((size_t)n + 1) * sizeof *begin);
  cursor = take((size_t)n * sizeof *cursor);
  step = take((size_t)n * sizeof *step);
  order = take((size_t)n * sizeof *order);
  for (int i = 0; i < 256; i++) sync_area[0][i] = sync_area[1][i] = SHMEM_SYNC_VALUE;
  int status = shnode_init();
  if (!status) status = shnode_create_team(in);
  if (!status) status = shnode_alltoall_schedule(order, &away);
  if (status) {
    fprintf(stderr, "PE %d: %s\n", me, shnode_strerror(status));
    shmem_global_exit(1);
  }
  memset(in->keys, 0, room * sizeof *in->keys);
}

int main(int argc, char** argv) {
  size_t wanted = argc > 1 && *argv[1] != '-' ? strtoul(argv[1], NULL, 10) : 1 << 20;
  shmem_init();
  me = shmem_my_pe(), n = shmem_n_pes();
  prepare(wanted);
  int right = sort_in_all_ways("weak", wanted);
  right = sort_in_all_ways("strong", wanted / (size_t)n) && right;
  if (!right) fprintf(stderr, "PE %d: not sorted\n", me);
  if (right && me == 0)
    printf("sorted %zu keys weakly and %zu strongly on %d PEs\n", wanted * (size_t)n,
           wanted / (size_t)n * (size_t)n, n);
  shnode_finalize();
  shmem_free(in);
  shmem_finalize();
  return !right;
}
