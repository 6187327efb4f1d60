// Two threads of a PE use a variable: threads CASE. Each case orders them by one routine; those of `racy` do not, because the
// routine fails.
// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once_control = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static sem_t semaphore;
static mtx_t mtx;
static cnd_t cnd;
static pthread_t thread;
static thrd_t c11_thread;

static long shared, done;  // `done` only under the lock of the case

static struct timespec soon(clockid_t clock) {
  struct timespec at;
  clock_gettime(clock, &at);
  at.tv_sec += 30;
  return at;
}
#define SOON(clock) &(struct timespec[]){soon(clock)}[0]
#define PAST \
  &(struct timespec) { 1, 0 }

// A lock by LOCK (0: taken) and UNLOCK: the other thread stores under it; this one after it has seen that it has.
#define WITH_LOCK(name, LOCK, OTHERS_LOCK, UNLOCK)     \
  static void* name##_there(void* unused) {            \
    OTHERS_LOCK;                                       \
    shared = 1;                                        \
    done = 1;                                          \
    UNLOCK;                                            \
    return unused;                                     \
  }                                                    \
  static void name(void) {                             \
    pthread_create(&thread, NULL, name##_there, NULL); \
    for (long seen = 0; !seen; usleep(100)) {          \
      while ((LOCK) != 0) usleep(100);                 \
      seen = done;                                     \
      UNLOCK;                                          \
    }                                                  \
    shared = 2;                                        \
    pthread_join(thread, NULL);                        \
  }
WITH_LOCK(mutex_timedlock, pthread_mutex_timedlock(&mutex, SOON(CLOCK_REALTIME)), pthread_mutex_lock(&mutex),
          pthread_mutex_unlock(&mutex))
WITH_LOCK(mutex_clocklock, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)),
          pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex))
WITH_LOCK(rwlock_tryrdlock, pthread_rwlock_tryrdlock(&rwlock), pthread_rwlock_wrlock(&rwlock),
          pthread_rwlock_unlock(&rwlock))
WITH_LOCK(rwlock_trywrlock, pthread_rwlock_trywrlock(&rwlock), pthread_rwlock_wrlock(&rwlock),
          pthread_rwlock_unlock(&rwlock))
WITH_LOCK(rwlock_timedrdlock, pthread_rwlock_timedrdlock(&rwlock, SOON(CLOCK_REALTIME)),
          pthread_rwlock_wrlock(&rwlock), pthread_rwlock_unlock(&rwlock))
WITH_LOCK(rwlock_timedwrlock, pthread_rwlock_timedwrlock(&rwlock, SOON(CLOCK_REALTIME)),
          pthread_rwlock_wrlock(&rwlock), pthread_rwlock_unlock(&rwlock))
WITH_LOCK(rwlock_clockrdlock, pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)),
          pthread_rwlock_wrlock(&rwlock), pthread_rwlock_unlock(&rwlock))
WITH_LOCK(rwlock_clockwrlock, pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)),
          pthread_rwlock_wrlock(&rwlock), pthread_rwlock_unlock(&rwlock))
WITH_LOCK(spin_trylock, pthread_spin_trylock(&spin), pthread_spin_lock(&spin), pthread_spin_unlock(&spin))
WITH_LOCK(c11_lock, mtx_lock(&mtx), mtx_lock(&mtx), mtx_unlock(&mtx))
WITH_LOCK(c11_trylock, mtx_trylock(&mtx), mtx_lock(&mtx), mtx_unlock(&mtx))
WITH_LOCK(c11_timedlock, mtx_timedlock(&mtx, SOON(CLOCK_REALTIME)), mtx_lock(&mtx), mtx_unlock(&mtx))

// The other thread stores while this one waits, which it does also when the time is over.
#define WITH_CONDITION(name, LOCK, UNLOCK, WAIT, SIGNAL) \
  static void* name##_there(void* unused) {              \
    usleep(2000);                                        \
    LOCK;                                                \
    shared = 1;                                          \
    done = 1;                                            \
    SIGNAL;                                              \
    UNLOCK;                                              \
    return unused;                                       \
  }                                                      \
  static void name(void) {                               \
    LOCK;                                                \
    pthread_create(&thread, NULL, name##_there, NULL);   \
    while (!done) WAIT;                                  \
    shared = 2;                                          \
    UNLOCK;                                              \
    pthread_join(thread, NULL);                          \
  }
#define WITH_PTHREAD_CONDITION(name, WAIT)                                             \
  WITH_CONDITION(name, pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex), WAIT, \
                 pthread_cond_signal(&condition))
WITH_PTHREAD_CONDITION(cond_clockwait,
                       pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)))
WITH_PTHREAD_CONDITION(cond_clockwait_too_late,
                       pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, PAST))
WITH_CONDITION(c11_wait, mtx_lock(&mtx), mtx_unlock(&mtx), cnd_wait(&cnd, &mtx), cnd_signal(&cnd))
WITH_CONDITION(c11_timedwait, mtx_lock(&mtx), mtx_unlock(&mtx),
               cnd_timedwait(&cnd, &mtx, SOON(CLOCK_REALTIME)), cnd_broadcast(&cnd))

