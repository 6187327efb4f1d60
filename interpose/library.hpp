// What differs between OpenSHMEM libraries beyond the routines that they have.
// SPDX-License-Identifier: BSD-3-Clause
//
//     library/atrium.cpp, narrow_locks.cpp   our own
//     library/other.cpp, handles.c           one that a tool was built for beside (api/interpose_other.py); handles.c by its compiler wrapper
#pragma once

namespace atrium::interpose {

// What a program is linked with, or opens.
extern const char* const library_file;

// Ends a program that has opened the library after its start, with a message: the loader has given the tool no routines
// of it then. Before the first call of a routine.
void need_library();

// The handles and constants that have their values once the library is initialised. Requires: it is, and no other thread calls.
void learn_handles();
extern int signal_set;  // SHMEM_SIGNAL_SET

// To be called while a tool waits for another PE: some libraries serve other PEs only within calls.
// Does nothing for threads but the one that has learned the handles.
void progress();

// How a user has the tool's checks done, and loads and stores seen.
extern const char* const way_to_check;
extern const char* const way_to_instrument;

}  // namespace atrium::interpose
