! Fortran as it was: the routines of OpenSHMEM 1.4, with shmem.fh and memory by SHPALLOC. Old programs run as they are.
!
!   oshfort -O2 23_fortran_classic.f90 -o classic && oshrun -n 4 ./classic
!   Says: the largest number is ...
! SPDX-License-Identifier: BSD-3-Clause
program classic
  implicit none
  include 'shmem.fh'
  integer, external :: shmem_my_pe, shmem_n_pes
  integer, save :: psync(SHMEM_REDUCE_SYNC_SIZE) = SHMEM_SYNC_VALUE
  integer(4), save :: work(SHMEM_REDUCE_MIN_WRKDATA_SIZE), mine, largest
  integer(4) :: mail(1)
  pointer (address, mail)
  integer :: error

  call shmem_init()
  call shpalloc(address, 1, error, 1)
  mine = 10 * shmem_my_pe()
  call shmem_barrier_all()
  call shmem_put4(mail, mine, 1, mod(shmem_my_pe() + 1, shmem_n_pes()))
  call shmem_barrier_all()
  mine = mail(1)
  call shmem_int4_max_to_all(largest, mine, 1, 0, 0, shmem_n_pes(), work, psync)
  if (largest /= 10 * (shmem_n_pes() - 1)) call shmem_global_exit(1)
  if (shmem_my_pe() == 0) print '(a, i0)', 'the largest number is ', largest
  call shpdeallc(address, error, 1)
  call shmem_finalize()
end program
