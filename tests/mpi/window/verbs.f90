! Every verb of the Fortran module, once in each layout: what it answers, and the errors' codes.
! SPDX-License-Identifier: BSD-3-Clause
program verbs
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use atrium_node_window
  implicit none
  type(c_ptr) :: window
  integer :: rank, ranks, next, previous, layout, failures = 0

  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = modulo(rank + 1, ranks)
  previous = modulo(rank - 1, ranks)
  do layout = ATRIUM_PADDED, ATRIUM_SEPARATE
    call expect(atrium_window_create(MPI_COMM_WORLD%MPI_VAL, 80_c_size_t, layout, ATRIUM_BY_NODE, window), MPI_SUCCESS)
    call ask_who_is_there
    call see_each_others_parts
    call put_by_mpi
    call keep_epochs
    call freeze_and_free
  end do
  call ask_for_nodes
  call refuse
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
  if (failures > 0) error stop 1

contains

  subroutine expect(got, wanted)
    integer, intent(in) :: got, wanted
    if (got == wanted) return
    failures = failures + 1
    print '(4(a, i0))', "rank ", rank, ", layout ", layout, ": ", got, " instead of ", wanted
  end subroutine

  subroutine ask_who_is_there
    call expect(atrium_window_rank(window), rank)
    call expect(atrium_window_size(window), ranks)
    call expect(atrium_window_rank_of(window, next), next)
    call expect(atrium_window_rank_of(window, ranks), MPI_UNDEFINED)
    call expect(merge(0, 1, atrium_window_memory_node(window, 0) >= -1), 0)
  end subroutine

  subroutine see_each_others_parts
    real(c_double), pointer, contiguous, asynchronous :: mine(:), its(:)
    type(c_ptr) :: address
    integer(c_size_t) :: bytes
    integer :: done
    call c_f_pointer(atrium_window_mine(window), mine, [10])
    call expect(atrium_window_part(window, next, address, bytes), MPI_SUCCESS)
    call c_f_pointer(address, its, [bytes / 8])
    mine = rank
    call expect(atrium_window_post(window, previous), MPI_SUCCESS)
    call expect(atrium_window_wait(window, next), MPI_SUCCESS)
    call expect(count(its == next), 10)
    call expect(atrium_window_test(window, next, done), MPI_SUCCESS)
    call expect(done, 0)
    call expect(atrium_window_barrier(window), MPI_SUCCESS)
    call expect(atrium_window_part(window, MPI_PROC_NULL, address, bytes), MPI_SUCCESS)
    call expect(int(bytes), 80)
    if (layout == ATRIUM_CONTIGUOUS) call expect(atrium_window_whole(window, address, bytes), MPI_SUCCESS)
    if (layout == ATRIUM_CONTIGUOUS) call expect(int(bytes), 80 * ranks)
  end subroutine

  subroutine put_by_mpi
    real(c_double), pointer, contiguous, asynchronous :: mine(:)
    integer(MPI_ADDRESS_KIND) :: displacement
    type(MPI_Win) :: win
    call c_f_pointer(atrium_window_mine(window), mine, [10])
    win%MPI_VAL = atrium_window_mpi(window, next, displacement)
    call MPI_Put(2d0 * rank, 1, MPI_DOUBLE_PRECISION, next, displacement + 8, 1, MPI_DOUBLE_PRECISION, win)
    call expect(atrium_window_fence(window), MPI_SUCCESS)
    call expect(nint(mine(2)), 2 * previous)
  end subroutine

  subroutine keep_epochs
    call expect(atrium_window_lock_all(window), MPI_SUCCESS)
    call expect(atrium_window_sync(window), MPI_SUCCESS)
    call expect(atrium_window_unlock_all(window), MPI_SUCCESS)
    call expect(atrium_window_sync(window), MPI_ERR_RMA_SYNC)
  end subroutine

  subroutine freeze_and_free
    type(MPI_Comm) :: comm
    comm%MPI_VAL = atrium_window_comm(window)
    call MPI_Barrier(comm)
    call expect(atrium_window_freeze(window), MPI_SUCCESS)
    call expect(atrium_window_free(window), MPI_SUCCESS)
    call expect(merge(1, 0, c_associated(window)), 0)
  end subroutine

  subroutine ask_for_nodes
    type(c_ptr) :: nodes
    type(MPI_Comm) :: comm
    integer :: local, local_ranks
    call expect(atrium_nodes_create(MPI_COMM_WORLD%MPI_VAL, nodes), MPI_SUCCESS)
    call expect(atrium_nodes_mine(nodes), 0)
    call expect(atrium_nodes_count(nodes), 1)
    comm%MPI_VAL = atrium_nodes_comm(nodes)
    call MPI_Comm_rank(comm, local)
    call MPI_Comm_size(comm, local_ranks)
    call expect(local_ranks, ranks)
    call expect(merge(1, 0, atrium_nodes_leaders(nodes) == MPI_COMM_NULL%MPI_VAL), merge(0, 1, local == 0))
    call expect(atrium_nodes_free(nodes), MPI_SUCCESS)
    call expect(merge(1, 0, c_associated(nodes)), 0)
  end subroutine

  subroutine refuse
    character(kind=c_char), pointer :: words(:)
    call expect(atrium_window_free(window), MPI_ERR_WIN)
    call c_f_pointer(atrium_window_strerror(MPI_ERR_WIN), words, [6])
    call expect(count(words == ["a", "t", "r", "i", "u", "m"]), 6)
    call expect(atrium_window_create_per_node(MPI_COMM_WORLD%MPI_VAL, -1_c_size_t, ATRIUM_PADDED, ATRIUM_BY_NUMA, window), &
        MPI_ERR_SIZE)
    call expect(atrium_window_create(MPI_COMM_NULL%MPI_VAL, 8_c_size_t, ATRIUM_PADDED, ATRIUM_BY_NODE, window), MPI_ERR_COMM)
  end subroutine
end program
