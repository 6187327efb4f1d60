// The job: init and finalize build everything below and take it down again (specification sections 9.1, 9.2).
// SPDX-License-Identifier: BSD-3-Clause
//
// States. Not initialised -> (first init) -> running, `depth` counts unmatched inits -> (last finalize) ->
// closed -> (init) -> running ... The segment, the mappings and the moved globals outlive a finalize; what
// lives in them does not. Thread safety. init and finalize: one thread, as the specification has it. The
// queries: any thread, any state.
#pragma once

namespace atrium {

// With the signatures and meanings of shmem_init and so on. `returns`: where the routine returns to.
void init();
int init_thread(int requested, int* provided);
void finalize(const void* returns = __builtin_return_address(0));
void query_initialized(int* initialized);
void query_thread(int* provided);
[[noreturn]] void global_exit(int status);
int my_pe();
int n_pes();
void info_get_version(int* major, int* minor);
void info_get_name(char* name);
void start_pes(int npes);
void pcontrol(int level);

}  // namespace atrium
