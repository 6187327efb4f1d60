! Attributes that call collectives when they are deleted, through `use mpi_f08`.
! SPDX-License-Identifier: BSD-3-Clause
module waiting
  use mpi_f08
  implicit none
  integer :: called_back = 0
contains
  subroutine wait_for_all(comm, key, value, state, ierror)
    type(MPI_Comm) :: comm
    integer :: key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, state
    called_back = called_back + 1
    call MPI_Barrier(comm, ierror)
  end subroutine
  subroutine wait_for_world(comm, key, value, state, ierror)
    type(MPI_Comm) :: comm
    integer :: key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, state
    called_back = called_back + 1
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
end module

program callbacks_f08
  use waiting
  implicit none
  type(MPI_Comm) :: comm, part
  integer :: key, world_key, rank, turn, provided, ierror
  integer(kind=MPI_ADDRESS_KIND) :: none = 0
  call MPI_Init_thread(MPI_THREAD_SINGLE, provided)
  include 'callbacks.inc'
end program
