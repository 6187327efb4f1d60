// Pieces that this process exports, and those of others that it has mapped.
// SPDX-License-Identifier: BSD-3-Clause
#include "segment/exported_memory.hpp"

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include <atomic>
#include <map>
#include <mutex>
#include <new>

#include "segment/segment.hpp"

namespace atrium::mpi {
namespace {

constexpr std::size_t head_bytes = 64 << 10;  // a whole number of pages, whatever their size; touched is one
// The system has 4,096 segments for all programs: a piece is large, and a process has few.
constexpr std::size_t smallest_piece = 64 << 10;
constexpr std::size_t most_exported = 16, most_mapped = 1024;

struct ExportHead {
  std::uint64_t mark;
  std::atomic<std::uint32_t> is_freed;
};
static_assert(sizeof(ExportHead) <= head_bytes && std::atomic<std::uint32_t>::is_always_lock_free,
              "shared by processes");

struct MappedSegment {
  void* base;
  ExportHead* head() const { return static_cast<ExportHead*>(base); }
  std::byte* memory() const { return static_cast<std::byte*>(base) + head_bytes; }
};

struct ExportedPieces {
  std::mutex lock;
  std::map<std::uint64_t, ExportedMemory> exported;  // by address
  std::map<std::int64_t, MappedSegment> mapped;      // by segment
};

ExportedPieces& book() {
  static ExportedPieces* book = new ExportedPieces;  // outlives every destructor
  return *book;
}

// Spares the lock where there are none. Who has an address got it from the thread that made the piece, and sees it counted.
std::atomic<std::size_t> pieces_exported{0};

void* attach(int segment) {
  void* place = shmat(segment, nullptr, 0);
  return place == reinterpret_cast<void*>(-1) ? nullptr : place;
}

void* create(std::size_t bytes, ExportedMemory& exported) {
  const int segment = shmget(IPC_PRIVATE, bytes + head_bytes, IPC_CREAT | SHM_NORESERVE | 0600);
  if (segment < 0) return nullptr;
  void* base = attach(segment);
  shmctl(segment, IPC_RMID, nullptr);
  if (!base) return nullptr;
  const ExportHead* head = new (base) ExportHead{next_mark(), 0};
  void* memory = static_cast<std::byte*>(base) + head_bytes;
  exported = {segment, head->mark, reinterpret_cast<std::uint64_t>(memory), bytes};
  return memory;
}

// What others have freed; the lock is held.
void unmap_freed() {
  std::erase_if(book().mapped, [](const auto& each) {
    const MappedSegment& mapping = each.second;
    if (!mapping.head()->is_freed.load(std::memory_order_acquire)) return false;  // SYNC mpi-freed
    shmdt(mapping.base);
    return true;
  });
}

const MappedSegment* find_mapped(const ExportedMemory& memory) {
  const auto found = book().mapped.find(memory.segment);
  if (found == book().mapped.end()) return nullptr;
  if (found->second.head()->mark == memory.mark) return &found->second;
  shmdt(found->second.base);  // its owner is gone, and the identifier has come back
  book().mapped.erase(found);
  return nullptr;
}

// The size that the system has, not the one that the other process said: what lies behind it is no memory.
bool has_size(int segment, std::uint64_t bytes) {
  shmid_ds about{};
  return shmctl(segment, IPC_STAT, &about) == 0 && about.shm_segsz >= head_bytes &&
         bytes <= about.shm_segsz - head_bytes;
}

const MappedSegment* map_new(const ExportedMemory& memory) {
  unmap_freed();
  const int segment = static_cast<int>(memory.segment);
  if (book().mapped.size() >= most_mapped || !has_size(segment, memory.bytes)) return nullptr;
  const MappedSegment mapping{attach(segment)};
  if (!mapping.base) return nullptr;
  if (mapping.head()->mark != memory.mark) return shmdt(mapping.base), nullptr;
  return &(book().mapped[memory.segment] = mapping);
}

}  // namespace

void* allocate_exported_memory(std::size_t bytes) {
  if (bytes < smallest_piece || !is_left(bytes)) return nullptr;
  const std::lock_guard guard(book().lock);
  unmap_freed();
  ExportedMemory exported;
  void* memory = book().exported.size() < most_exported ? create(bytes, exported) : nullptr;
  if (!memory) return nullptr;
  book().exported[exported.address] = exported;
  pieces_exported.store(book().exported.size(), std::memory_order_relaxed);
  return memory;
}

bool free_exported_memory(void* memory) {
  if (!has_exported_memory()) return false;
  const std::lock_guard guard(book().lock);
  const auto found = book().exported.find(reinterpret_cast<std::uint64_t>(memory));
  if (found == book().exported.end()) return false;
  const MappedSegment mine{static_cast<std::byte*>(memory) - head_bytes};
  madvise(memory, found->second.bytes, MADV_REMOVE);
  mine.head()->is_freed.store(1, std::memory_order_release);  // SYNC mpi-freed
  shmdt(mine.base);
  book().exported.erase(found);
  pieces_exported.store(book().exported.size(), std::memory_order_relaxed);
  return true;
}

bool has_exported_memory() { return pieces_exported.load(std::memory_order_relaxed) > 0; }

ExportedMemory exported_memory_at(const void* address) {
  if (!has_exported_memory()) return {};
  const auto at = reinterpret_cast<std::uint64_t>(address);
  const std::lock_guard guard(book().lock);
  auto behind = book().exported.upper_bound(at);
  if (behind == book().exported.begin()) return {};
  const ExportedMemory& before = (--behind)->second;
  return before.holds(at, 0) ? before : ExportedMemory{};
}

const std::byte* map_exported_memory(const ExportedMemory& memory) {
  const std::lock_guard guard(book().lock);
  const MappedSegment* mapping = find_mapped(memory);
  if (!mapping) mapping = map_new(memory);
  return mapping ? mapping->memory() : nullptr;
}

}  // namespace atrium::mpi
