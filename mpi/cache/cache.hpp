// Finds what is known of a communicator by its handle.
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety: any thread may ask for any communicator.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "comm/comm_state.hpp"
#include "datatype/handle_place.hpp"

namespace atrium::mpi {

// How often what a thread has found may have become another thing: a state has gone, or its settings have come.
inline constinit std::atomic<std::uint64_t> forgotten_states{0};
inline void forget_found() { forgotten_states.fetch_add(1, std::memory_order_relaxed); }

// What a thread has asked for, which spares a search in the MPI. It holds as long as no state at all has gone: the handle of a freed
// communicator may come back as another one's. A thread that uses that one has synchronised with the thread that freed and made it,
// and so sees the count of that time or a later one.
struct FoundState {
  MPI_Comm comm;
  CommState* state;
  std::uint64_t forgotten;
};
inline constinit thread_local std::array<FoundState, handle_places> found_states{};

// Null if the thread has not asked for it yet, or not lately.
inline CommState* remember_state(MPI_Comm comm) {
  const FoundState& found = found_states[handle_place(comm)];
  const bool holds =
      found.comm == comm && found.forgotten == forgotten_states.load(std::memory_order_relaxed);
  return holds ? found.state : nullptr;
}

CommState* look_up_state(MPI_Comm comm);
// The communicator's state; null if it has none yet.
inline CommState* find_state(MPI_Comm comm) {
  CommState* state = remember_state(comm);
  return state ? state : look_up_state(comm);
}
// Collective over the communicator. `peers`: as count_peers() answers. Null in MPI_Finalize, when the attributes of the program have
// gone, and where the communicator is being freed.
CommState* make_state(MPI_Comm comm, int peers);
// Collective over the communicator, once its first calls are over.
inline void settle(CommState& state) {
  if (state.settle()) forget_found();
}
// The state that find_state() answers, for one that needs it after the communicator has been freed.
std::shared_ptr<CommState> share_state(MPI_Comm comm);

// Once the world has begun, and the sooner the better: what the program hangs on MPI_COMM_SELF later is called back earlier, on all ranks.
// Frees what is left at the end of the program. Further calls do nothing.
void watch_end();
// The communicator is about to be freed by this thread, which has a SeenEnd of it. Collective.
void end_state(MPI_Comm comm);

}  // namespace atrium::mpi
