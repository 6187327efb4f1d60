/* What every part of Atrium asks of the processor and the kernel: pause, time, usable CPUs, NUMA nodes of CPUs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The core (src/arch, src/os, src/topology), mpi/ and shnode/ share this file, so that none of them waits, counts
 * CPUs or reads a container's limits in another way than the others. It is C99 and C++, includes nothing of
 * Atrium, keeps no state and is installed nowhere: each user compiles it in. How to wait is not decided
 * here: each part knows something else about whom it waits for. */
#ifndef ATRIUM_MACHINE_H
#define ATRIUM_MACHINE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#endif

/* What a spinning processor executes between two looks at memory. On AArch64 `yield` is a no-op on most cores;
 * `isb` waits some tens of cycles, about what `pause` does on x86. */
static inline void atrium_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb" ::: "memory");
#endif
}

/* Nanoseconds of a clock that only goes forward (CLOCK_MONOTONIC), the same in all processes of a machine. */
static inline int64_t atrium_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- The CPUs that may be used ---- */

enum { atrium_most_cpus = 8192, atrium_cpus_per_word = 8 * sizeof(unsigned long) }; /* Linux has no more */

typedef struct {
  unsigned long words[atrium_most_cpus / atrium_cpus_per_word];
} atrium_cpu_mask;

static inline int atrium_has_cpu(const atrium_cpu_mask* mask, int cpu) {
  return (int)(mask->words[cpu / atrium_cpus_per_word] >> (cpu % atrium_cpus_per_word) & 1);
}

/* Not by the compiler's own count: that is a table of its library, and each process would fetch the page that it is on. */
static inline int atrium_count_cpus(const atrium_cpu_mask* mask) {
  int count = 0;
  for (int word = 0; word < atrium_most_cpus / atrium_cpus_per_word; word++)
    for (unsigned long rest = mask->words[word]; rest; rest &= rest - 1) count++;
  return count;
}

/* The affinity mask of the calling thread; where the kernel does not say, all CPUs that run. Never empty. */
static inline void atrium_allowed_cpus(atrium_cpu_mask* mask) {
  memset(mask, 0, sizeof *mask);
#ifdef __linux__
  if (syscall(SYS_sched_getaffinity, 0, sizeof *mask, mask) > 0 && atrium_count_cpus(mask) > 0) return;
#endif
  const long running = sysconf(_SC_NPROCESSORS_ONLN);
  for (int cpu = 0; cpu == 0 || (cpu < running && cpu < atrium_most_cpus); cpu++)
    mask->words[cpu / atrium_cpus_per_word] |= 1UL << (cpu % atrium_cpus_per_word);
}

/* ---- What control groups allow: the limits of containers and batch systems ---- */

#define ATRIUM_CGROUP_MOUNT "/sys/fs/cgroup"
#define ATRIUM_NO_QUOTA 0.0

/* A short file of /proc or /sys as text; empty when it cannot be read. By system calls: stdio's buffer would
 * itself show in /proc/self/maps. */
static inline void atrium_read_file(const char* path, char* text, size_t size) {
  size_t length = 0;
#ifdef __linux__
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  for (ssize_t more = 1; file >= 0 && more > 0 && length<size - 1; length += more> 0 ? (size_t)more : 0)
    more = read(file, text + length, size - 1 - length);
  if (file >= 0) close(file);
#else
  (void)path, (void)size;
#endif
  text[length] = 0;
}

/* `version`: of control groups, 1 or 2. `folder` is gone after the call. */
typedef void atrium_cgroup_visitor(void* context, const char* folder, int version);

/* The longest path that the kernel takes. */
enum { atrium_path_bytes = 4096 };

/* MOUNT/BELOW/PATH and the folders above it, up to MOUNT/BELOW. */
static inline void atrium_climb_cgroups(const char* mount, const char* below, const char* path, int version,
                                        atrium_cgroup_visitor* visit, void* context) {
  char folder[atrium_path_bytes];
  const int bottom = snprintf(folder, sizeof folder, "%s%s", mount, below);
  const int length = snprintf(folder, sizeof folder, "%s%s%s", mount, below, strcmp(path, "/") ? path : "");
  if (length < 0 || (size_t)length >= sizeof folder) return;
  for (char* slash = folder; slash; *slash = 0) {
    visit(context, folder, version);
    if (!(slash = strrchr(folder + bottom, '/'))) return;
  }
}

/* Is `name` one of `names`, which have commas between them? */
static inline int atrium_is_listed(const char* names, const char* name) {
  const size_t length = strlen(name);
  for (const char* at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (!strncmp(at, name, length) && (at[length] == ',' || !at[length])) return 1;
  return 0;
}

/* The groups of one line of /proc/PID/cgroup, "id:controllers:path"; version 2 has no controllers. Changes it. */
static inline void atrium_visit_cgroup_line(char* line, const char* controller, const char* mount,
                                            atrium_cgroup_visitor* visit, void* context) {
  char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!path) return;
  *controllers++ = *path++ = 0;
  if (!*controllers) {
    atrium_climb_cgroups(mount, "", path, 2, visit, context);
    atrium_climb_cgroups(mount, "/unified", path, 2, visit, context);
  } else if (atrium_is_listed(controllers, controller)) {
    char below[256];
    snprintf(below, sizeof below, "/%s", controllers);
    atrium_climb_cgroups(mount, below, path, 1, visit, context);
    snprintf(below, sizeof below, "/%s", controller);
    if (strcmp(controllers, controller)) atrium_climb_cgroups(mount, below, path, 1, visit, context);
  }
}

