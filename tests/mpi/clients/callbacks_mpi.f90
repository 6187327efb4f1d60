! Attributes that call collectives when they are deleted, through `use mpi`.
! SPDX-License-Identifier: BSD-3-Clause
module waiting
  use mpi
  implicit none
  integer :: called_back = 0
contains
  subroutine wait_for_all(comm, key, value, state, ierror)
    integer :: comm, key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, state
    called_back = called_back + 1
    call MPI_Barrier(comm, ierror)
  end subroutine
  subroutine wait_for_world(comm, key, value, state, ierror)
    integer :: comm, key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, state
    called_back = called_back + 1
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
end module

program callbacks_mpi
  use waiting
  implicit none
  integer :: comm, part, key, world_key, rank, turn, ierror
  integer(kind=MPI_ADDRESS_KIND) :: none = 0
  call MPI_Init(ierror)
  include 'callbacks.inc'
end program
