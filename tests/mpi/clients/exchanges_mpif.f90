! The exchanges through mpif.h.
! SPDX-License-Identifier: BSD-3-Clause
program exchanges_mpif
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
  implicit none
  include 'mpif.h'
  integer, allocatable :: types(:)
  include 'exchanges.inc'

  function integers() result(list)
    integer :: list(ranks)
    list = MPI_INTEGER
  end function

  subroutine own_exchanges()
  end subroutine
end program
