# What the shared library brings, exports and promises.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/install/installed.sh"

the_library_brings_its_cxx_run_time_hidden() {
  [[ -z $SANITIZE ]] || skip "sanitizers bring a run time of their own"
  ! readelf -d "$PREFIX/lib/libatrium.so" | grep -E 'NEEDED.*(stdc|gcc)'
}

the_library_exports_nothing_but_its_interface() {
  ! nm -D --defined-only "$PREFIX/lib/libatrium.so" | awk '{ print $NF }' | sed 's/@.*//' |
    grep -vE '^(p?shmemx?_|p?(start_pes|shmalloc|shfree|shrealloc|shmemalign|_my_pe|_num_pes)$|SHMEM_|atrium_|ATRIUM_1$|PMIx_Initialized$|ATRIUM_PMIX_1$)'
}

the_library_keeps_its_abi() {
  [[ -z $SANITIZE ]] || skip "sanitizers add symbols"
  "$SOURCE_TREE/packaging/abi/check.sh" "$PREFIX/lib/libatrium.so"
}

# dpkg-gensymbols ends the build of a package whose list lacks one.
the_debian_package_lists_every_version_of_symbols() {
  local version versions
  versions=$(nm -D --defined-only "$PREFIX/lib/libatrium.so" | awk '$2 == "A" { print $NF }' | sed 's/@.*//' | sort -u)
  [[ -n $versions ]]
  for version in $versions; do
    grep "^ (symver)$version " "$SOURCE_TREE/packaging/debian/libatrium1.symbols" || { echo "$version is not there" && return 1; }
  done
}

a_library_that_lost_a_symbol_is_found() {
  need abidiff
  [[ $(uname -m) == x86_64 ]] || skip "the promise was written down on x86-64"
  echo 'void shmem_init(void) {}' >lost.c
  cc -shared -fPIC -Wl,-soname,libatrium.so.1 lost.c -o libatrium.so
  ! "$SOURCE_TREE/packaging/abi/check.sh" ./libatrium.so >said
  grep -q 'may not run' said
}

# RHEL 9 has glibc 2.34. Headers of 2.38 have other names for what is here as well.
nothing_needs_a_c_library_newer_than_that_of_rhel_9() {
  [[ -z $SANITIZE ]] || skip "sanitizers bring a run time of their own"
  [[ $(getconf GNU_LIBC_VERSION) < "glibc 2.38" ]] || skip "built with a newer C library"
  local versions
  versions=$({ find "$PREFIX"/lib "$PREFIX"/bin -type f -exec readelf --wide --version-info {} + 2>/dev/null || true; } | # not all are ELF files
    grep -oE 'Name: GLIBC_2[0-9.]*' | sort -uV)
  [[ -n $versions ]]
  [[ $(printf '%s\n' "$versions" "Name: GLIBC_2.34" | sort -V | tail -n 1) == "Name: GLIBC_2.34" ]] || { echo "$versions" && return 1; }
}

# As where the C library has no _dl_find_object: the program's own dlsym() knows nothing.
exceptions_are_caught_with_an_older_c_library() {
  cat >thrower.cpp <<'END'
#include <cstdio>
extern "C" void* dlsym(void*, const char* name) noexcept {
  std::printf("asked for %s\n", name);
  return nullptr;
}
int main() {
  try {
    throw 1;
  } catch (int) {
    std::puts("caught");
  }
}
END
  cc -std=gnu11 -c "$SOURCE_TREE/base/older_c_library.c"
  c++ thrower.cpp older_c_library.o -static-libgcc -static-libstdc++ -ldl -o thrower
  ./thrower >said
  grep -qx caught said
  grep -q '^asked for _dl_find_object$' said || skip "this compiler's unwinder does not ask the C library"
}

# libdw, which it opens to name lines, is the one thing of which the linker warns.
a_static_program_is_linked_without_a_word_about_the_network() {
  [[ -z $SANITIZE ]] || skip "sanitizers cannot be linked statically"
  echo '#include <shmem.h>
int main(void) { shmem_init(); shmem_finalize(); }' >smallest.c
  "$PREFIX/bin/oshcc" -static smallest.c -o smallest 2>said
  ! grep warning: said | grep -v "'dlopen'"
}
