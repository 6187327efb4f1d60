C     A program as they were written for the first SHMEM: fixed form, COMMON, implicit types.
C     SPDX-License-Identifier: BSD-3-Clause
      PROGRAM RING
      IMPLICIT INTEGER (S)
      INCLUDE 'shmem.fh'
      INCLUDE 'shmemx.fh'
      EXTERNAL SHMEM_MY_PE, SHMEM_N_PES
      INTEGER PSYNC(SHMEM_REDUCE_SYNC_SIZE)
      REAL*8 X, TOTAL, PWRK(SHMEM_REDUCE_MIN_WRKDATA_SIZE)
      COMMON /WORK/ X, TOTAL, PWRK, PSYNC
      CALL SHMEM_INIT()
      ME = SHMEM_MY_PE()
      NPES = SHMEM_N_PES()
      DO 10 I = 1, SHMEM_REDUCE_SYNC_SIZE
   10 PSYNC(I) = SHMEM_SYNC_VALUE
      X = DBLE(ME + 1)
      CALL SHMEM_BARRIER_ALL
      CALL SHMEM_REAL8_SUM_TO_ALL(TOTAL, X, 1, 0, 0, NPES, PWRK, PSYNC)
      IF (TOTAL .NE. DBLE(NPES * (NPES + 1) / 2)) THEN
        WRITE (*,*) 'PE ', ME, ' has ', TOTAL
        CALL SHMEM_GLOBAL_EXIT(1)
      END IF
      CALL SHMEM_FINALIZE()
      END
