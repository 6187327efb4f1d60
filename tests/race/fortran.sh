# Races of Fortran programs are told by the lines of the program, not of the functions behind the Fortran interfaces.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

function says { expect grep -qE "$1" "$scratch/err"; }
function seen_in { "$BUILD_TREE/bin/oshfort" -g "$@" "$scratch/p.f90" -o "$scratch/p" || complain "it does not compile"; expect_status 66 oshrun --check=races -n 3 "$scratch/p"; }

# A section with gaps takes the path through several of our functions, one without gaps a jump.
a_race_of_array_sections_has_fortran_lines() {
  cat >"$scratch/p.f90" <<'END'
program racy
  use shmem_f08
  integer(8), save :: word(10)
  integer(8) :: mine(10)
  call shmem_init()
  mine = shmem_my_pe()
  call shmem_put(word(1:9:2), mine(1:9:2), 1)
  call shmem_put(word, mine, 10, 1)
  call shmem_barrier_all()
  call shmem_finalize()
end program
END
  seen_in
  says '  PE [012] +shmem_put, 40 bytes +p.f90:7 in '
  says '  PE [012] +shmem_put, 80 bytes +p.f90:8 in '
  expect [ "$(grep -c 'atrium_f' "$scratch/err")" = 0 ]
}
a_race_of_the_classic_interface_has_fortran_lines() {
  cat >"$scratch/p.f90" <<'END'
program racy
  include 'shmem.fh'
  integer, save :: word(10), lock
  integer :: mine(10)
  integer, external :: shmem_my_pe
  call shmem_init()
  mine = shmem_my_pe()
  call shmem_set_lock(lock)
  call shmem_put4(word, mine, 10, 1)
  call shmem_clear_lock(lock)
  call shmem_iput32(word, mine, 2, 1, 5, 1)
  call shmem_barrier_all()
  call shmem_finalize()
end program
END
  seen_in -fatrium-race
  says '  PE [012] +shmem_put4, 40 bytes +p.f90:9 in '
  says '  PE [012] +shmem_iput32, 20 bytes +p.f90:11 in '
}
# They can be suppressed by these, and by the names that C has.
routines_and_common_blocks_have_the_names_of_the_program() {
  needs_lines
  cat >"$scratch/p.f90" <<'END'
program racy
  include 'shmem.fh'
  integer :: before(3), word(10), mine(10)
  common /grid/ before, word
  call shmem_init()
  call shmem_integer_put(word(2), mine, 5, 1)
  call shmem_barrier_all()
  call shmem_finalize()
end program
END
  seen_in
  says '  PE [012] +shmem_integer_put, 20 bytes +p.f90:6 in '; says 'where +byte 4 of `word of /grid/` of PE 1 .static.'
  for pattern in 'routine shmem_integer_put' 'routine shmem_put32' 'variable word' 'variable /grid/'; do
    echo "$pattern" >"$scratch/known"
    ATRIUM_RACES_SUPPRESS="$scratch/known" expect_status 0 oshrun --check=races -n 3 "$scratch/p"
  done
}
# gcc knows of the variables where they are unless it optimises; the block has its name all the same.
a_common_block_has_its_name_where_its_variables_have_no_place() {
  needs_lines
  printf '%s\n' 'program racy' '  include "shmem.fh"' '  integer :: before(3), word(10), mine(10)' '  common /grid/ before, word' '  call shmem_init()' \
    '  call shmem_integer_put(word(2), mine, 5, 1)' '  call shmem_barrier_all()' '  call shmem_finalize()' 'end program' >"$scratch/p.f90"
  seen_in -O2
  says 'where +byte (4 of `word of /grid/|16 of `/grid/)` of PE 1 .static.'
  echo 'variable /grid/' >"$scratch/known"
  ATRIUM_RACES_SUPPRESS="$scratch/known" expect_status 0 oshrun --check=races -n 3 "$scratch/p"
}
a_stripped_program_is_told_by_addresses() {
  printf '%s\n' 'program racy' '  use shmem_f08' '  integer(8), save :: word(10)' '  integer(8) :: mine(10) = 1' '  call shmem_init()' \
    '  call shmem_put(word, mine, 10, 1)' '  call shmem_barrier_all()' '  call shmem_finalize()' 'end program' >"$scratch/p.f90"
  for flag in -O2 -fatrium-race; do
    "$BUILD_TREE/bin/oshfort" -g $flag "$scratch/p.f90" -o "$scratch/p" && strip "$scratch/p" || complain "it does not compile"
    expect_status 66 oshrun --check=races -n 3 "$scratch/p"
    says '  PE [012] +shmem_ctx_putmem, 80 bytes +p\+0x'; says 'static memory of PE 1'; says 'no lines of p: '
  done
}
