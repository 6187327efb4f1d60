// What OpenMP orders, a case each: openmp CASE. Those of `racy` have a race that the construct does not order.
// SPDX-License-Identifier: BSD-3-Clause
#include <omp.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { count = 64 };
static long shared, cells[count];
static unsigned long long first = 0, last = count;  // so that loops are counted by their type
static long sum_of(const long* some) {
  long sum = 0;
  for (int i = 0; i < count; i++) sum += some[i];
  return sum;
}

static void taskloop(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    shared = 1;
#pragma omp taskloop grainsize(4)
    for (long i = 0; i < count; i++) cells[i] += shared;
    shared = sum_of(cells);
  }
}
static void taskloop_unsigned(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    shared = 1;
#pragma omp taskloop grainsize(4)
    for (unsigned long long i = last; i > first; i -= 2) cells[i - 1] += shared;
    shared = sum_of(cells);
  }
}
static void racy_taskloop(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(8)
  for (long i = 0; i < count; i++) shared += i;
}
static void racy_taskloop_unsigned(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(8)
  for (unsigned long long i = first; i < last; i++) shared += (long)i;
}
static void taskloop_nogroup(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int round = 0; round < 9; round++) {
#pragma omp taskloop nogroup num_tasks(4)
      for (long i = 0; i < count; i++) cells[i] += 1;
#pragma omp taskwait
    }
    shared = sum_of(cells);
  }
}
static void racy_taskloop_nogroup(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskloop nogroup num_tasks(4)
    for (long i = 0; i < count; i++) cells[i] += 1;
    shared = sum_of(cells);
  }
}
static void taskloop_not_deferred(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop if (0) num_tasks(8)
  for (long i = 0; i < count; i++) shared += i;
}
static void tasks_in_final(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task final(1)
  {
#pragma omp task
    shared = 1;
#pragma omp taskloop num_tasks(8)
    for (long i = 0; i < count; i++) shared += i;
    shared++;
  }
}
static void many_taskloops(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int round = 0; round < 3000; round++) {
#pragma omp taskloop num_tasks(8)
    for (long i = 0; i < count; i++) cells[i] += i;
  }
}
static void taskloop_of_many_tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskloop num_tasks(200000)
    for (long i = 0; i < 200000; i++)
      if (i < count) cells[i] += i;
    shared = sum_of(cells);
  }
}
static void taskloop_reduction(void) {
  long sum = 5, *heap = malloc(sizeof cells);
  for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
      for (int i = 0; i < count; i++) heap[i] = i;
#pragma omp taskloop reduction(+ : sum) num_tasks(16)
      for (long i = 0; i < count; i++) sum += heap[i];
      shared = sum;
    }
  }
  free(heap);
}
static void taskgroup_reduction(void) {
  long sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int round = 0; round < 5; round++) {
#pragma omp taskgroup task_reduction(+ : sum)
    for (long i = 0; i < count; i++) {
#pragma omp task in_reduction(+ : sum)
      {
        sum += i;
#pragma omp task in_reduction(+ : sum)
        sum += i;
      }
    }
    shared = sum;
  }
}
static void racy_taskgroup_reduction(void) {
  long sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  for (long i = 0; i < count; i++) {
#pragma omp task in_reduction(+ : sum)
    sum += i, shared++;
  }
}
static void parallel_task_reduction(void) {
  long sum = 0, product = 1;
  for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(2) reduction(task, + : sum) reduction(task, * : product)
    {
      sum += 1;
      for (long i = 0; i < count; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(* : product)
        sum += i, product *= 1;
      }
    }
    shared = sum + product;
  }
}
static void racy_parallel_task_reduction(void) {
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(task, + : sum)
  for (long i = 0; i < count; i++) {
#pragma omp task in_reduction(+ : sum)
    sum += i, shared++;
  }
}
static void for_task_reduction(void) {
  long sum = 0;
#pragma omp parallel num_threads(2)
  for (int round = 0; round < 5; round++) {
#pragma omp for reduction(task, + : sum)
    for (long i = 0; i < count; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
      cells[i]++;
    }
    cells[omp_get_thread_num()] = sum;
#pragma omp barrier
  }
}
static void for_unsigned_task_reduction(void) {
  long sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp for reduction(task, + : sum) schedule(dynamic)
  for (unsigned long long i = first; i < last; i++) {
#pragma omp task in_reduction(+ : sum)
    sum += (long)i;
  }
  shared = sum;
}
static void racy_for_task_reduction(void) {
  long sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp for reduction(task, + : sum)
  for (long i = 0; i < count; i++) {
#pragma omp task in_reduction(+ : sum)
    sum += i, shared++;
  }
}
static void sections_task_reduction(void) {
  long sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp sections reduction(task, + : sum)
  {
#pragma omp section
    for (long i = 0; i < count; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
    }
#pragma omp section
    cells[0] = 1;
  }
  shared = sum;
}
static void racy_sections_task_reduction(void) {
  long sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp sections reduction(task, + : sum)
  {
#pragma omp section
    shared = 1, sum++;
#pragma omp section
    shared = 2, sum++;
  }
  shared += sum;
}
static void scope_task_reduction(void) {
#if __GNUC__ >= 12
  long sum = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp scope reduction(task, + : sum)
    for (long i = 0; i < count; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
    }
    cells[omp_get_thread_num()] = sum;
  }
