/* The NUMA node that this PE is bound to, where the system knows it (Linux).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "atrium_machine.h"
#include "internal.h"

int sn_numa_of_me(void) {
  atrium_cpu_mask mine;
  atrium_allowed_cpus(&mine);
  return atrium_numa_node_of_cpus(&mine, ATRIUM_SYSTEM_FOLDER);
}