/* The texts of files lie on the heap, here and below: a stack may be small (ulimit -s). */

/* Visits the folders of a process's control group and of every group above it, up to the mount: a limit of any of
 * them holds. A group whose name is not below the mount, as in a container that sees the host's names, leaves the
 * mount itself, which is then the container's own group. `membership` is the text of a /proc/PID/cgroup,
 * `controller` is "cpu", "memory", ... */
static inline void atrium_visit_cgroups(const char* controller, const char* membership, const char* mount,
                                        atrium_cgroup_visitor* visit, void* context) {
  const size_t most = atrium_path_bytes + 256;
  char* const line = (char*)malloc(most);
  for (const char* end; line && *membership; membership = *end ? end + 1 : end) {
    end = membership + strcspn(membership, "\n");
    const size_t length = (size_t)(end - membership);
    if (length >= most) continue;
    memcpy(line, membership, length);
    line[length] = 0;
    atrium_visit_cgroup_line(line, controller, mount, visit, context);
  }
  free(line);
}

/* Those of this process. */
static inline void atrium_visit_own_cgroups(const char* controller, atrium_cgroup_visitor* visit,
                                            void* context) {
  const size_t most = 16384;
  char* const membership = (char*)malloc(most);
  if (!membership) return;
  atrium_read_file("/proc/self/cgroup", membership, most);
  atrium_visit_cgroups(controller, membership, ATRIUM_CGROUP_MOUNT, visit, context);
  free(membership);
}

/* Microseconds of CPU time in each period, or ATRIUM_NO_QUOTA. */
static inline double atrium_quota_of_folder(const char* folder, int version) {
  char path[atrium_path_bytes + 32], text[64];
  double quota = 0, period = 0;
  snprintf(path, sizeof path, "%s/%s", folder, version == 2 ? "cpu.max" : "cpu.cfs_quota_us");
  atrium_read_file(path, text, sizeof text);
  if (version == 2) { /* "150000 100000", or "max 100000" */
    if (sscanf(text, "%lf %lf", &quota, &period) != 2) return ATRIUM_NO_QUOTA;
  } else {
    quota = atof(text); /* -1: none */
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    atrium_read_file(path, text, sizeof text);
    period = atof(text);
  }
  return quota > 0 && period > 0 ? quota / period : ATRIUM_NO_QUOTA;
}

static inline void atrium_keep_tightest_quota(void* tightest, const char* folder, int version) {
  const double quota = atrium_quota_of_folder(folder, version);
  double* kept = (double*)tightest;
  if (quota > 0 && (*kept == ATRIUM_NO_QUOTA || quota < *kept)) *kept = quota;
}

/* CPUs' worth of time per second that the groups grant, or ATRIUM_NO_QUOTA. */
static inline double atrium_quota_of(const char* membership, const char* mount) {
  double tightest = ATRIUM_NO_QUOTA;
  atrium_visit_cgroups("cpu", membership, mount, atrium_keep_tightest_quota, &tightest);
  return tightest;
}

/* The same for this process. */
static inline double atrium_cgroup_quota(void) {
  double tightest = ATRIUM_NO_QUOTA;
  atrium_visit_own_cgroups("cpu", atrium_keep_tightest_quota, &tightest);
  return tightest;
}

/* A fraction is rounded down: two processes that spin on one and a half CPUs get in each other's way. */
static inline int atrium_limit_to_quota(int cpus, double quota) {
  if (quota == ATRIUM_NO_QUOTA || quota >= cpus) return cpus;
  return quota < 1 ? 1 : (int)quota;
}

/* How many processes that spin can run at once here: the affinity mask, cut by the quota. At least 1. */
static inline int atrium_usable_cpus(void) {
  atrium_cpu_mask mask;
  atrium_allowed_cpus(&mask);
  return atrium_limit_to_quota(atrium_count_cpus(&mask), atrium_cgroup_quota());
}

/* ---- Memory ---- */

#define ATRIUM_NO_MEMORY_LIMIT UINT64_MAX

/* The number in a group's file of one number: "max", or no such file, is no limit. */
static inline uint64_t atrium_limit_in(const char* folder, const char* name) {
  char path[atrium_path_bytes + 32], text[64], *end;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  atrium_read_file(path, text, sizeof text);
  const uint64_t number = strtoull(text, &end, 10);
  return end == text ? ATRIUM_NO_MEMORY_LIMIT : number;
}

