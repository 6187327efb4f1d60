// Keeps the state of a communicator as an attribute of it: freed with it, and not copied to duplicates.
// SPDX-License-Identifier: BSD-3-Clause
#include "cache/cache.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "atrium_message.h"
#include "cache/ending.hpp"
#include "choice/experience_book.hpp"
#include "comm/group_book.hpp"
#include "report/report.hpp"
#include "settings/settings.hpp"
#include "settings/which_mpi.hpp"

namespace atrium::mpi {
namespace {

// Carried by the attribute, and kept by the book.
struct CachedState {
  using List = std::list<std::shared_ptr<CachedState>>;

  CachedState(MPI_Comm comm, int peers, bool between_init_and_finalize)
      : state(comm, peers), of_world(between_init_and_finalize) {}

  CommState state;
  bool of_world;         // made between MPI_Init and MPI_Finalize
  List::iterator place;  // in the book, unless the end of the program has taken it out
};

// All states in the order in which they were made, which is the same on all ranks of any two communicators: the first call on
// one is collective.
struct CommStates {
  std::mutex lock;
  CachedState::List states;
  bool are_taken = false;  // by the end of the program
};

CommStates& book() {
  static CommStates* book = new CommStates;  // outlives every destructor
  return *book;
}

// Null if the end of the program has it already.
std::shared_ptr<CachedState> leave_book(const CachedState& entry) {
  std::lock_guard guard(book().lock);
  if (book().are_taken) return nullptr;
  std::shared_ptr<CachedState> left = std::move(*entry.place);
  book().states.erase(entry.place);
  return left;
}

// A state that was made by what MPI_Finalize calls back, when the end of the program had gone by. Much of the MPI has gone
// when its turn comes: Open MPI cannot free a window any more.
bool is_too_late(const CachedState& entry) { return entry.of_world && !has_world(); }

std::atomic<int> state_key{MPI_KEYVAL_INVALID};
std::atomic<bool> is_over{false};
std::atomic<bool> has_begun{false};  // with a state that was made in the world, which lasts until is_over

int forget_state(MPI_Comm comm, int, void* attribute, void*) {
  CachedState& entry = *static_cast<CachedState*>(attribute);
  forget_found();
  const std::shared_ptr<CachedState> unfiled =
      leave_book(entry);  // it goes when this ends, or with a persistent request
  if (is_too_late(entry))
    entry.state.abandon();
  else if (unfiled)
    Note(entry.state).file();
  entry.state.leave_comm();
  if (!is_over && !SeenEnd::is_of(comm)) mark_unseen_end(comm);
  return MPI_SUCCESS;
}

CachedState::List empty_book() {
  std::lock_guard guard(book().lock);
  book().are_taken = true;
  return std::move(book().states);
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
// then. Its attributes go from the newest to the oldest, which is ours where MPI_Init called watch_end(). With
// threads the order of states is not the same on all ranks: all notes are begun before one is waited for, and
// what is freed collectively, which would block, is left.
int end_of_program(MPI_Comm, int, void*, void*) {
  is_over = true;
  const bool in_order = !has_threads();
  CachedState::List states = empty_book();
  std::list<Note> notes;
  for (const auto& entry : states) notes.emplace_back(entry->state);
  for (Note& note : notes) note.file();
  for (; !states.empty(); states.pop_front()) {
    CommState& state = states.front()->state;
    if (!in_order) state.abandon();
    PMPI_Comm_delete_attr(state.comm(), state_key);
  }
  drop_known_groups();
  if (!has_begun) return MPI_SUCCESS;
  print_report();
  keep_experience();
  return MPI_SUCCESS;
}

int make_key() {
  refuse_another_mpi();
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_state, &key, nullptr);
  state_key = key;
  return key;
}

bool hang_on_self() {
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_of_program, &key, nullptr);
  return PMPI_Comm_set_attr(MPI_COMM_SELF, key, &book()) == MPI_SUCCESS;
}

bool is_in_book(MPI_Comm comm) {
  std::lock_guard guard(book().lock);
  return std::any_of(book().states.begin(), book().states.end(),
                     [comm](const auto& entry) { return entry->state.comm() == comm; });
}

CachedState* look_up(MPI_Comm comm) {
  if (!may_ask_about(comm)) return nullptr;
  static const int key = make_key();
  void* attribute = nullptr;
  int found = 0;
  if (PMPI_Comm_get_attr(comm, key, &attribute, &found) != MPI_SUCCESS || !found) return nullptr;
  return static_cast<CachedState*>(attribute);
}

}  // namespace

void watch_end() { [[maybe_unused]] static const bool is_watched = hang_on_self(); }

// What the book does not have, the MPI is not asked about: the handle may be none.
void end_state(MPI_Comm comm) {
  if (!is_over && is_in_book(comm)) PMPI_Comm_delete_attr(comm, state_key);
}

CommState* look_up_state(MPI_Comm comm) {
  const std::uint64_t now = forgotten_states.load(std::memory_order_relaxed);
  CachedState* entry = look_up(comm);
  if (!entry) return nullptr;
  found_states[handle_place(comm)] = {comm, &entry->state, now};
  return &entry->state;
}

CommState* make_state(MPI_Comm comm, int peers) {
  if (is_over || is_ending(comm)) return nullptr;
  if (!has_begun && has_world()) {
    watch_end();
    has_begun = true;
  }
  const auto entry = std::make_shared<CachedState>(comm, peers, has_begun);
  {
    std::lock_guard guard(book().lock);
    entry->place = book().states.insert(book().states.end(), entry);
  }
  PMPI_Comm_set_attr(comm, state_key, entry.get());
  found_states[handle_place(comm)] = {comm, &entry->state, forgotten_states.load(std::memory_order_relaxed)};
  return &entry->state;
}

std::shared_ptr<CommState> share_state(MPI_Comm comm) {
  CachedState* entry = look_up(comm);
  return entry ? std::shared_ptr<CommState>(*entry->place, &entry->state) : nullptr;
}

}  // namespace atrium::mpi
