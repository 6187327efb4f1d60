// Creates the memory that the PEs' records lie in, and maps it.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/buffer/record_buffer.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "atrium_hash.hpp"
#include "atrium_nameless_memory.hpp"

namespace atrium::profile {
namespace {

constexpr size_t system_page = 4096;

size_t whole_pages(size_t bytes) { return (bytes + system_page - 1) / system_page * system_page; }

void* map(int fd, size_t bytes) {
  void* const base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (base == MAP_FAILED) return nullptr;
  madvise(base, bytes, MADV_DONTDUMP);
  return base;
}

bool write_head(int fd, int pes, uint64_t events, size_t page) {
  void* const base = map(fd, system_page);
  if (!base) return false;
  Head* const head = new (base) Head{};
  head->page_bytes = page;
  head->bytes = system_page + static_cast<size_t>(pes) * page;
  head->pes = static_cast<uint32_t>(pes);
  head->source = best_tick_source();
  head->events = events;
  head->begin = moment_now(head->source);
  head->magic.store(buffer_magic, std::memory_order_release);  // SYNC record-buffer
  munmap(base, system_page);
  return true;
}

}  // namespace

uint64_t team_key(const std::vector<int>& members, uint64_t incarnation) {
  uint64_t key = hash_of_nothing + incarnation;
  for (const int pe : members) key = add_to_hash(key, static_cast<uint64_t>(pe + 1));
  return key | 1;
}

uint64_t recorded_ticks(const Page& page, uint64_t now) {
  const uint64_t paused = page.paused_since, until = paused != 0 ? std::min(paused, now) : now;
  const uint64_t before = page.begin + page.paused_ticks;
  return until > before ? until - before : 0;
}

int create_record_buffer(int pes, size_t event_bytes) {
  const auto count = static_cast<size_t>(pes);
  const uint64_t events = event_bytes / sizeof(Event);
  const size_t page = whole_pages(sizeof(Page) + count * sizeof(Peer) + events * sizeof(Event));
  const int fd = make_nameless_memory("atrium-records", system_page + count * page);
  if (fd >= 0 && !write_head(fd, pes, events, page)) return close(fd), -1;
  return fd;
}

RecordBuffer open_record_buffer(int fd) {
  struct stat about {};
  if (fstat(fd, &about) != 0 || static_cast<size_t>(about.st_size) <= system_page) return {};
  const auto bytes = static_cast<size_t>(about.st_size);
  void* const base = map(fd, bytes);
  if (!base) return {};
  Head& head = *static_cast<Head*>(base);
  if (head.magic.load(std::memory_order_acquire) == buffer_magic &&
      head.bytes == bytes)  // SYNC record-buffer
    return RecordBuffer(base);
  munmap(base, bytes);
  return {};
}

}  // namespace atrium::profile
