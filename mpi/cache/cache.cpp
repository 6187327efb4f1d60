// States live on their communicators as attributes: freed with them, not copied to duplicates.
// SPDX-License-Identifier: BSD-3-Clause
#include "cache/cache.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "atrium_message.h"
#include "choice/experience_book.hpp"
#include "comm/group_book.hpp"
#include "report/report.hpp"
#include "settings/settings.hpp"
#include "settings/which_mpi.hpp"

namespace atrium::mpi {
namespace {

// All states in the order in which they were made, which is the same on all ranks of any two communicators:
// making one ends with a collective call.
struct CommStates {
  std::mutex lock;
  std::map<std::uint64_t, CommState*> states;
  std::uint64_t next = 0;
};

CommStates& book() {
  static CommStates* book = new CommStates;  // outlives every destructor
  return *book;
}

// Carried by the attribute.
struct CachedState {
  std::uint64_t number;
  std::shared_ptr<CommState> state;
  bool of_world;  // made between MPI_Init and MPI_Finalize
};

// False if the end of the program has it already.
bool leaves_book(const CachedState& entry) {
  std::lock_guard guard(book().lock);
  return book().states.erase(entry.number) > 0;
}

// A state that was made by what MPI_Finalize calls back, when the end of the program had gone by. Much of the MPI has gone
// when its turn comes: Open MPI cannot free a window any more.
bool is_too_late(const CachedState& entry) { return entry.of_world && !has_world(); }

int forget_state(MPI_Comm, int, void* attribute, void*) {
  CachedState* entry = static_cast<CachedState*>(attribute);
  forgotten_states.fetch_add(1, std::memory_order_relaxed);
  const bool unfiled = leaves_book(*entry);
  if (is_too_late(*entry))
    entry->state->abandon();
  else if (unfiled)
    Note(*entry->state).file();
  entry->state->leave_comm();
  delete entry;
  return MPI_SUCCESS;
}

int state_key = MPI_KEYVAL_INVALID;
std::atomic<bool> is_over{false};

std::map<std::uint64_t, CommState*> empty_book() {
  std::lock_guard guard(book().lock);
  return std::exchange(book().states, {});
}

// By rank 0 of the job, whose communicators have the shapes of the others' as a rule.
void keep_experience() {
  const char* path = my_settings().file;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0 || !path || experience_book().write(path)) return;
  const std::string because = std::string(path) + " cannot be written: " + std::strerror(errno);
  const atrium_message message = {"what was learned is not kept for the next run", because.c_str(),
                                  "MPI_Finalize", "ATRIUM_ALLTOALL_FILE with a path in a folder of yours"};
  atrium_print_message("atrium", &message);
}

// MPI_Finalize begins by freeing MPI_COMM_SELF, whichever binding it was called from: everything still works
// then. With threads the order of states is not the same on all ranks: all notes are begun before one is
// waited for, and what is freed collectively, which would block, is left.
int end_of_program(MPI_Comm, int, void*, void*) {
  is_over = true;
  const bool in_order = !has_threads();
  const std::map<std::uint64_t, CommState*> states = empty_book();
  std::list<Note> notes;
  for (const auto& [number, state] : states) notes.emplace_back(*state);
  for (Note& note : notes) note.file();
  for (const auto& [number, state] : states) {
    if (!in_order) state->abandon();
    PMPI_Comm_delete_attr(state->comm(), state_key);
  }
  drop_known_groups();
  print_report();
  keep_experience();
  return MPI_SUCCESS;
}

int make_key() {
  refuse_another_mpi();
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_state, &state_key, nullptr);
  return state_key;
}

bool watch_end() {
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_of_program, &key, nullptr);
  return PMPI_Comm_set_attr(MPI_COMM_SELF, key, &book()) == MPI_SUCCESS;
}

CachedState* look_up(MPI_Comm comm) {
  if (!may_ask_about(comm)) return nullptr;
  static const int key = make_key();
  void* attribute = nullptr;
  int found = 0;
  if (PMPI_Comm_get_attr(comm, key, &attribute, &found) != MPI_SUCCESS || !found) return nullptr;
  return static_cast<CachedState*>(attribute);
}

CommState* state_of(const CachedState* entry) { return entry ? entry->state.get() : nullptr; }

}  // namespace

constinit std::atomic<std::uint64_t> forgotten_states{0};

CommState* look_up_state(MPI_Comm comm) {
  const std::uint64_t now = forgotten_states.load(std::memory_order_relaxed);
  CommState* state = state_of(look_up(comm));
  if (state) found_states[handle_place(comm)] = {comm, state, now};
  return state;
}

CommState* make_state(MPI_Comm comm) {
  if (is_over) return nullptr;
  const bool of_world = has_world();
  if (of_world) [[maybe_unused]]
    static const bool watched = watch_end();
  CachedState* entry = new CachedState{0, std::make_shared<CommState>(comm), of_world};
  {
    std::lock_guard guard(book().lock);
    entry->number = book().next++;
    book().states[entry->number] = entry->state.get();
  }
  PMPI_Comm_set_attr(comm, state_key, entry);
  return entry->state.get();
}

std::shared_ptr<CommState> share_state(MPI_Comm comm) {
  const CachedState* entry = look_up(comm);
  return entry ? entry->state : nullptr;
}

}  // namespace atrium::mpi
