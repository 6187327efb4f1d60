! One wrong call, chosen by -DCASE; cases.sh looks for the message.
! SPDX-License-Identifier: BSD-3-Clause
program wrong
#if CASE < 10 || CASE > 18
  use shmem
#else
  use, intrinsic :: iso_c_binding
  use shmem_f08
#endif
  implicit none
  integer, save :: plane(4, 4), row(4)
  real, save :: real_row(4)
  integer :: first(4), second(4)
  common /grid/ first, second
  integer, allocatable :: local(:)
#if CASE == 9
  integer :: pointee(1)
  pointer (nowhere, pointee)
#endif
  integer :: psync(SHMEM_BCAST_SYNC_SIZE)
  psync = SHMEM_SYNC_VALUE
  call shmem_init()
  allocate (local(4))
#if CASE == 1
  call shmem_integer_put(plane(2, :), row, 4, 0)
#elif CASE == 2
  call shmem_integer_put(local, row, 4, 0)
#elif CASE == 3
  call shmem_integer_put(row, row, -1, 0)
#elif CASE == 4
  call shmem_broadcast4(local, row, 4, 0, 0, 0, 1, psync)
#elif CASE == 5
  call shmem_integer_put(row, plane, 5, 0)
#elif CASE == 6
  call shmem_clear_lock(row(1))
#elif CASE == 7
  call shmem_set_lock(row(1)); call shmem_set_lock(row(1))
#elif CASE == 8
  deallocate (local)
  call shmem_integer_put(local, row, 4, 0)
#elif CASE == 9
  call shpdeallc(nowhere, row(1), 1)
#elif CASE == 10
  call shmem_put(local, row, 0)
#elif CASE == 11
  call shmem_put(row, real_row, 0)
#elif CASE == 12
  call shmem_put(row(1:2), row, 0)
#elif CASE == 13
  call shmem_sum_reduce(SHMEM_TEAM_WORLD, plane(2, :), row)
#elif CASE == 14
  call shmem_put(row, row, 5, 0)
#elif CASE == 15
  call shmem_fcollect(SHMEM_TEAM_WORLD, row(1:3), row)
#elif CASE == 16
  call shmem_alltoall(SHMEM_TEAM_INVALID, row, row)
#elif CASE == 18
  call shmem_put(row, row(2:3), shmem_n_pes())
#elif CASE == 17
  call shmem_put((row), row, 0)
#elif CASE == 19
  call shmem_put32(second, plane, 5, 0)
#elif CASE == 20
  call shmem_put32(second(2), second, 3, 0)
#endif
  call shmem_finalize()
end program
