! The exchanges through `use mpi_f08`, and what only it has: an error that nobody asks for, and parts of arrays with gaps.
! SPDX-License-Identifier: BSD-3-Clause
program exchanges_f08
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
  use mpi_f08
  implicit none
  type(MPI_Datatype), allocatable :: types(:)
  include 'exchanges.inc'

  function integers() result(list)
    type(MPI_Datatype) :: list(ranks)
    list = MPI_INTEGER
  end function

  subroutine own_exchanges()
    character(MPI_MAX_LIBRARY_VERSION_STRING) :: version
    call MPI_Alltoallw(sent, counts, bytes, integers(), got, counts, bytes, integers(), MPI_COMM_WORLD)
    call check('MPI_Alltoallw without ierror')
    call MPI_Get_library_version(version, k)
    if (index(version, 'MPICH') == 0) call exchange_rows()
  end subroutine

  ! Row 2 of a matrix is every third word of it; what lies between must stay as it is. (MPICH 4.0.2, without any library
  ! in front of it, exchanges the wrong words here.)
  subroutine exchange_rows()
    integer :: matrix(3, ranks * length), result(3, ranks * length)
    matrix = -7
    matrix(2, :) = sent(1:ranks * length)
    result = -9
    call MPI_Alltoall(matrix(2, :), length, MPI_INTEGER, result(3, :), length, MPI_INTEGER, MPI_COMM_WORLD)
    got(1:ranks * length) = result(3, :)
    call check('MPI_Alltoall of rows')
    if (any(result(1:2, :) /= -9)) call complain('MPI_Alltoall of rows wrote beside them')

    got = -1
    call MPI_Alltoallv(matrix(2, :), counts, starts, MPI_INTEGER, got, counts, starts, MPI_INTEGER, MPI_COMM_WORLD)
    call check('MPI_Alltoallv of rows')
  end subroutine
end program
