// Atrium's own windows (mpi/window): their flags and barriers are atomics of a library that nobody has instrumented.
// SPDX-License-Identifier: BSD-3-Clause
//
// The program's calls come here first, because the check is linked in front of that library.
#include <atrium/node_window.h>
#include <dlfcn.h>

#include <cstring>
#include <vector>

#include "interpose/say.hpp"
#include "race/model/site.hpp"
#include "race/model/word.hpp"
#include "race/mpi/call.hpp"
#include "race/mpi/clocks.hpp"
#include "race/mpi/program.hpp"
#include "race/mpi/ranks.hpp"
#include "race/mpi/windows.hpp"

// Of that library, which few programs have.
#pragma weak atrium_window_comm
#pragma weak atrium_window_part
#pragma weak atrium_window_size

namespace atrium::race {
namespace {

template <class Function>
Function* next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (!found) interpose::give_up("libatrium-window is not loaded: link it, too");
  return reinterpret_cast<Function*>(found);
}

unsigned number_of(const char* name) {
  unsigned number = 0;
  while (number + 1 < mpi_routines_count && std::strcmp(mpi_routines[number], name) != 0) ++number;
  return number;
}

Origin here_in_program(const char* name, void* caller) {
  const auto routine = static_cast<Routine>(static_cast<unsigned>(Routine::first_own) + number_of(name));
  return origin_of(Site{routine, caller}, 0);
}

// The letter of a post, which the wait for it takes.
Ranks ranks_of_window(const atrium_window* window) {
  return working && window ? ranks_of(atrium_window_comm(window)) : nullptr;
}

void release_post(const atrium_window* window, int rank) {
  const Ranks ranks = ranks_of_window(window);
  const int pe = ranks ? ranks->on_node(rank) : elsewhere;
  if (pe == elsewhere) return;
  settle_polled(here());
  release(here(), post(pe, job.me, next_post(key_of(window), rank)));
  end_release(here());
}

void acquire_post(const atrium_window* window, int rank, Origin origin) {
  const Ranks ranks = ranks_of_window(window);
  const int pe = ranks ? ranks->on_node(rank) : elsewhere;
  if (pe != elsewhere) acquire(here(), post(job.me, pe, next_wait(key_of(window), rank)), origin.word());
}

template <class Run>
int meeting(MpiCall call, Run run) {
  before(call);
  ++nesting;
  const int status = run();
  --nesting;
  after(call, status);
  return status;
}

template <class Run>
int meeting(const char* name, const atrium_window* window, void* caller, Run run) {
  return meeting({number_of(name), OrderKind::meeting, caller,
                  working && window ? atrium_window_comm(window) : MPI_COMM_NULL},
                 run);
}

void begin(const atrium_window* window, Origin made) {
  std::vector<WindowPart> parts;
  for (int rank = 0; rank < atrium_window_size(window); ++rank) {
    void* base = nullptr;
    size_t bytes = 0;
    atrium_window_part(window, rank, &base, &bytes);
    parts.push_back({reinterpret_cast<uintptr_t>(base), bytes});
  }
  begin_window(key_of(window), atrium_window_comm(window), parts, made);
}

template <class Run>
int make(const char* name, MPI_Comm comm, atrium_window** window, void* caller, Run run) {
  const int status = meeting({number_of(name), OrderKind::meeting, caller, comm}, run);
  if (working && status == MPI_SUCCESS) begin(*window, here_in_program(name, caller));
  return status;
}

}  // namespace

}  // namespace atrium::race

using namespace atrium::race;

#define HERE __builtin_return_address(0)
#define NEXT(name) static auto* const theirs = next<decltype(name)>(#name)
#pragma GCC visibility push(default)
extern "C" {

int atrium_window_create(MPI_Comm comm, size_t bytes, const atrium_window_options* options,
                         atrium_window** window) {
  NEXT(atrium_window_create);
  return make("atrium_window_create", comm, window, HERE,
              [&] { return theirs(comm, bytes, options, window); });
}

int atrium_window_create_per_node(MPI_Comm comm, size_t bytes, const atrium_window_options* options,
                                  atrium_window** window) {
  NEXT(atrium_window_create_per_node);
  return make("atrium_window_create_per_node", comm, window, HERE,
              [&] { return theirs(comm, bytes, options, window); });
}

int atrium_window_post(atrium_window* window, int rank) {
  NEXT(atrium_window_post);
  release_post(window, rank);
  return theirs(window, rank);
}

int atrium_window_wait(atrium_window* window, int rank) {
  NEXT(atrium_window_wait);
  ++nesting;
  const int status = theirs(window, rank);
  --nesting;
  if (working && status == MPI_SUCCESS)
    acquire_post(window, rank, here_in_program("atrium_window_wait", HERE));
  return status;
}

int atrium_window_test(atrium_window* window, int rank, int* done) {
  NEXT(atrium_window_test);
  ++nesting;
  const int status = theirs(window, rank, done);
  --nesting;
  if (working && status == MPI_SUCCESS && *done)
    acquire_post(window, rank, here_in_program("atrium_window_test", HERE));
  return status;
}

int atrium_window_barrier(atrium_window* window) {
  NEXT(atrium_window_barrier);
  return meeting("atrium_window_barrier", window, HERE, [&] { return theirs(window); });
}

int atrium_window_fence(atrium_window* window) {
  NEXT(atrium_window_fence);
  return meeting("atrium_window_fence", window, HERE, [&] { return theirs(window); });
}

int atrium_window_freeze(atrium_window* window) {
  NEXT(atrium_window_freeze);
  return meeting("atrium_window_freeze", window, HERE, [&] { return theirs(window); });
}

// What its ranks did before is common to all who meet in the end. A window that is not freed stays one.
int atrium_window_free(atrium_window** window) {
  NEXT(atrium_window_free);
  const uint64_t key = key_of(window ? *window : nullptr);
  const int status = meeting("atrium_window_free", nullptr, HERE, [&] { return theirs(window); });
  if (working && status == MPI_SUCCESS) end_window(forget_window(key));
  return status;
}

}  // extern "C"
#pragma GCC visibility pop
