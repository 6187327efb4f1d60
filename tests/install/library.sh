# What the shared library brings, exports and promises.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/install/installed.sh"

the_library_brings_its_cxx_run_time_hidden() {
  [[ -z $SANITIZE ]] || skip "sanitizers bring a run time of their own"
  ! readelf -d "$PREFIX/lib/libatrium.so" | grep -E 'NEEDED.*(stdc|gcc)'
}

the_library_exports_nothing_but_its_interface() {
  ! nm -D --defined-only "$PREFIX/lib/libatrium.so" | awk '{ print $NF }' | sed 's/@.*//' |
    grep -vE '^(p?shmemx?_|p?(start_pes|shmalloc|shfree|shrealloc|shmemalign|_my_pe|_num_pes)$|SHMEM_|atrium_|ATRIUM_1$)'
}

the_library_keeps_its_abi() {
  [[ -z $SANITIZE ]] || skip "sanitizers add symbols"
  "$SOURCE_TREE/packaging/abi/check.sh" "$PREFIX/lib/libatrium.so"
}

a_library_that_lost_a_symbol_is_found() {
  need abidiff
  [[ $(uname -m) == x86_64 ]] || skip "the promise was written down on x86-64"
  echo 'void shmem_init(void) {}' >lost.c
  cc -shared -fPIC -Wl,-soname,libatrium.so.1 lost.c -o libatrium.so
  ! "$SOURCE_TREE/packaging/abi/check.sh" ./libatrium.so >said
  grep -q 'may not run' said
}
