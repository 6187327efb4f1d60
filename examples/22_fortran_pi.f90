! Fortran: tickets from one counter, memory of the symmetric heap, and a sum over all PEs.
!
!   oshfort -O2 22_fortran_pi.f90 -o pi && oshrun -n 4 ./pi
!   Says: pi is 3.14159265
! SPDX-License-Identifier: BSD-3-Clause
program pi
  use, intrinsic :: iso_c_binding
  use shmem_f08
  implicit none
  integer, parameter :: chunks = 64, steps = 20000
  integer, save :: ticket = 0
  real(8), pointer :: part(:) => null(), total(:) => null()
  integer :: chunk, i
  real(8) :: x

  call shmem_init()
  call shmem_allocate(part, [1])
  call shmem_allocate(total, [1])
  part = 0
  do
    chunk = shmem_atomic_fetch_inc(ticket, 0)  ! who is faster takes more
    if (chunk >= chunks) exit
    do i = 1, steps
      x = (chunk * steps + i - 0.5d0) / (chunks * steps)
      part(1) = part(1) + 4 / (1 + x * x) / (chunks * steps)
    end do
  end do
  call shmem_sum_reduce(SHMEM_TEAM_WORLD, total, part)
  if (abs(total(1) - acos(-1d0)) > 1d-9) call shmem_global_exit(1)
  if (shmem_my_pe() == 0) print '(a, f10.8)', 'pi is ', total(1)
  call shmem_deallocate(total)
  call shmem_deallocate(part)
  call shmem_finalize()
end program
