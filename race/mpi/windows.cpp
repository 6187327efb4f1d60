// Makes a file for the shadow of a window, which all of its ranks map, and a region for each rank's part.
// SPDX-License-Identifier: BSD-3-Clause
//
//     | rank 0's part: pages, lines | rank 1's part: pages, lines | ...
#include "race/mpi/windows.hpp"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "atrium_mpi_handles.h"
#include "atrium_mpi_last_words.h"
#include "interpose/blocks.hpp"
#include "interpose/say.hpp"
#include "race/model/job.hpp"
#include "race/mpi/clocks.hpp"
#include "race/mpi/ranks.hpp"
#include "race/shadow/region.hpp"
#include "race/shadow/room.hpp"

namespace atrium::race {

struct SeenWindow {
  uint64_t key;
  uint32_t number;
  char* base;
  size_t bytes;
  std::vector<uint16_t> regions;
  std::vector<uint64_t> blocks;
  std::vector<uint64_t> posts, waits;  // by rank
  std::vector<int> exclusive;          // the ranks whose parts this process has locked so
};

namespace {

SpinLock windows_lock;
std::vector<SeenWindow*>& windows = *new std::vector<SeenWindow*>;

size_t whole_pages(size_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }
size_t bytes_of_pages(size_t part) {
  return whole_pages(whole_pages(part) / page_bytes * sizeof(ShadowPage));
}
size_t bytes_of_lines(size_t part) { return whole_pages(part) / 8 * sizeof(ShadowLine); }

// What the rank that makes the shadow tells the others.
struct Announcement {
  SharedFile file;
  uint32_t number;
};

Announcement announce(size_t bytes) { return {{getpid(), make_room(bytes)}, clocks->windows.fetch_add(1)}; }

[[noreturn]] void give_up() {
  atrium_let_launcher_read();
  PMPI_Abort(MPI_COMM_WORLD, 1);
  _exit(1);
}

// A window that cannot be checked is none that passed the check.
void map_shadow(SeenWindow& window, MPI_Comm comm, int rank) {
  Announcement made{};
  if (rank == 0) made = announce(window.bytes);
  PMPI_Bcast(&made, sizeof made, MPI_BYTE, 0, comm);
  window.number = made.number;
  if (made.file.fd >= 0)
    window.base = rank == 0 ? map_room(made.file.fd, window.bytes) : open_room(made.file, window.bytes);
  if (!window.base)
    say_no_room("no memory for the shadow of a window",
                "smaller windows or fewer ranks; shadow counts against ulimit -v and -f");
  int mapped = window.base != nullptr, all = 0;
  PMPI_Allreduce(&mapped, &all, 1, MPI_INT, MPI_MIN, comm);
  if (rank == 0 && made.file.fd >= 0) close(made.file.fd);
  if (!all) give_up();
}

// Requires: the lock.
SeenWindow* find(uint64_t key) {
  const auto found =
      std::find_if(windows.begin(), windows.end(), [&](const SeenWindow* one) { return one->key == key; });
  return found == windows.end() ? nullptr : *found;
}

// A part is called by the number of its window and of its owner.
uint64_t first_byte(uint32_t window, int owner) {
  return (uint64_t{window} % 32768 + 1) << 47 | static_cast<uint64_t>(owner) << 40;
}

}  // namespace

uint64_t key_of(MPI_Win win) { return static_cast<uint32_t>(PMPI_Win_c2f(win)); }

std::vector<WindowPart> parts_of(MPI_Win win, MPI_Comm comm) {
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  std::vector<WindowPart> parts;
  for (int rank = 0; rank < ranks; ++rank) {
    MPI_Aint bytes = 0;
    int unit = 0;
    void* base = nullptr;
    PMPI_Win_shared_query(win, rank, &bytes, &unit, &base);
    parts.push_back({reinterpret_cast<uintptr_t>(base), static_cast<size_t>(bytes)});
  }
  return parts;
}

void begin_window(uint64_t key, MPI_Comm comm, const std::vector<WindowPart>& parts, Origin made) {
  const Ranks ranks = ranks_of(comm);
  if (!ranks || !ranks->is_here) return;
  auto* window = new SeenWindow{key, 0, nullptr, page_bytes, {}, {}, {}, {}, {}};
  window->posts.resize(parts.size());
  window->waits.resize(parts.size());
  for (const WindowPart& part : parts)
    window->bytes += bytes_of_pages(part.bytes) + bytes_of_lines(part.bytes);
  map_shadow(*window, comm, ranks->rank);
  char* at = window->base;
  for (size_t rank = 0; rank < parts.size(); ++rank) {
    const WindowPart& part = parts[rank];
    const int owner = ranks->members[rank];
    if (part.bytes == 0) continue;
    ShadowRegion region{part.begin, part.bytes, owner, true, nullptr, nullptr};
    region.pages = reinterpret_cast<ShadowPage*>(at);
    region.lines = reinterpret_cast<ShadowLine*>(at + bytes_of_pages(part.bytes));
    region.first = first_byte(window->number, owner);
    at += bytes_of_pages(part.bytes) + bytes_of_lines(part.bytes);
    interpose::add_block(reinterpret_cast<void*>(region.first), part.bytes, Origin(made).word());
    window->blocks.push_back(region.first);
    window->regions.push_back(add_region(region));
  }
  std::lock_guard guard(windows_lock);
  windows.push_back(window);
}

SeenWindow* forget_window(uint64_t key) {
  std::lock_guard guard(windows_lock);
  SeenWindow* const window = find(key);
  std::erase(windows, window);
  return window;
}

void end_window(SeenWindow* window) {
  if (!window) return;
  for (const uint16_t region : window->regions) remove_region(region);
  for (const uint64_t block : window->blocks) interpose::end_block(reinterpret_cast<void*>(block), 0);
  unmap_room(window->base, window->bytes);
  delete window;
}

Common& clock_of(MPI_Win win, bool shared_locks) {
  std::lock_guard guard(windows_lock);
  const SeenWindow* const window = find(key_of(win));
  return window ? clocks->window[window->number % window_places][shared_locks] : clocks->everyone;
}

uint64_t next_post(uint64_t key, int rank) {
  std::lock_guard guard(windows_lock);
  SeenWindow* const window = find(key);
  return window ? window->posts[static_cast<size_t>(rank)]++ : 0;
}

uint64_t next_wait(uint64_t key, int rank) {
  std::lock_guard guard(windows_lock);
  SeenWindow* const window = find(key);
  return window ? window->waits[static_cast<size_t>(rank)]++ : 0;
}

void note_exclusive(MPI_Win win, int rank) {
  std::lock_guard guard(windows_lock);
  if (SeenWindow* const window = find(key_of(win))) window->exclusive.push_back(rank);
}

bool ends_exclusive(MPI_Win win, int rank) {
  std::lock_guard guard(windows_lock);
  SeenWindow* const window = find(key_of(win));
  return window && std::erase(window->exclusive, rank) != 0;
}

}  // namespace atrium::race
