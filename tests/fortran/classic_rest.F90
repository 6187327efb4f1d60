! The routines of the classic Fortran interface that have one form: setup, queries, the heap, locks, ordering, cache.
! SPDX-License-Identifier: BSD-3-Clause
module module_data
  implicit none
  integer :: in_module(4)
end module

program test
#ifdef USE_MODULE
  use shmem
#endif
  use module_data
  implicit none
#ifndef USE_MODULE
  include 'mpp/shmem.fh'
  include 'mpp/shmemx.fh'
  integer, external :: shmem_my_pe, shmem_n_pes, my_pe, num_pes, shmem_test_lock
#endif
  integer :: in_common(4), failures = 0, me, pes, after, before, automatic
  common /symmetric/ in_common
  integer, save :: in_save(4), counter, lock, guard(2), psync(SHMEM_BARRIER_SYNC_SIZE) = SHMEM_SYNC_VALUE
  integer :: major, minor, i, code, was
  integer(8) :: before_move
  character(len=SHMEM_MAX_NAME_LEN) :: name
  character(len=3) :: short
  integer :: block(*), peer(4)
  pointer (place, block), (there, peer)

  call start_pes(0)
  me = shmem_my_pe()
  pes = shmem_n_pes()
  after = mod(me + 1, pes)
  before = mod(me + pes - 1, pes)
  call check(my_pe() == me .and. num_pes() == pes, 'MY_PE, NUM_PES')

  call shmem_info_get_version(major, minor)
  call check(major == SHMEM_MAJOR_VERSION .and. minor == SHMEM_MINOR_VERSION, 'SHMEM_INFO_GET_VERSION')
  call shmem_info_get_name(name)
  call check(name == SHMEM_VENDOR_STRING, 'SHMEM_INFO_GET_NAME')
  call shmem_info_get_name(short)
  call check(short == 'Atr', 'SHMEM_INFO_GET_NAME into too short a text')

  call check(shmem_pe_accessible(after), 'SHMEM_PE_ACCESSIBLE')
  call check(.not. shmem_pe_accessible(pes), 'SHMEM_PE_ACCESSIBLE of no PE')
  call check(shmem_addr_accessible(in_save, after), 'SHMEM_ADDR_ACCESSIBLE of a SAVE variable')
  call check(shmem_addr_accessible(in_common, after), 'SHMEM_ADDR_ACCESSIBLE of a COMMON variable')
  call check(shmem_addr_accessible(in_module, after), 'SHMEM_ADDR_ACCESSIBLE of a module variable')
  call check(.not. shmem_addr_accessible(on_stack(), after), 'SHMEM_ADDR_ACCESSIBLE of a temporary')

  in_common = -1
  in_module = -1
  call shmem_barrier_all()
  call shmem_integer_put(in_common, [me, me + 1, me + 2, me + 3], 4, after)
  call shmem_integer_put(in_module, [me, me + 1, me + 2, me + 3], 4, after)
  call shmem_fence()
  call shmem_quiet()
  call shmem_barrier(0, 0, pes, psync)
  call check(all(in_common == [(before + i, i = 0, 3)]), 'a COMMON block is symmetric')
  call check(all(in_module == [(before + i, i = 0, 3)]), 'a module variable is symmetric')

  there = shmem_ptr(in_save, after)
  in_save = 0
  call shmem_barrier_all()
  peer(2) = 100 + me
  call shmem_barrier_all()
  call check(in_save(2) == 100 + before, 'SHMEM_PTR')

  call shpalloc(place, 10, code, 1)
  call check(code == 0, 'SHPALLOC')
  block(1:10) = me
  before_move = place
  call shpclmove(place, 5, code, 0)
  call check(code == merge(0, 1, place == before_move) .and. all(block(1:5) == me), 'SHPCLMOVE to less')
  call shpclmove(place, 100000, code, 0)
  call check(code >= 0 .and. all(block(1:5) == me), 'SHPCLMOVE to more')
  call shmem_barrier_all()
  call shmem_put4(block(100000), me, 1, after)
  call shmem_barrier_all()
  call check(block(100000) == before, 'a put into what SHPCLMOVE gave')
  call shpdeallc(place, code, 1)
  call check(code == 0, 'SHPDEALLC')
  call shpalloc(place, 0, code, 0)
  call check(code == -1, 'SHPALLOC of nothing')
  call shpalloc(place, huge(i), code, 0)
  if (code == 0) call shpdeallc(place, code, 0)
  call check(code == 0 .or. code == -2, 'SHPALLOC of 8 GiB')
  place = loc(automatic)
  call shpdeallc(place, code, 0)
  call check(code == -3, 'SHPDEALLC of what is not in the heap')
  call shpclmove(place, 5, code, 0)
  call check(code == -3, 'SHPCLMOVE of what is not in the heap')

  ! Locks: 4 bytes wide, and the counter that they protect.
  guard = 77
  lock = 0
  counter = 0
  call shmem_barrier_all()
  do i = 1, 200
    if (mod(i, 2) == 0) then
      call shmem_set_lock(lock)
    else
      do while (shmem_test_lock(lock) == 1)
      end do
    end if
    call shmem_integer_get(was, counter, 1, 0)
    call shmem_integer_put(counter, was + 1, 1, 0)
    call shmem_clear_lock(lock)
  end do
  call shmem_barrier_all()
  if (me == 0) call check(counter == 200 * pes, 'SHMEM_SET_LOCK, SHMEM_TEST_LOCK, SHMEM_CLEAR_LOCK')
  call check(lock == 0 .and. all(guard == 77), 'a lock in a default INTEGER')

  call shmem_set_cache_inv()
  call shmem_clear_cache_inv()
  call shmem_set_cache_line_inv(in_save)
  call shmem_clear_cache_line_inv(in_save)
  call shmem_udcflush()
  call shmem_udcflush_line(in_save)
  call shmem_init()
  call shmem_barrier_all()
  if (failures > 0) call shmem_global_exit(1)
  call shmem_finalize()
contains
  integer function on_stack()
    on_stack = 1
  end function
  subroutine check(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    if (good) return
    failures = failures + 1
    print '(a, i0, 2a)', 'PE ', me, ': ', what
  end subroutine
end program
