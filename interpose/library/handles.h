/* Handles and constants of another library, for code that is not compiled with its headers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ATRIUM_INTERPOSE_HANDLES_H
#define ATRIUM_INTERPOSE_HANDLES_H

#ifdef __cplusplus
extern "C" {
#endif

struct atrium_interpose_handles {
  void *default_context, *world_team, *shared_team; /* null: it has none */
  int signal_set;
};
__attribute__((visibility("hidden"))) struct atrium_interpose_handles atrium_interpose_find_handles(void);

#ifdef __cplusplus
}
#endif

#endif
