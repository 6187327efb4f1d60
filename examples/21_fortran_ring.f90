! Fortran: arrays of any type and rank, and sections with gaps, move in one call of the module shmem_f08.
!
!   oshfort -O2 21_fortran_ring.f90 -o ring && oshrun -n 4 ./ring
!   Says: every PE has its neighbour's row and column
! SPDX-License-Identifier: BSD-3-Clause
program ring
  use shmem_f08
  implicit none
  real, save :: field(5, 4)  ! SAVE: the same place on every PE, so it can be reached
  integer :: me, pes, next, previous

  call shmem_init()
  me = shmem_my_pe()
  pes = shmem_n_pes()
  next = mod(me + 1, pes)
  previous = mod(me + pes - 1, pes)
  field = me
  call shmem_barrier_all()

  ! My last row becomes the next PE's first; its elements lie 5 apart in memory.
  call shmem_put(field(1, :), field(5, :), next)
  ! The next PE's third column becomes my second, below the row that is under way.
  call shmem_get(field(2:5, 2), field(2:5, 3), next)
  call shmem_barrier_all()

  if (any(field(1, [1, 3, 4]) /= previous) .or. any(field(2:5, 2) /= next)) call shmem_global_exit(1)
  if (me == 0) print '(a)', "every PE has its neighbour's row and column"
  call shmem_finalize()
end program
