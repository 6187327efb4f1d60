// Windows whose memory the ranks of a node share: their parts have a shadow from when they are made until they are freed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "race/model/strand.hpp"
#include "race/shadow/slot.hpp"

namespace atrium::race {

// What a window is found by: MPI's, and one of Atrium's own.
uint64_t key_of(MPI_Win win);
inline uint64_t key_of(const void* window) { return reinterpret_cast<uintptr_t>(window); }

// As this process sees it.
struct WindowPart {
  uintptr_t begin;
  size_t bytes;
};

// Collective. `comm`: of whose ranks the window is; `parts`: of each of them; `made`: where in the program.
void begin_window(uint64_t key, MPI_Comm comm, const std::vector<WindowPart>& parts, Origin made);
std::vector<WindowPart> parts_of(MPI_Win win, MPI_Comm comm);

// When it is to be freed, and when it was, by all ranks.
struct SeenWindow;
SeenWindow* forget_window(uint64_t key);  // null: it is not known
void end_window(SeenWindow* window);

// What is left at the ends of locks of this window, and at posts and their like; of one that is not known: in common.
Common& clock_of(MPI_Win win, bool shared_locks = false);

// The number of the next post to a rank of one of Atrium's windows, and of the next wait for one.
uint64_t next_post(uint64_t key, int rank);
uint64_t next_wait(uint64_t key, int rank);

// An exclusive lock of a rank's part, which this process has until its unlock.
void note_exclusive(MPI_Win win, int rank);
bool ends_exclusive(MPI_Win win, int rank);

}  // namespace atrium::race
