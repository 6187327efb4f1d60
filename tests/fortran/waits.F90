! PE 0 waits for a word that nobody sets: of a module, of a common block, of the one without a name.
! SPDX-License-Identifier: BSD-3-Clause
module heat
  implicit none
  integer, save :: flags(4) = 0
end module

program waits
  use heat
  implicit none
  include 'shmem.fh'
  integer, external :: shmem_my_pe
  integer :: x, y(4), z
  common /line/ x, y
  common z
  call start_pes(0)
  y = 0
  z = 0
  if (shmem_my_pe() == 0) call shmem_int4_wait_until(WORD, SHMEM_CMP_EQ, 1)
  call shmem_finalize()
end program
