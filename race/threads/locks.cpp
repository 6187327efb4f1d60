// Locks, semaphores, barriers and conditions of POSIX threads. An unlock leaves what the thread knows with the object, a lock
// takes it over.
// SPDX-License-Identifier: BSD-3-Clause
#include <semaphore.h>

#include "race/threads/posix.hpp"

using namespace atrium::race;

#pragma GCC visibility push(default)
extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) { return locked(REAL(pthread_mutex_lock)(mutex), mutex); }
int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  return locked(REAL(pthread_mutex_trylock)(mutex), mutex);
}
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) {
  return locked(REAL(pthread_mutex_timedlock)(mutex, until), mutex);
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  return locked(call_if_there(REAL(pthread_mutex_clocklock), mutex, clock, until), mutex);
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  released(mutex);
  return REAL(pthread_mutex_unlock)(mutex);
}

// Whatever they answer, the time being over too, the mutex is locked again.
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  released(mutex);
  const int error = REAL_OF("GLIBC_2.3.2", pthread_cond_wait)(condition, mutex);
  acquired(mutex);
  return error;
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  released(mutex);
  const int error = REAL_OF("GLIBC_2.3.2", pthread_cond_timedwait)(condition, mutex, until);
  acquired(mutex);
  return error;
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  released(mutex);
  const int error = call_if_there(REAL(pthread_cond_clockwait), condition, mutex, clock, until);
  acquired(mutex);
  return error;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) { return locked(REAL(pthread_rwlock_rdlock)(lock), lock); }
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  return locked(REAL(pthread_rwlock_tryrdlock)(lock), lock);
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) {
  return locked(REAL(pthread_rwlock_timedrdlock)(lock, until), lock);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) {
  return locked(call_if_there(REAL(pthread_rwlock_clockrdlock), lock, clock, until), lock);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) { return locked(REAL(pthread_rwlock_wrlock)(lock), lock); }
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  return locked(REAL(pthread_rwlock_trywrlock)(lock), lock);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) {
  return locked(REAL(pthread_rwlock_timedwrlock)(lock, until), lock);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) {
  return locked(call_if_there(REAL(pthread_rwlock_clockwrlock), lock, clock, until), lock);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  released(lock);
  return REAL(pthread_rwlock_unlock)(lock);
}

int pthread_spin_lock(pthread_spinlock_t* lock) { return locked(REAL(pthread_spin_lock)(lock), lock); }
int pthread_spin_trylock(pthread_spinlock_t* lock) { return locked(REAL(pthread_spin_trylock)(lock), lock); }
int pthread_spin_unlock(pthread_spinlock_t* lock) {
  released(lock);
  return REAL(pthread_spin_unlock)(lock);
}

int pthread_barrier_wait(pthread_barrier_t* barrier) {
  released(barrier);
  const int status = REAL(pthread_barrier_wait)(barrier);
  acquired(barrier);
  return status;
}

int sem_post(sem_t* semaphore) {
  released(semaphore);
  return REAL(sem_post)(semaphore);
}
int sem_wait(sem_t* semaphore) { return locked(REAL(sem_wait)(semaphore), semaphore); }
int sem_trywait(sem_t* semaphore) { return locked(REAL(sem_trywait)(semaphore), semaphore); }
int sem_timedwait(sem_t* semaphore, const timespec* until) {
  return locked(REAL(sem_timedwait)(semaphore, until), semaphore);
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  const auto next = REAL(sem_clockwait);
  if (!next) return errno = ENOSYS, -1;
  return locked(next(semaphore, clock, until), semaphore);
}

}  // extern "C"
#pragma GCC visibility pop