/* The number behind a word at the beginning of a line; 0 when there is none. */
static inline uint64_t atrium_number_behind(const char* path, const char* word) {
  const size_t most = 8192;
  char* const text = (char*)malloc(most);
  uint64_t number = 0;
  if (!text) return number;
  atrium_read_file(path, text, most);
  const char* at = strstr(text, word);
  while (at && at != text && at[-1] != '\n') at = strstr(at + 1, word);
  if (at) number = strtoull(at + strlen(word), NULL, 10);
  free(text);
  return number;
}

static inline uint64_t atrium_number_of_memory_stat(const char* folder, const char* word) {
  char path[atrium_path_bytes + 32];
  snprintf(path, sizeof path, "%s/memory.stat", folder);
  return atrium_number_behind(path, word);
}

/* What one group's limit leaves. Idle file caches are as good as free. */
static inline uint64_t atrium_memory_left_in(const char* folder, int version) {
  const int second = version == 2;
  const uint64_t most = atrium_limit_in(folder, second ? "memory.max" : "memory.limit_in_bytes");
  if (most == ATRIUM_NO_MEMORY_LIMIT) return most;
  const uint64_t used = atrium_limit_in(folder, second ? "memory.current" : "memory.usage_in_bytes");
  const uint64_t idle =
      atrium_number_of_memory_stat(folder, second ? "inactive_file " : "total_inactive_file ");
  const uint64_t busy = used == ATRIUM_NO_MEMORY_LIMIT || used < idle ? 0 : used - idle;
  return busy < most ? most - busy : 0;
}

static inline void atrium_keep_least_memory(void* least, const char* folder, int version) {
  const uint64_t left = atrium_memory_left_in(folder, version);
  if (left < *(uint64_t*)least) *(uint64_t*)least = left;
}

/* Bytes that this process's control groups leave, or ATRIUM_NO_MEMORY_LIMIT. */
static inline uint64_t atrium_cgroup_memory_left(void) {
  uint64_t least = ATRIUM_NO_MEMORY_LIMIT;
  atrium_visit_own_cgroups("memory", atrium_keep_least_memory, &least);
  return least;
}

/* Bytes that the kernel promises to all processes together, if vm.overcommit_memory is 2; otherwise ATRIUM_NO_MEMORY_LIMIT. */
static inline uint64_t atrium_commit_limit(void) {
  if (atrium_limit_in("/proc/sys/vm", "overcommit_memory") != 2) return ATRIUM_NO_MEMORY_LIMIT;
  return atrium_number_behind("/proc/meminfo", "CommitLimit:") << 10;
}

/* What is left of these. */
static inline uint64_t atrium_commit_left(void) {
  const uint64_t most = atrium_commit_limit();
  if (most == ATRIUM_NO_MEMORY_LIMIT) return most;
  const uint64_t promised = atrium_number_behind("/proc/meminfo", "Committed_AS:") << 10;
  return promised < most ? most - promised : 0;
}

/* What control groups and promises leave, or ATRIUM_NO_MEMORY_LIMIT. */
static inline uint64_t atrium_allowance_left(void) {
  const uint64_t groups = atrium_cgroup_memory_left(), promises = atrium_commit_left();
  return groups < promises ? groups : promises;
}

/* Bytes that can still be had here, of the machine (swap included) and of what is allowed, or ATRIUM_NO_MEMORY_LIMIT. */
static inline uint64_t atrium_memory_left(void) {
  const uint64_t allowed = atrium_allowance_left();
  const uint64_t kibibytes = atrium_number_behind("/proc/meminfo", "MemAvailable:") +
                             atrium_number_behind("/proc/meminfo", "SwapFree:");
  return kibibytes > 0 && kibibytes < allowed >> 10 ? kibibytes << 10 : allowed;
}

/* ---- NUMA ---- */

#define ATRIUM_SYSTEM_FOLDER "/sys/devices/system"

/* The memory node of a CPU, or -1: the kernel links one to the other, cpuN/nodeM. `system` stands for
 * ATRIUM_SYSTEM_FOLDER. */
static inline int atrium_numa_node_of_cpu(int cpu, const char* system) {
  int node = -1;
#ifdef __linux__
  char path[atrium_path_bytes];
  snprintf(path, sizeof path, "%s/cpu/cpu%d", system, cpu);
  DIR* folder = opendir(path);
  for (struct dirent* entry; folder && node < 0 && (entry = readdir(folder));)
    if (sscanf(entry->d_name, "node%d", &node) != 1) node = -1;
  if (folder) closedir(folder);
#else
  (void)cpu, (void)system;
#endif
  return node;
}

/* The node of all of them; -1 when they lie on several: then there is nothing that would stay true. */
static inline int atrium_numa_node_of_cpus(const atrium_cpu_mask* mask, const char* system) {
  int common = -1;
  for (int cpu = 0; cpu < atrium_most_cpus; cpu++) {
    if (!atrium_has_cpu(mask, cpu)) continue;
    const int node = atrium_numa_node_of_cpu(cpu, system);
    if (node < 0 || (common >= 0 && node != common)) return -1;
    common = node;
  }
  return common;
}

#endif
