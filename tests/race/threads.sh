# Threads of a PE, and what they synchronise by.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317
. "$SOURCE_TREE/tests/race/programs.sh"

function with_threads { sed -i '1i #include <pthread.h>\nstatic void *work(void *what); static long shared; static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;' "$scratch/p.c"; }
function two_threads { # BODY of the thread, BODY of the main thread meanwhile
  write_program "pthread_t t; pthread_create(&t, NULL, work, NULL); $2 pthread_join(t, NULL); shared++;"
  with_threads; echo "static void *work(void *what) { (void)what; $1 return NULL; }" >>"$scratch/p.c"
}
threads_of_a_pe_race_unless_they_synchronise() {
  two_threads 'shared = 1;' 'shared = 2;'; compile -O1 -fatrium-race -pthread
  expect_status 66 checked -n 1 "$scratch/p"; says 'race: PE 0 stores 8 bytes that it stores'
  two_threads 'pthread_mutex_lock(&mutex); shared = 1; pthread_mutex_unlock(&mutex);' \
    'pthread_mutex_lock(&mutex); shared = 2; pthread_mutex_unlock(&mutex);'; compile -O1 -fatrium-race -pthread
  expect_status 0 checked -n 1 "$scratch/p"
}
a_thread_does_not_synchronise_for_another() {
  two_threads 'shmem_long_p(&y[0], 1, 1); shmem_quiet();' 'shmem_sync_all(); if (shmem_my_pe() == 1) printf("%ld", y[0]);'
  sed -i 's/shmem_init()/int got; shmem_init_thread(SHMEM_THREAD_MULTIPLE, \&got)/; s/y\[1000\];/y[1000]; /' "$scratch/p.c"
  sed -i 's/^static void \*work(void \*what) {/& if (shmem_my_pe() == 1) return NULL;/' "$scratch/p.c"
  compile -O1 -fatrium-race -pthread
  expect_status 66 checked -n 2 "$scratch/p"; says 'race: PE'
}
# There each has an order of its own: operations of a thread, what another does, and memory of a stack, which only one sees.
a_buffer_is_in_use_among_threads_too() {
  local after
  for after in 'shmem_quiet();' ''; do
    for buffer in 'static long buffer[64]' 'long buffer[64]'; do
      two_threads 'shared = 1;' "if (me == 0) { $buffer; buffer[3] = 1; shmem_long_get_nbi(buffer, y, 64, 1); $after printf(\"%ld\", buffer[3]); }"
      sed -i 's/shmem_init()/int got; shmem_init_thread(SHMEM_THREAD_MULTIPLE, \&got)/' "$scratch/p.c"
      compile -O1 -fatrium-race -pthread; expect_status $((${#after} ? 0 : 66)) checked -n 2 "$scratch/p"
    done
  done
  says 'its buffer is in use until a quiet'
}
threads_are_ordered_by_all_that_waits_and_by_nothing_that_fails() {
  "$BUILD_TREE/bin/oshcc" -g -O1 -fatrium-race -pthread "$SOURCE_TREE/tests/race/threads.c" -o "$scratch/p" || complain "it does not compile"
  each_case_is_judged
}
# The handler reads the word whose record the thread that it interrupts may have locked.
a_handler_of_a_signal_does_not_wait_for_what_it_has_interrupted() {
  write_program 'struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    signal(SIGALRM, count); setitimer(ITIMER_REAL, &often, NULL);
    while (counted < 300) for (int i = 0; i < 100; i++) atomic_fetch_add(&counter, counted > 0);
    setitimer(ITIMER_REAL, &never, NULL);'
  sed -i '1i #include <signal.h>\n#include <stdatomic.h>\n#include <sys/time.h>\nstatic volatile int counted;\nstatic atomic_long counter;\nstatic void count(int signal) { (void)signal; counted++; atomic_fetch_add(\&counter, 1); }' "$scratch/p.c"
  compile -O1 -fatrium-race; expect_status 0 checked -n 1 "$scratch/p"; expect [ ! -s "$scratch/err" ]
}
threads_end_by_whatever_way() {
  write_program 'pthread_t t; pthread_create(&t, NULL, leaves, NULL); pthread_join(t, NULL); y[0]++;
    pthread_create(&t, NULL, is_cancelled, NULL); pthread_cancel(t); pthread_join(t, NULL); y[0]++;'
  sed -i 's/^int main/static void store(void *to) { *(long *)to = 5; }\nstatic void *leaves(void *none) {\n  pthread_key_t key;\n  pthread_key_create(\&key, store);\n  pthread_setspecific(key, y);\n  pthread_exit(none);\n}\nstatic void *is_cancelled(void *none) {\n  for (;;) y[0]++, sleep(1);\n  return none;\n}\n&/; 1i #include <pthread.h>\n#include <unistd.h>' "$scratch/p.c"
  compile -O1 -fatrium-race -pthread; expect_status 0 checked -n 1 "$scratch/p"; expect [ ! -s "$scratch/err" ]
}
# The C++ library goes by the C library's routines, and by those of which programs seldom know.
what_threads_of_cpp_wait_by_orders_them() {
  cat >"$scratch/p.cpp" <<'END'
#include <shmem.h>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
using namespace std::chrono_literals;
static long x[5];
static bool done;
template <class Lock, class Wait>
static void guarded(Lock &lock, long *to, Wait wait) {
  done = false;
  std::thread other([&] { std::lock_guard guard(lock); *to = 1; done = true; });
  for (bool seen = false; !seen;) {
    while (!wait()) {}
    seen = done;
    lock.unlock();
  }
  *to = 2;
  other.join();
}
int main() {
  shmem_init();
  std::timed_mutex timed;
  guarded(timed, &x[0], [&] { return timed.try_lock_for(1ms); });
  std::shared_timed_mutex shared;
  guarded(shared, &x[1], [&] { return shared.try_lock_for(1ms); });
  std::mutex mutex;
  std::condition_variable condition;
  done = false;
  std::thread waker([&] { std::lock_guard guard(mutex); x[2] = 1; done = true; condition.notify_all(); });
  for (std::unique_lock lock(mutex); !condition.wait_for(lock, 1ms, [] { return done; });) {}
  x[2] = 2;
  waker.join();
  std::once_flag flag;
  try { std::call_once(flag, [] { throw std::runtime_error("not yet"); }); } catch (const std::exception &) {}
  auto once = [&] { std::call_once(flag, [] { x[3] = 1; }); return x[3]; };
  std::thread other(once);
  x[4] = once();
  other.join();
  shmem_finalize();
}
END
  "$BUILD_TREE/bin/oshcxx" -std=c++17 -g -O1 -pthread -fatrium-race "$scratch/p.cpp" -o "$scratch/p" || complain "it does not compile"
  expect_status 0 checked -n 1 "$scratch/p"; expect [ ! -s "$scratch/err" ]
}
# Iterations that wait for others, by one loop and by two; locks that are taken twice; barriers that a cancellation may end.
openmp_orders_by_nested_locks_and_by_iterations() {
  write_program 'omp_nest_lock_t lock; omp_init_nest_lock(&lock);
    _Pragma("omp parallel num_threads(2)") { if (omp_get_thread_num()) { omp_set_nest_lock(&lock); } else while (!omp_test_nest_lock(&lock)) {}
      y[0]++; omp_unset_nest_lock(&lock); }
    _Pragma("omp parallel for ordered(1) schedule(static, 1) num_threads(2)") for (int i = 1; i < 20; i++) {
      _Pragma("omp ordered depend(sink: i - 1)") y[1] += i; _Pragma("omp ordered depend(source)") }
    _Pragma("omp parallel for ordered(2) schedule(static, 1) num_threads(2)") for (unsigned long i = 1; i < 9; i++) for (unsigned long j = 1; j < 3; j++) {
      _Pragma("omp ordered depend(sink: i - 1, j)") y[1 + j] += (long)i; _Pragma("omp ordered depend(source)") }
    _Pragma("omp parallel num_threads(2)") { y[10 + omp_get_thread_num()] = 1; _Pragma("omp barrier")
      if (y[11 - omp_get_thread_num()] == 5) { _Pragma("omp cancel parallel") } }'
  sed -i '1i #include <omp.h>' "$scratch/p.c"
  for compiler in gcc clang; do
    export OSHCC_CC=$compiler
    "$BUILD_TREE/bin/oshcc" -g -fopenmp "$scratch/p.c" -o "$scratch/p" 2>/dev/null || continue
    compile -O1 -fopenmp -fatrium-race
    OMP_CANCELLATION=true expect_status 0 checked -n 1 "$scratch/p"; expect [ ! -s "$scratch/err" ]
  done
}
