#!/usr/bin/env bash
# Looks at headers, compiled code and libraries from outside. usage: check.sh CHECK
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

here=$(dirname "$(realpath "$0")")
include=$SOURCE_TREE/include
map=$SOURCE_TREE/src/api/generated/atrium.map
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The compilers to try: the build's own and whatever else is installed, each once, whatever it is called.
c_compilers() { installed "$C" gcc clang; }
cxx_compilers() { installed "$CXX" g++ clang++; }
installed() {
  local compiler path
  for compiler; do
    path=$(command -v "$compiler") || continue
    echo "$(realpath "$path") $compiler"
  done | sort -u -k 1,1 | cut -d ' ' -f 2
}

# finds_nothing COMMAND...: it prints nothing.
finds_nothing() {
  local found
  found=$("$@" || true)
  [[ -z $found ]] || { printf '%s\n' "$found" && exit 1; }
}

strict="-Wall -Wextra -Wpedantic -Werror -fsyntax-only"

# The headers as headers of a program: with what the compiler keeps from others.
headers_that_are_warned_of() {
  cp -r "$include" "$work/include"
  sed -i '/pragma GCC system_header/d' "$work"/include/*.h
  include=$work/include
}

every_generic_is_called_by_a_test() {
  while read -r generic; do
    grep -q "\b$generic(" "$here/generics.c" || { echo "$generic is not called in generics.c" && exit 1; }
  done <"$here/manifest/generics.txt"
}

# compiles COMPILER STANDARD SUFFIX HEADER [FLAG]
compiles() {
  printf '#include <%s>\nint main(void) { return %s; }\n' "$4" "${use-0}" >"$work/alone.$3"
  # shellcheck disable=SC2086
  "$1" -std="$2" $strict ${5-} -I"$include" "$work/alone.$3" || { echo "$4 with $1 -std=$2 ${5-}" && exit 1; }
}

# shmem.h by every standard; what is little more than an #include of it by the first and the last.
every_header_compiles_alone() {
  headers_that_are_warned_of
  local header compiler standard use="shmem_my_pe() == SHMEM_MAJOR_VERSION" c cxx
  local picky="-Wold-style-cast -Wzero-as-null-pointer-constant -Wconversion -Wshadow -Wundef"
  for header in shmem.h shmemx.h pshmem.h mpp/shmem.h mpp/shmemx.h; do
    c="c99 gnu17" cxx="c++11 c++20"
    [[ $header != shmem.h ]] || { c="c99 c11 c17 gnu17" && cxx="c++11 c++14 c++17 c++20"; }
    for compiler in $(c_compilers); do
      for standard in $c; do compiles "$compiler" "$standard" c "$header"; done
    done
    for compiler in $(cxx_compilers); do
      for standard in $cxx; do compiles "$compiler" "$standard" cpp "$header" "$picky"; done
    done
  done
  for compiler in $(c_compilers); do compiles "$compiler" c11 c shmem.h -DATRIUM_NO_INLINE; done
  for compiler in $(cxx_compilers); do compiles "$compiler" c++20 cpp shmem.h -DATRIUM_NO_INLINE; done
  use=0
  for header in $(cd "$include" && ls shmem/*.h); do
    [[ $header == shmem/generics.h || $header == shmem/overloads.h || $header == shmem/inline.h ]] && continue
    compiles "$C" c11 c "$header"
    compiles "$CXX" c++11 cpp "$header"
  done
}

# What programs ask for, and more: a warning about a header that they include is no news to them. What is little more than an
# #include of shmem.h is compiled by one standard.
no_warning_of_a_program_is_about_our_headers() {
  local compiler standard header flags gnu clang=-Weverything c_standards cxx_standards
  gnu="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wlong-long -Wpadded -Wredundant-decls -Winline
    -Wunused-macros -Wcast-qual -Wfloat-equal"
  local c="$gnu -Wdeclaration-after-statement -Wc++-compat -Wtraditional-conversion -Wc90-c99-compat -Wvariadic-macros"
  local cxx="$gnu -Wold-style-cast -Wuseless-cast -Wzero-as-null-pointer-constant -Weffc++ -Wnoexcept"
  printf '%s\n' 'typedef int MPI_Comm; typedef int MPI_Win; typedef long MPI_Aint;' >"$work/mpi.h" # enough of one
  for header in shmem.h shmemx.h pshmem.h mpp/shmem.h shnode.h atrium/node_window.h atrium/nodes.h; do
    printf '#include <%s>\nint main(void) { return 0; }\n' "$header" | tee "$work/one.c" >"$work/one.cpp"
    c_standards="c90 c11 c2x" cxx_standards="c++11 c++2b"
    [[ $header != @(shmemx|pshmem|mpp/shmem).h ]] || { c_standards="c11" && cxx_standards="c++2b"; }
    for compiler in $(c_compilers); do
      [[ $("$compiler" --version) == *clang* ]] && flags=$clang || flags=$c
      for standard in $c_standards; do warns_of_nothing "$work/one.c"; done
    done
    for compiler in $(cxx_compilers); do
      [[ $("$compiler" --version) == *clang* ]] && flags="$clang -Wno-c++98-compat" || flags=$cxx
      for standard in $cxx_standards; do warns_of_nothing "$work/one.cpp"; done
    done
  done
}

# Uses what its caller has: compiler, standard, flags. Optimised: the inlined calls are compiled, too.
warns_of_nothing() {
  # shellcheck disable=SC2086
  if ! "$compiler" -std="$standard" -O2 $flags -I"$work" -I"$include" -I"$SOURCE_TREE/shnode/include" \
    -I"$SOURCE_TREE/mpi/window/include" -c "$1" -o "$work/one.o" >"$work/said" 2>&1 || [[ -s $work/said ]]; then
    echo "$compiler -std=$standard $(head -1 "$1"): $(grep -m 3 -E 'warning|error' "$work/said")" && exit 1
  fi
}

# Of its own arguments a program is warned nevertheless, at its own line.
a_warning_of_a_programs_argument_is_at_its_line() {
  printf '%s\n' '#include <shmem.h>' 'static long x;' 'static float f;' 'short narrow(void);' \
    'short narrow(void) { return shmem_g(&x, 0); }' 'void wrong(void);' \
    'void wrong(void) { shmem_long_put(&x, &f, 1, 0); }' >"$work/own.c"
  local compiler
  for compiler in $(c_compilers); do
    # gcc 14 calls the second an error.
    "$compiler" -std=c11 -O2 -Wconversion -fsyntax-only -I"$include" "$work/own.c" 2>"$work/said" || true
    if ! grep -q 'own\.c:5:.*warning:.*onversion' "$work/said" || ! grep -qE 'own\.c:7:.*(warning|error):' "$work/said"; then
      cat "$work/said" && exit 1
    fi
  done
}

the_old_places_of_the_headers_declare_the_same() {
  headers_that_are_warned_of
  printf '#include <mpp/shmem.h>\n#include <mpp/shmemx.h>\nint main(void) { shmem_finalize(); return _SHMEM_CMP_EQ; }\n' \
    >"$work/old.c"
  # shellcheck disable=SC2086
  "$C" -std=c99 $strict -I"$include" "$work/old.c"
}

# One error, however many overloads there are; it says what to call.
a_type_that_is_none_of_openshmem_is_one_error_in_cxx() {
  local compiler
  cat >"$work/wrong.cpp" <<'END'
#include <shmem.h>
struct Point { double x, y; };
static Point here;
int main() {
#if CALL == 1
  shmem_put(&here, &here, 1, 0);
#elif CALL == 2
  const Point there = shmem_g(&here, 0);
#elif CALL == 3
  shmem_sum_reduce(SHMEM_TEAM_WORLD, &here, &here, 1);
#endif
}
END
  for compiler in $(cxx_compilers); do
    for call in 1 2 3; do
      "$compiler" -std=c++11 -DCALL=$call -fsyntax-only -I"$include" "$work/wrong.cpp" 2>"$work/said" && { echo "$compiler takes call $call" && exit 1; }
      [[ $(grep -c 'error:' "$work/said") == 1 ]] || { cat "$work/said" && exit 1; }
      grep -q 'is not for these types' "$work/said" || { cat "$work/said" && exit 1; }
    done
    "$compiler" -std=c++11 -DCALL=1 -fsyntax-only -I"$include" "$work/wrong.cpp" 2>"$work/said" || grep -q 'shmem_putmem moves bytes' "$work/said"
  done
}

no_header_needs_complex_numbers() {
  local language
  for language in c c++; do
    "$C" -x "$language" -M -I"$include" "$include/shmem.h" >"$work/needs"
    finds_nothing grep -E '/(ccomplex|complex(\.h)?)( |$)' "$work/needs"
  done
}

the_library_exports_exactly_the_map() {
  nm -D --defined-only "$LIBRARY" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort -u >"$work/exported"
  local maps=("$map")
  ! grep -q '^PMIX_INCLUDE_DIR:PATH=/' "$BUILD_TREE/CMakeCache.txt" || maps+=("$SOURCE_TREE/src/bootstrap/pmix.map")
  sed -n 's/^  \([A-Za-z_0-9]*\);$/\1/p' "${maps[@]}" | sort -u >"$work/listed"
  diff "$work/listed" "$work/exported"
  finds_nothing grep -vxFf "$work/exported" "$here/manifest/functions.txt"
  [[ $(nm -D --defined-only "$LIBRARY" | grep -c ' W shmem_') -gt 1700 ]]
}

# What a static program sees beside C++ names (atrium::...) and the map.
the_static_library_has_no_other_public_names() {
  sed -n 's/^  \([A-Za-z_0-9]*\);$/\1/p' "$map" | sort -u >"$work/listed"
  nm --defined-only --extern-only "$ARCHIVE" 2>/dev/null | awk 'NF == 3 && $3 !~ /^(_Z|DW\.ref|__odr_asan)/ {print $3}' | sort -u \
    >"$work/defined"
  finds_nothing comm -13 "$work/listed" "$work/defined"
}

# instructions FILE FUNCTION: from its first instruction to its first return, without those that some distributions' compilers begin each
# function with, where indirect calls may arrive.
instructions() {
  objdump -d --no-show-raw-insn "$1" | sed -n "/<$2>:/,/\bret/p" | sed '1d' | grep -vE '^\s*$|\bnop|\bendbr64|\bbti'
}

# What a function may take with gcc and with clang: instructions from its entry to the first return, as version 12 and
# version 14 need them.
budgets="put 7 8|put_global 8 11|put_on_context 7 7|get 7 8|put8 9 10|get8 9 10|add 9 9|add_on_global 9 11|inc 7 8
swap_double 9 10|number 4 5|fence 4 4|quiet 5 5|fence_on_context 6 6|quiet_on_context 7 7"

the_inlined_calls_stay_within_their_budgets() {
  command -v objdump >/dev/null || { echo "objdump is not installed"; exit 77; }
  cat >"$work/calls.c" <<'END'
#include <shmem.h>
static long global;
void put(long *dest, long value, int pe) { shmem_long_p(dest, value, pe); }
void put_global(long value, int pe) { shmem_long_p(&global, value, pe); }
void put_on_context(shmem_ctx_t ctx, long *dest, long value, int pe) { shmem_ctx_long_p(ctx, dest, value, pe); }
long get(const long *source, int pe) { return shmem_long_g(source, pe); }
void put8(void *dest, const void *source, int pe) { shmem_putmem(dest, source, 8, pe); }
void get8(void *dest, const void *source, int pe) { shmem_getmem(dest, source, 8, pe); }
long add(long *dest, int pe) { return shmem_long_atomic_fetch_add(dest, 1, pe); }
long add_on_global(long value, int pe) { return shmem_long_atomic_fetch_add(&global, value, pe); }
void inc(long *dest, int pe) { shmem_long_atomic_inc(dest, pe); }
double swap_double(double *dest, double value, int pe) { return shmem_double_atomic_swap(dest, value, pe); }
int number(void) { return shmem_n_pes(); }
void fence(void) { shmem_fence(); }
void quiet(void) { shmem_quiet(); }
void fence_on_context(shmem_ctx_t ctx) { shmem_ctx_fence(ctx); }
void quiet_on_context(shmem_ctx_t ctx) { shmem_ctx_quiet(ctx); }
END
  local compiler function gcc clang budget count failed=0
  for compiler in $(c_compilers); do
    "$compiler" -O2 -fPIE -I"$include" -c "$work/calls.c" -o "$work/calls.o"
    while read -r function gcc clang; do
      [[ $("$compiler" --version) == *clang* ]] && budget=$clang || budget=$gcc
      instructions "$work/calls.o" "$function" >"$work/hit"
      count=$(wc -l <"$work/hit")
      echo "$compiler: $function takes $count of $budget instructions"
      [[ $count -gt 0 && $count -le $budget ]] || failed=1
      finds_nothing grep -E '\b(call|bl)\b' "$work/hit"
    done <<<"${budgets//|/$'\n'}"
  done
  return $failed
}

# loop_length FILE FUNCTION: instructions from the target of its first jump backwards to that jump.
loop_length() {
  objdump -d --no-show-raw-insn "$1" | awk -v name="<$2>:" '
    $2 == name { inside = 1; next }
    inside { at[substr($1, 1, length($1) - 1)] = ++count }
    inside && match($0, /[0-9a-f]+ </) && (target = substr($0, RSTART, RLENGTH - 2)) in at { print count - at[target] + 1; exit }'
}

# Neither the delta nor the test is in it: two moves, two addresses or indices that advance, a branch.
a_loop_of_puts_is_a_loop_of_stores() {
  command -v objdump >/dev/null || { echo "objdump is not installed"; exit 77; }
  cat >"$work/loop.c" <<'END'
#include <shmem.h>
void many(long *dest, const long *source, long count, int pe) {
  for (long i = 0; i < count; i++) shmem_putmem(&dest[i], &source[i], 8, pe);
}
END
  local compiler count
  for compiler in $(c_compilers); do
    "$compiler" -O3 -fPIE -I"$include" -c "$work/loop.c" -o "$work/loop.o"
    count=$(loop_length "$work/loop.o" many)
    echo "$compiler: a round takes $count of 7 instructions"
    [[ $count -gt 0 && $count -le 7 ]] || return 1
  done
}

# Whether the compiler knows the size or not: no instructions of its own for hundreds of bytes, and no detour over the library.
a_block_is_copied_by_memcpy_in_place() {
  command -v objdump >/dev/null || { echo "objdump is not installed"; exit 77; }
  cat >"$work/blocks.c" <<'END'
#include <shmem.h>
void put_page(void *dest, const void *source, int pe) { shmem_putmem(dest, source, 4096, pe); }
void put_some(void *dest, const void *source, size_t bytes, int pe) { shmem_putmem(dest, source, bytes, pe); }
void get_page(void *dest, const void *source, int pe) { shmem_getmem(dest, source, 4096, pe); }
void get_some(void *dest, const void *source, size_t bytes, int pe) { shmem_getmem(dest, source, bytes, pe); }
END
  local compiler function
  for compiler in $(c_compilers); do
    "$compiler" -O2 -fPIE -ffunction-sections -I"$include" -c "$work/blocks.c" -o "$work/blocks.o"
    for function in put_page put_some get_page get_some; do
      objdump -dr --section=".text.$function" "$work/blocks.o" >"$work/code"
      grep -E '\bmemcpy\b' "$work/code" || { echo "$compiler: $function does not call memcpy"; return 1; }
      finds_nothing grep -E '\brep\b|\brep[a-z]* movs' "$work/code"
    done
  done
}

programs_may_be_in_intels_assembler_notation() {
  [[ $(uname -m) == x86_64 ]] || { echo "it is one of x86's"; exit 77; }
  printf '#include <shmem.h>\nlong x;\nvoid f(void) { shmem_p(&x, 1, 1); shmem_quiet(); shmem_fence(); shmem_putmem(&x, &x, 100, 1); }\n' >"$work/intel.c"
  local compiler level
  for compiler in $(c_compilers); do
    for level in -O0 -O2; do "$compiler" -masm=intel $level -I"$include" -c "$work/intel.c" -o "$work/intel.o"; done
  done
}

a_tool_compiles_after_shmem_h_in_every_language() {
  local compiler
  for compiler in $(c_compilers); do
    "$compiler" -std=c11 -O2 -Wall -Wextra -Werror -I"$include" -c "$here/tool.c" -o "$work/c.o"
    defines_what_it_watches "$work/c.o"
  done
  for compiler in $(cxx_compilers); do
    "$compiler" -x c++ -std=c++17 -O2 -Wall -Wextra -Werror -I"$include" -c "$here/tool.c" -o "$work/cxx.o"
    defines_what_it_watches "$work/cxx.o"
  done
}

null_addresses_of_no_bytes_draw_no_warning() {
  local compiler level
  for level in -O0 -O1 -O2 -O3 -Os; do
    for compiler in $(c_compilers); do "$compiler" -std=c11 $level -Wall -Wextra -Werror -I"$include" -c "$here/no_bytes.c" -o "$work/no.o"; done
    for compiler in $(cxx_compilers); do "$compiler" -x c++ -std=c++17 $level -Wall -Wextra -Werror -I"$include" -c "$here/no_bytes.c" -o "$work/no.o"; done
  done
}

defines_what_it_watches() {
  local routine
  for routine in shmem_long_p shmem_ctx_long_g shmem_long_atomic_add shmem_long_test shmem_fence shmem_finalize; do
    nm "$1" | grep -q " T $routine\$"
  done
}

# Each routine of the tables is shown to tools or is on the list of those that they need not know.
a_routine_that_no_tool_is_shown_is_refused() {
  local said wrapped='import sys; sys.path.insert(0, sys.argv[1]); import interpose; interpose.wrapped()'
  cp -r "$SOURCE_TREE/api" "$work/api"
  python3 -B -c "$wrapped" "$work/api"
  sed 's/^\(9.12.1\tshmem_fence\t.*\)$/\1\n9.12.9\tshmem_drain\t-\t-\tvoid\t-\tdrain\t-\t-\t-\t-/' \
    "$SOURCE_TREE/api/routines.tsv" >"$work/api/routines.tsv"
  grep -q shmem_drain "$work/api/routines.tsv"
  said=$(python3 -B -c "$wrapped" "$work/api" 2>&1) &&
    echo "no error says that shmem_drain is not shown to tools" && exit 1
  [[ $said == *"neither shown to tools nor in NOT_SHOWN: drain"* ]] || { echo "said: $said" && exit 1; }
  cp "$SOURCE_TREE/api/routines.tsv" "$work/api"
  sed -i 's/"pcontrol": "it is/"gone": "nothing", &/' "$work/api/interpose.py"
  said=$(python3 -B -c "$wrapped" "$work/api" 2>&1) &&
    echo "a word for no routine stays in NOT_SHOWN" && exit 1
  [[ $said == *"no routine: gone"* ]] || { echo "said: $said" && exit 1; }
}

a_wrong_type_is_named_in_the_message() {
  printf '#include <shmem.h>\nstruct s { int i; } x, y;\nvoid f(void) { shmem_put(&x, &y, 1, 0); }\n' >"$work/wrong.c"
  local compiler
  for compiler in $(c_compilers); do
    "$compiler" -std=c11 -fsyntax-only -I"$include" "$work/wrong.c" 2>"$work/said" && exit 1
    grep -q "struct s" "$work/said"
  done
}

"$1"