#endif
}
static void ordered_loop_of_tasks(void) {
  long sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp for reduction(task, + : sum) ordered
  for (unsigned long long i = first; i < last; i++) {
#pragma omp task in_reduction(+ : sum)
    sum += (long)i;
#pragma omp ordered
    shared++;
  }
  shared += sum;
}
// A task may be ended by another, and by then has what that has done.
static void detached_task(void) {
  omp_event_handle_t end;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task detach(end)
    cells[0] = 1;
#pragma omp task
    {
      shared = 1;
      omp_fulfill_event(end);
    }
#pragma omp taskwait
    shared++;
  }
}
static void device_tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target map(tofrom : shared) nowait
    shared = 1;
#pragma omp taskwait
    shared++;
  }
}
static void last_of_a_condition(void) {
  long found = 0;
#pragma omp parallel num_threads(2)
  for (int round = 0; round < 9; round++) {
#pragma omp for lastprivate(conditional : found) schedule(dynamic)
    for (long i = 0; i < count; i++)
      if (cells[i] == 0) found = i;
#pragma omp for lastprivate(conditional : found)
    for (unsigned long long i = first; i < last; i++)
      if (cells[i] == 0) found = (long)i;
  }
  shared = found;
}
static void scan(void) {
  long sum = 0;
#pragma omp parallel for num_threads(2) reduction(inscan, + : sum)
  for (long i = 0; i < count; i++) {
    sum += i;
#pragma omp scan inclusive(sum)
    cells[i] = sum;
  }
}

// A task's locals lie where those of others lay, or will, on the stack of the thread that runs them.
static long fibonacci(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}
static void locals_of_tasks(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  shared = fibonacci(14);
}
static long sum_of_two(int seed) {
  long part[2];
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 2; i++) part[i] = seed + i;
  return part[0] + part[1];
}
static void locals_of_sections(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    cells[0] = sum_of_two(1);
#pragma omp section
    cells[1] = sum_of_two(2);
  }
}
static long last_of_two(void) {
  long either;
#pragma omp task shared(either)
  either = 1;
#pragma omp task shared(either)
  either = 2;
#pragma omp taskwait
  return either;
}
static void racy_local_of_a_task(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp task
  shared = last_of_two();
}

#define CASE(name) \
  { #name, name }
static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {CASE(taskloop),
             CASE(taskloop_unsigned),
             CASE(racy_taskloop),
             CASE(racy_taskloop_unsigned),
             CASE(taskloop_nogroup),
             CASE(racy_taskloop_nogroup),
             CASE(taskloop_not_deferred),
             CASE(tasks_in_final),
             CASE(many_taskloops),
             CASE(taskloop_of_many_tasks),
             CASE(taskloop_reduction),
             CASE(taskgroup_reduction),
             CASE(racy_taskgroup_reduction),
             CASE(parallel_task_reduction),
             CASE(racy_parallel_task_reduction),
             CASE(for_task_reduction),
             CASE(for_unsigned_task_reduction),
             CASE(racy_for_task_reduction),
             CASE(sections_task_reduction),
             CASE(racy_sections_task_reduction),
             CASE(scope_task_reduction),
             CASE(ordered_loop_of_tasks),
             CASE(detached_task),
             CASE(device_tasks),
             CASE(last_of_a_condition),
             CASE(scan),
             CASE(locals_of_tasks),
             CASE(locals_of_sections),
             CASE(racy_local_of_a_task)};

int main(int arguments, char** argument) {
  shmem_init();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (arguments < 2)
      puts(cases[i].name);
    else if (strcmp(cases[i].name, argument[1]) == 0)
      cases[i].run();
  }
  shmem_finalize();
  return 0;
}
