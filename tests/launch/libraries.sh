# Programs that cannot find the library they were built for, or find another one.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

bin=$BUILD_TREE/bin
library=$BUILD_TREE/lib/libatrium.so.1

function one_line { [ "$(wc -l <"$scratch/err")" = 1 ] && [ ! -s "$scratch/out" ]; }
function said { expect grep -qF -- "$1" "$scratch/err"; }

# make_library FILE SONAME FUNCTION...
function make_library {
  local file=$1 name=$2; shift 2
  printf 'void %s(void) {}\n' "$@" | cc -shared -fPIC -Wl,-soname,"$name" -x c - -o "$file" || exit 1
}

a_count_without_its_flag_is_answered_with_the_flag() { expect_status 127 oshrun 4 true; expect one_line; said 'oshrun -n 4 PROGRAM'; }
a_program_of_another_openshmem_is_refused() {
  cd "$scratch" || exit 1
  make_library liboshmem.so liboshmem.so.40 shmem_init
  echo 'void shmem_init(void); int main(void) { shmem_init(); return 0; }' >p.c
  cc p.c -o p ./liboshmem.so "-Wl,-rpath,$scratch"
  ln -s liboshmem.so liboshmem.so.40
  expect ./p
  expect_status 1 oshrun -n 3 ./p; expect one_line
  said "Open MPI's OpenSHMEM (liboshmem.so)"; said "launcher of Atrium $("$bin/atrium-info" --version | grep -o '[0-9.]*' | head -n 1)"; said "$bin/oshcc"
}
a_program_of_mpi_is_told_which_launcher_it_wants() {
  cd "$scratch" || exit 1
  make_library libmpi.so libmpi.so.40 MPI_Init
  echo 'void MPI_Init(void); int main(void) { MPI_Init(); return 0; }' >p.c
  cc p.c -o p ./libmpi.so "-Wl,-rpath,$scratch"
  ln -s libmpi.so libmpi.so.40
  expect_status 0 "$bin/oshrun" --oversubscribe -n 2 ./p; expect one_line
  said "'./p' is a program of MPI"; said 'try mpirun -n 2 ./p'
  expect_status 0 oshrun -n 2 ./p; expect [ ! -s "$scratch/err" ]  # with ATRIUM_QUIET
  expect_status 0 "$bin/oshrun" --oversubscribe -n 4 --hosts a,b --agent 'env HOST=%h' ./p; expect [ "$(grep -c 'is a program of MPI' "$scratch/err")" = 1 ]
}
a_library_that_is_not_found_is_named() {
  cd "$scratch" || exit 1
  echo '#include <shmem.h>
  int main(void) { shmem_init(); shmem_finalize(); return 0; }' >p.c
  cc "-I$SOURCE_TREE/include" p.c -o p "$library"
  expect_status 127 oshrun -n 2 ./p; said "the loader finds no libatrium.so.1"; said "LD_LIBRARY_PATH=$BUILD_TREE/lib"
  expect [ "$(grep -c gdb "$scratch/err")" = 0 ]
  has_sanitizers || LD_LIBRARY_PATH=$BUILD_TREE/lib expect_status 0 oshrun -n 2 ./p
}
a_library_of_another_version_is_named() {
  cd "$scratch" || exit 1
  make_library libnewer.so libatrium.so.1 shmem_init atrium_unoptimised_1 shmem_finalize shmem_of_the_future
  echo '#include <shmem.h>
  void shmem_of_the_future(void);
  int main(void) { shmem_init(); shmem_of_the_future(); shmem_finalize(); return 0; }' >p.c
  cc "-I$SOURCE_TREE/include" p.c -o p ./libnewer.so
  has_sanitizers && skip "a program without sanitizers cannot load a library with them"
  LD_LIBRARY_PATH=$BUILD_TREE/lib LD_BIND_NOW=1 expect_status 127 oshrun -n 2 ./p
  said 'headers of Atrium'; said "loads $library (Atrium "; said 'this oshrun is of Atrium'
}
two_copies_in_one_process_are_refused() {
  has_sanitizers && skip "a program without sanitizers cannot load a library with them"
  cd "$scratch" || exit 1
  cp -L "$library" libatrium.so.1
  cat >p.c <<'END'
#include <dlfcn.h>
int main(int count, char** copies) {
  for (int i = 1; i < count; i++) ((void (*)(void))dlsym(dlopen(copies[i], RTLD_NOW | RTLD_LOCAL), "shmem_init"))();
  return 0;
}
END
  cc p.c -o p -ldl
  expect_status 1 ./p "$library" ./libatrium.so.1; said 'two copies of Atrium'; said "$library has initialised"; said './libatrium.so.1 is asked'
  expect_status 0 ./p "$library" "$library"
}
an_oshrun_of_another_version_is_named() {
  need python3
  cd "$scratch" || exit 1
  echo '#include <shmem.h>
  int main(void) { shmem_init(); shmem_finalize(); return 0; }' >p.c
  "$bin/oshcc" p.c -o p
  # The beginning of the lobby of a version that nobody has made yet (src/lobby/lobby.hpp).
  expect_status 1 python3 -c 'import os, struct
memory = os.memfd_create("job", 0)
os.write(memory, struct.pack("<8s6I", b"ATRIUM01", 9999, 0, 1, 1, 1, 0) + bytes(1 << 20))
os.environ.update(ATRIUM_JOB_FD=str(memory), ATRIUM_JOB_PE="0", ATRIUM_JOB_PES="1", ATRIUM_JOB_VERSION="7.8.9")
os.execv("./p", ["./p"])'
  said 'oshrun is of Atrium 7.8.9, and the library'; said "$(readlink -f "$BUILD_TREE/lib")/libatrium.so"
}
tasks_of_a_launcher_that_cannot_be_joined_refuse_once() {
  cd "$scratch" || exit 1
  echo '#include <shmem.h>
  int main(void) { shmem_init(); shmem_finalize(); return 0; }' >p.c
  "$bin/oshcc" p.c -o p
  # shellcheck disable=SC2016
  expect_status 4 bash -c 'for i in 0 1 2 3; do PMI_SIZE=4 PMI_RANK=$i ./p & done; failed=0; for i in 0 1 2 3; do wait -n || failed=$((failed + 1)); done; exit $failed'
  expect [ "$(grep -c 'started as 4 tasks' "$scratch/err")" = 1 ]; said 'oshrun -n 4 PROGRAM'
}
a_heap_that_the_memory_cannot_hold_is_not_suggested() {
  cd "$scratch" || exit 1
  echo '#include <shmem.h>
  #include <stdlib.h>
  int main(int count, char** words) { shmem_init(); void* p = shmem_malloc(strtoul(words[1], 0, 0) << 10); shmem_finalize(); return count < 2 || p; }' >p.c
  "$bin/oshcc" p.c -o p
  # Of the whole machine; a cgroup may have less.
  expect_status 0 oshrun -n 2 ./p "$(awk '/MemTotal/ { print int($2 * 0.9) }' /proc/meminfo)"
  said 'a smaller size, fewer PEs, or more memory: the 2 PEs'; expect [ "$(grep -c SYMMETRIC_SIZE "$scratch/err")" = 0 ]
}
programs_can_ask_for_the_version_of_the_headers() {
  cd "$scratch" || exit 1
  echo '#include <shmem.h>
  #include <stdio.h>
  #if ATRIUM_VERSION_NUMBER < 100
  #error "no version"
  #endif
  int main(void) { printf("Atrium %d.%d.%d\n%s\n", ATRIUM_MAJOR_VERSION, ATRIUM_MINOR_VERSION, ATRIUM_PATCH_VERSION, SHMEM_VENDOR_STRING); return 0; }' >p.c
  "$bin/oshcc" p.c -o p
  expect_status 0 ./p
  expect [ "$(sed -n 1p "$scratch/out")" = "$(sed -n 2p "$scratch/out")" ]
  expect [ "$(sed -n 1p "$scratch/out")" = "Atrium $(sed -n 's/^project(atrium VERSION \([0-9.]*\).*/\1/p' "$SOURCE_TREE/CMakeLists.txt")" ]
}
# Handlers of exit and of faults lead into the library, which only the plugin needs.
a_plugin_that_used_the_library_may_be_unloaded() {
  has_sanitizers && skip "a sanitizer wants to be loaded first"
  cd "$scratch" || exit 1
  echo '#include <shmem.h>
  int run(void) { shmem_init(); int pes = shmem_n_pes(); shmem_barrier_all(); shmem_finalize(); return pes; }' >plugin.c
  compile_library plugin
  echo '#include <dlfcn.h>
  #include <stdlib.h>
  int main(int count, char** words) {
    void* plugin = dlopen("./plugin.so", RTLD_NOW);
    if (!plugin || ((int (*)(void))dlsym(plugin, "run"))() != 2 || dlclose(plugin) != 0) return 1;
    if (count > 1) abort();
    return 0;
  }' >p.c
  cc p.c -o p -ldl
  expect_status 0 oshrun -n 2 ./p
  expect_status 134 oshrun -n 2 ./p abort; expect grep -q 'signal 6' "$scratch/err"
  expect_status 134 oshrun --backtrace -n 2 ./p abort; expect grep -q 'back trace' "$scratch/err"
}
