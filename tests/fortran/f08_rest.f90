! The module shmem_f08 beyond its typed procedures: teams, contexts, the heap, threads, derived types, optimised waiting.
! SPDX-License-Identifier: BSD-3-Clause
program test
  use, intrinsic :: iso_c_binding
  use shmem_f08
  implicit none
  type :: particle
    real(8) :: position(3)
    integer :: kind
  end type
  type(particle), save :: mine, theirs
  type(shmem_team_t) :: odd, row, column, parent
  type(shmem_ctx_t) :: ctx
  type(shmem_team_config_t) :: config
  type(c_ptr) :: block
  integer, pointer :: numbers(:), view(:)
  integer :: me, pes, after, before, provided, stat, failures = 0, i, major, minor
  integer, save :: x(6), flag
  integer(c_long), save :: lock
  integer, save :: counter
  integer(c_int64_t), save :: signal
  character(len=80) :: name

  call shmem_init_thread(SHMEM_THREAD_FUNNELED, provided)
  call check(provided >= SHMEM_THREAD_FUNNELED, 'shmem_init_thread')
  call shmem_query_thread(provided)
  call check(provided >= SHMEM_THREAD_FUNNELED, 'shmem_query_thread')
  me = shmem_my_pe()
  pes = shmem_n_pes()
  after = mod(me + 1, pes)
  before = mod(me + pes - 1, pes)
  call shmem_info_get_name(name)
  call check(name == SHMEM_VENDOR_STRING, 'shmem_info_get_name')
  call shmem_info_get_version(major, minor)
  call check(major == 1 .and. minor == 6, 'shmem_info_get_version')
  call shmem_pcontrol(0)

  ! Derived types move as they are.
  mine = particle([1d0, 2d0, 3d0] * me, me)
  call shmem_barrier_all()
  call shmem_put(theirs, mine, after)
  call shmem_barrier_all()
  call check(theirs%kind == before .and. all(theirs%position == [1d0, 2d0, 3d0] * before), 'a derived type')
  theirs%position = 0
  call shmem_barrier_all()
  call shmem_put(theirs%position(2), 5d0, after)
  call shmem_put(theirs%kind, 9, after)
  call shmem_barrier_all()
  call check(theirs%kind == 9 .and. all(theirs%position == [0d0, 5d0, 0d0]), 'a component')

  ! The heap by C pointers.
  block = shmem_malloc(int(10 * 4, c_size_t))
  call c_f_pointer(block, numbers, [10])
  numbers = -1
  call shmem_barrier_all()
  call shmem_put(numbers(3:7), [(me, i = 1, 5)], after)
  call shmem_barrier_all()
  call check(all(numbers(3:7) == before) .and. all(numbers([1, 2, 8, 9, 10]) == -1), 'shmem_malloc and a section')
  call c_f_pointer(shmem_ptr(numbers, after), view, [10])
  call check(all(view(3:7) == me), 'shmem_ptr')
  call check(shmem_addr_accessible(numbers, after), 'shmem_addr_accessible')
  call check(.not. shmem_pe_accessible(-1), 'shmem_pe_accessible')
  call check(c_associated(shmem_team_ptr(SHMEM_TEAM_WORLD, numbers, after), shmem_ptr(numbers, after)), 'shmem_team_ptr')
  block = shmem_realloc(block, int(4000, c_size_t))
  call c_f_pointer(block, numbers, [1000])
  call check(all(numbers(3:7) == before), 'shmem_realloc')
  call shmem_free(block)
  block = shmem_calloc(int(10, c_size_t), int(4, c_size_t))
  call c_f_pointer(block, numbers, [10])
  call check(all(numbers == 0), 'shmem_calloc')

  ! Bytes, whatever the type.
  call shmem_barrier_all()
  call shmem_putmem(numbers(2), me, 4, after)
  call shmem_putmem_nbi(numbers(3), me, 4_c_size_t, after)
  call shmem_ctx_putmem(SHMEM_CTX_DEFAULT, numbers(4), me, 4, after)
  call shmem_ctx_putmem_nbi(SHMEM_CTX_DEFAULT, numbers(5), me, 4, after)
  call shmem_fence()
  call shmem_ctx_fence(SHMEM_CTX_DEFAULT)
  call shmem_quiet()
  call shmem_pe_quiet([after], 1_c_size_t)
  call shmem_ctx_pe_quiet(SHMEM_CTX_DEFAULT, [after], 1_c_size_t)
  call shmem_barrier_all()
  call check(all(numbers(1:6) == [0, before, before, before, before, 0]), 'shmem_putmem')
  x = -1
  call shmem_getmem(x(1), numbers(2), 4, after)
  call shmem_getmem_nbi(x(2), numbers(2), 4, after)
  call shmem_ctx_getmem(SHMEM_CTX_DEFAULT, x(3), numbers(2), 4, after)
  call shmem_ctx_getmem_nbi(SHMEM_CTX_DEFAULT, x(4), numbers(2), 4_c_size_t, after)
  call shmem_quiet()
  call check(all(x == [me, me, me, me, -1, -1]), 'shmem_getmem')
  call shmem_free(block)
  block = shmem_align(64_c_size_t, 100_c_size_t)
  call check(c_associated(block), 'shmem_align')
  call shmem_free(block)
  block = shmem_malloc_with_hints(100_c_size_t, SHMEM_MALLOC_SIGNAL_REMOTE)
  call check(c_associated(block), 'shmem_malloc_with_hints')
  call shmem_free(block)
  block = shmem_malloc_with_hints(100_c_size_t, ior(SHMEMX_MALLOC_INTERLEAVE, SHMEMX_MALLOC_HIGH_BANDWIDTH))
  call check(c_associated(block), 'hints of Atrium')
  call shmem_free(block)
  call shmem_query_initialized(i)
  call check(i == 1, 'shmem_query_initialized')

  ! Teams and contexts.
  call check(shmem_team_my_pe(SHMEM_TEAM_WORLD) == me, 'shmem_team_my_pe')
  call shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, odd)
  x = me
  call shmem_barrier_all()
  if (mod(me, 2) == 0) then
    call shmem_sum_reduce(odd, x(2:3), x(5:6))
    call check(all(x(2:3) == sum([(i, i = 0, pes - 1, 2)])), 'shmem_sum_reduce on a team')
    call check(shmem_team_translate_pe(odd, shmem_team_my_pe(odd), SHMEM_TEAM_WORLD) == me, 'shmem_team_translate_pe')
    call shmem_team_sync(odd)
    call shmem_team_destroy(odd)
  end if
  call shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, row, column, stat)
  call check(stat == 0 .and. shmem_team_my_pe(row) == mod(me, 2) .and. shmem_team_my_pe(column) == me / 2, &
             'shmem_team_split_2d')
  config%num_contexts = 1
  call shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, config, SHMEM_TEAM_NUM_CONTEXTS, parent)
  call shmem_team_get_config(parent, SHMEM_TEAM_NUM_CONTEXTS, config)
  call check(config%num_contexts == 1, 'shmem_team_get_config')
  call shmem_team_create_ctx(parent, SHMEM_CTX_SERIALIZED, ctx)
  x = -1
  call shmem_barrier_all()
  call shmem_ctx_put_nbi(ctx, x(1:6:2), [me, me, me], after)
  call shmem_ctx_p(ctx, x(2), me, after)
  call shmem_ctx_quiet(ctx)
  call shmem_barrier_all()
  call check(all(x == [before, before, before, -1, before, -1]), 'a section on a context')
  call shmem_ctx_get_team(ctx, odd)
  call check(shmem_team_n_pes(odd) == pes, 'shmem_ctx_get_team, shmem_team_n_pes')
  call shmem_ctx_destroy(ctx)
  call shmem_ctx_create(0_c_long, ctx, stat)
  call check(stat == 0, 'shmem_ctx_create')
  call shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, config_mask=0_c_long)
  call shmem_ctx_session_stop(ctx)
  call shmem_ctx_destroy(ctx)

  ! Locks and signals.
  do i = 1, 50
    if (mod(i, 2) == 0) then
      call shmem_set_lock(lock)
    else
      do while (shmem_test_lock(lock) /= 0)
      end do
    end if
    call shmem_p(counter, shmem_g(counter, 0) + 1, 0)
    call shmem_clear_lock(lock)
  end do
  call shmem_barrier_all()
  if (me == 0) call check(counter == 50 * pes, 'shmem_set_lock')
  call shmem_signal_add(signal, 3_c_int64_t, after)
  call check(shmem_signal_wait_until(signal, SHMEM_CMP_GE, 3_c_int64_t) == 3 .and. shmem_signal_fetch(signal) == 3, &
             'shmem_signal_add')
  call shmem_sync_all()
  call shmem_signal_set(signal, 8_c_int64_t, after)
  call check(shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 8_c_int64_t) == 8, 'shmem_signal_set')
  call shmem_sync_all()

  ! What another PE writes is seen behind a barrier, though nothing here says that flag changes.
  flag = 1
  call shmem_barrier_all()
  call tell(after)
  call shmem_barrier_all()
  call check(flag == 2, 'a variable is read again behind a barrier')
  call shmem_barrier_all()
  if (failures > 0) call shmem_global_exit(1)
  call shmem_finalize()
contains
  subroutine tell(pe)
    integer, intent(in) :: pe
    call shmem_p(flag, 2, pe)
  end subroutine
  subroutine check(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    if (good) return
    failures = failures + 1
    print '(a, i0, 2a)', 'PE ', me, ': ', what
  end subroutine
end program
