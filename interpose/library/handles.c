/* The one file that is compiled with another library's headers: what its version of OpenSHMEM has.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "handles.h"

#include <shmem.h>

#define ATRIUM_HAS(minor) (SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= (minor))

struct atrium_interpose_handles atrium_interpose_find_handles(void) {
  struct atrium_interpose_handles found = {0, 0, 0, 0};
#if ATRIUM_HAS(4)
  _Static_assert(sizeof(shmem_ctx_t) == sizeof(void*), "tools pass contexts on as pointers");
  found.default_context = (void*)SHMEM_CTX_DEFAULT;
#endif
#if ATRIUM_HAS(5)
  _Static_assert(sizeof(shmem_team_t) == sizeof(void*), "tools pass teams on as pointers");
  _Static_assert(!SHMEM_TEAM_INVALID && !SHMEM_CTX_INVALID, "tools know invalid handles by their being null");
  found.world_team = (void*)SHMEM_TEAM_WORLD;
  found.shared_team = (void*)SHMEM_TEAM_SHARED;
  found.signal_set = SHMEM_SIGNAL_SET;
#endif
  return found;
}
