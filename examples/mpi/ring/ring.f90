! The ring in Fortran: every rank's array becomes half its own and a quarter of each neighbour's, by messages and by window.
! SPDX-License-Identifier: BSD-3-Clause
!
! usage: ring_fortran [ELEMENTS] [ROUNDS]
program ring
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64, int64
  use mpi
  use atrium_node_window
  implicit none
  integer :: rank, ranks, previous, next, rounds, ierror
  integer(int64) :: elements
  logical :: same
  type(c_ptr) :: window
  real(real64), allocatable :: arrays(:, :)
  real(real64), pointer, contiguous, asynchronous :: mine(:, :), its_previous(:, :), its_next(:, :)
  double precision :: time_messages, time_window

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  previous = modulo(rank - 1, ranks)
  next = modulo(rank + 1, ranks)
  elements = argument(1, 1000000)
  rounds = int(argument(2, 64))
  if (elements < 1 .or. rounds < 1) then
    if (rank == 0) print '(a)', "usage: ring_fortran [ELEMENTS] [ROUNDS]"
    call MPI_Finalize(ierror)
    error stop 2
  end if

  ierror = atrium_window_create(MPI_COMM_WORLD, int(16 * elements, c_size_t), ATRIUM_PADDED, ATRIUM_BY_NODE, window)
  if (atrium_window_size(window) /= ranks) then
    if (rank == 0) print '(a)', "ring: this example wants all ranks on one node"
    call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end if
  mine => part_of(rank)
  its_previous => part_of(previous)
  its_next => part_of(next)
  allocate (arrays(elements, 0:1))

  call run_messages(time_messages)
  call run_window(time_window)
  same = all(transfer(arrays(:, modulo(rounds, 2)), [0_int64]) == transfer(mine(:, modulo(rounds, 2) + 1), [0_int64]))
  call MPI_Allreduce(MPI_IN_PLACE, same, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierror)
  if (rank == 0) then
    print '(a, i0, a, i0, a, i0, a)', "ring: ", ranks, " ranks, ", elements, " elements each, ", rounds, " rounds"
    print '(a, f8.3, a, f8.3, a, a)', "messages ", time_messages, " s, window ", time_window, " s, ", &
        merge("same bits", "DIFFERENT", same)
  end if
  ierror = atrium_window_free(window)
  call MPI_Finalize(ierror)
  if (.not. same) error stop 1

contains

  ! 0 where it is no number, or more than the counts of MPI can hold.
  integer(int64) function argument(position, otherwise)
    integer, intent(in) :: position, otherwise
    character(len=32) :: text
    integer :: status
    argument = otherwise
    if (command_argument_count() < position) return
    call get_command_argument(position, text)
    read (text, *, iostat=status) argument
    if (status /= 0 .or. argument > huge(position)) argument = 0
  end function

  function part_of(owner) result(part)
    integer, intent(in) :: owner
    real(real64), pointer, contiguous, asynchronous :: part(:, :)
    type(c_ptr) :: address
    integer(c_size_t) :: bytes
    integer :: code
    code = atrium_window_part(window, atrium_window_rank_of(window, owner), address, bytes)
    call c_f_pointer(address, part, [elements, 2_int64])
  end function

  subroutine start(array)
    real(real64), intent(out) :: array(:)
    integer(int64) :: at
    do at = 1, elements
      array(at) = real(modulo((at - 1) * 7 + rank * 131_int64, 1000_int64), real64)
    end do
  end subroutine

  subroutine run_messages(seconds)
    double precision, intent(out) :: seconds
    real(real64), allocatable :: from_previous(:), from_next(:)
    integer :: round, code
    allocate (from_previous(elements), from_next(elements))
    call start(arrays(:, 0))
    call MPI_Barrier(MPI_COMM_WORLD, code)
    seconds = MPI_Wtime()
    do round = 0, rounds - 1
      associate (own => arrays(:, modulo(round, 2)), to => arrays(:, modulo(round + 1, 2)))
        call MPI_Sendrecv(own, int(elements), MPI_DOUBLE_PRECISION, next, 0, from_previous, int(elements), &
            MPI_DOUBLE_PRECISION, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
        call MPI_Sendrecv(own, int(elements), MPI_DOUBLE_PRECISION, previous, 1, from_next, int(elements), &
            MPI_DOUBLE_PRECISION, next, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
        to = 0.5d0 * own + 0.25d0 * from_previous + 0.25d0 * from_next
      end associate
    end do
    call MPI_Barrier(MPI_COMM_WORLD, code)
    seconds = MPI_Wtime() - seconds
  end subroutine

  ! One meeting a round is enough, because there are two arrays: what I overwrite now my neighbours have read before.
  subroutine run_window(seconds)
    double precision, intent(out) :: seconds
    integer :: round, old, new, code
    call start(mine(:, 1))
    call MPI_Barrier(MPI_COMM_WORLD, code)
    seconds = MPI_Wtime()
    do round = 0, rounds - 1
      old = modulo(round, 2) + 1
      new = 3 - old
      call meet_neighbours
      mine(:, new) = 0.5d0 * mine(:, old) + 0.25d0 * its_previous(:, old) + 0.25d0 * its_next(:, old)
    end do
    code = atrium_window_barrier(window)
    seconds = MPI_Wtime() - seconds
  end subroutine

  subroutine meet_neighbours
    integer :: code
    code = atrium_window_post(window, previous)
    code = atrium_window_post(window, next)
    code = atrium_window_wait(window, previous)
    code = atrium_window_wait(window, next)
  end subroutine
end program
