! The exchanges through `use mpi`.
! SPDX-License-Identifier: BSD-3-Clause
program exchanges_mpi
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
  use mpi
  implicit none
  integer, allocatable :: types(:)
  include 'exchanges.inc'

  function integers() result(list)
    integer :: list(ranks)
    list = MPI_INTEGER
  end function

  subroutine own_exchanges()
  end subroutine
end program