static void* store_and_post(void* unused) {
  shared = 1;
  sem_post(&semaphore);
  return unused;
}
#define WITH_SEMAPHORE(name, WAIT)                       \
  static void name(void) {                               \
    pthread_create(&thread, NULL, store_and_post, NULL); \
    while ((WAIT) != 0) usleep(100);                     \
    shared = 2;                                          \
    pthread_join(thread, NULL);                          \
  }
WITH_SEMAPHORE(sem_try, sem_trywait(&semaphore))
WITH_SEMAPHORE(sem_timed, sem_timedwait(&semaphore, SOON(CLOCK_REALTIME)))
WITH_SEMAPHORE(sem_clock, sem_clockwait(&semaphore, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)))

static void store_first(void) { shared = 1; }
static void* store_once(void* unused) {
  pthread_once(&once_control, store_first);
  return unused;
}
static void* store_once_by_c11(void* unused) {
  call_once(&flag, store_first);
  return unused;
}
// Whoever comes second has called nothing.
#define WITH_ONCE(name, there)                  \
  static void name(void) {                      \
    pthread_create(&thread, NULL, there, NULL); \
    there(NULL);                                \
    printf("%ld", shared);                      \
    pthread_join(thread, NULL);                 \
  }
WITH_ONCE(once, store_once)
WITH_ONCE(c11_once, store_once_by_c11)

static void* store(void* unused) {
  shared = 1;
  return unused;
}
#define WITH_JOIN(name, JOIN)                   \
  static void name(void) {                      \
    pthread_create(&thread, NULL, store, NULL); \
    while ((JOIN) != 0) usleep(100);            \
    shared = 2;                                 \
  }
WITH_JOIN(tryjoin, pthread_tryjoin_np(thread, NULL))
WITH_JOIN(timedjoin, pthread_timedjoin_np(thread, NULL, SOON(CLOCK_REALTIME)))
WITH_JOIN(clockjoin, pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)))

static int c11_store(void* unused) {
  (void)unused;
  shared++;
  thrd_exit(3);
}
static void c11_join(void) {
  int status = 0;
  shared = 1;
  thrd_create(&c11_thread, c11_store, NULL);
  thrd_join(c11_thread, &status);
  shared += status;
}

// RACY: what is taken here is not taken there.
#define RACY_LOCK(name, LOCK, TRY)                     \
  static void* name##_there(void* unused) {            \
    (void)(TRY);                                       \
    shared = 1;                                        \
    return unused;                                     \
  }                                                    \
  static void name(void) {                             \
    LOCK;                                              \
    pthread_create(&thread, NULL, name##_there, NULL); \
    shared = 2;                                        \
    usleep(1000);                                      \
    pthread_join(thread, NULL);                        \
  }
RACY_LOCK(racy_mutex, pthread_mutex_lock(&mutex), pthread_mutex_timedlock(&mutex, PAST))
RACY_LOCK(racy_rwlock, pthread_rwlock_wrlock(&rwlock), pthread_rwlock_tryrdlock(&rwlock))
RACY_LOCK(racy_spin, pthread_spin_lock(&spin), pthread_spin_trylock(&spin))
RACY_LOCK(racy_semaphore, (void)0, sem_trywait(&semaphore))
RACY_LOCK(racy_c11, mtx_lock(&mtx), mtx_trylock(&mtx))

static void racy_c11_threads(void) {
  thrd_create(&c11_thread, c11_store, NULL);
  shared = 1;
  thrd_join(c11_thread, NULL);
}

#define CASE(name) \
  { #name, name }
static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {CASE(mutex_timedlock),
             CASE(mutex_clocklock),
             CASE(rwlock_tryrdlock),
             CASE(rwlock_trywrlock),
             CASE(rwlock_timedrdlock),
             CASE(rwlock_timedwrlock),
             CASE(rwlock_clockrdlock),
             CASE(rwlock_clockwrlock),
             CASE(spin_trylock),
             CASE(c11_lock),
             CASE(c11_trylock),
             CASE(c11_timedlock),
             CASE(cond_clockwait),
             CASE(cond_clockwait_too_late),
             CASE(c11_wait),
             CASE(c11_timedwait),
             CASE(sem_try),
             CASE(sem_timed),
             CASE(sem_clock),
             CASE(once),
             CASE(c11_once),
             CASE(tryjoin),
             CASE(timedjoin),
             CASE(clockjoin),
             CASE(c11_join),
             CASE(racy_mutex),
             CASE(racy_rwlock),
             CASE(racy_spin),
             CASE(racy_semaphore),
             CASE(racy_c11),
             CASE(racy_c11_threads)};

int main(int count, char** arguments) {
  shmem_init();
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 0);
  mtx_init(&mtx, mtx_timed);
  cnd_init(&cnd);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (count < 2)
      puts(cases[i].name);
    else if (strcmp(cases[i].name, arguments[1]) == 0)
      cases[i].run();
  }
  shmem_finalize();
  return 0;
}
