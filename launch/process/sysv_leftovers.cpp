// Searches the kernel's list of System V segments.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/sysv_leftovers.hpp"

#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

namespace atrium {

void remove_segments_of(pid_t creator, time_t begin) {
  shm_info all{};
  const int last = shmctl(0, SHM_INFO, reinterpret_cast<shmid_ds*>(&all));
  if (creator <= 0 || last < 0 || all.used_ids == 0) return;
  for (int index = 0; index <= last; ++index) {
    shmid_ds segment{};
    const int id = shmctl(index, SHM_STAT, &segment);
    if (id >= 0 && segment.shm_cpid == creator && segment.shm_perm.uid == geteuid() &&
        segment.shm_nattch == 0 && segment.shm_perm.__key == IPC_PRIVATE && segment.shm_ctime >= begin)
      shmctl(id, IPC_RMID, nullptr);
  }
}

}  // namespace atrium
