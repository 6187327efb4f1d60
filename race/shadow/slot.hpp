// An access as the shadow records it: by which lane, when, which bytes, of which kind, and where in the program.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "race/clock/clock.hpp"

namespace atrium::race {

// The bits of an access's kind.
enum AccessKind : uint8_t {
  is_read = 0,
  is_write = 1,
  is_atomic = 2,
  class_shift = 2,    // three bits: the type of an atomic
  domain_shift = 5,   // two bits: the atomicity domain (OpenSHMEM 1.6, 3.2)
  is_flaglike = 128,  // what programs use on flags: wait, test, a volatile load; a put of a single element
};

// Types that may be accessed by atomics at a time: integers of a size, or one floating-point type.
enum class TypeClass : uint8_t { int32, int64, float32, float64, int8, int16 };

constexpr uint8_t atomic_kind(TypeClass type, unsigned domain) {
  return static_cast<uint8_t>(is_atomic | static_cast<unsigned>(type) << class_shift |
                              (domain & 3) << domain_shift);
}

// Where an access is in the program: routine, module, offset of the calling instruction, and the size as well as ten
// bits can say it. One word, equal on all PEs for the same place of the same program.
class Origin {
 public:
  Origin() = default;
  explicit Origin(uint64_t word) : word_(word) {}
  Origin(unsigned routine, unsigned module, uint32_t offset, size_t bytes)
      : word_(static_cast<uint64_t>(routine) << 52 | static_cast<uint64_t>(module & 63) << 46 |
              static_cast<uint64_t>(pack(bytes)) << 32 | offset) {}

  uint64_t word() const { return word_; }
  unsigned routine() const { return static_cast<unsigned>(word_ >> 52); }
  unsigned module() const { return static_cast<unsigned>(word_ >> 46 & 63); }
  uint32_t offset() const { return static_cast<uint32_t>(word_); }
  size_t bytes() const { return unpack(static_cast<unsigned>(word_ >> 32 & 0x3fff)); }
  uint64_t place() const { return word_ & ~(uint64_t{0x3fff} << 32); }  // without the size

 private:
  // Five bits of exponent above nine of mantissa, as floating-point numbers have them: exact up to 1,023, then rounded down.
  static constexpr unsigned pack(size_t bytes) {
    if (bytes < 512) return static_cast<unsigned>(bytes);
    unsigned shift = 0;
    for (; bytes >= 1024; bytes >>= 1) ++shift;
    return (shift + 1 < 32 ? shift + 1 : 31) << 9 | static_cast<unsigned>(bytes - 512);
  }
  static constexpr size_t unpack(unsigned packed) {
    const unsigned exponent = packed >> 9;
    return exponent == 0 ? packed : (size_t{512} + (packed & 511)) << (exponent - 1);
  }
  uint64_t word_ = 0;
};

// When, by which lane, which bytes of eight, and what kind of access; zero: none.
class Epoch {
 public:
  Epoch() = default;
  explicit Epoch(uint64_t word) : word_(word) {}
  Epoch(Tick tick, Lane lane, uint8_t mask, uint8_t kind)
      : word_(static_cast<uint64_t>(tick) << 32 | static_cast<uint64_t>(lane) << 16 |
              static_cast<uint64_t>(mask) << 8 | kind) {}

  uint64_t word() const { return word_; }
  bool empty() const { return word_ == 0; }
  Tick tick() const { return static_cast<Tick>(word_ >> 32); }
  Lane lane() const { return static_cast<Lane>(word_ >> 16); }
  uint8_t mask() const { return static_cast<uint8_t>(word_ >> 8); }
  uint8_t kind() const { return static_cast<uint8_t>(word_); }
  Epoch of(uint8_t other_mask) const {
    return Epoch((word_ & ~uint64_t{0xff00}) | uint64_t{other_mask} << 8);
  }
  bool alike(Epoch other) const { return static_cast<uint32_t>(word_) == static_cast<uint32_t>(other.word_); }

 private:
  uint64_t word_ = 0;
};

// Whether two accesses to common bytes are a race when neither is ordered before the other.
inline bool conflict(Epoch a, Epoch b) {
  if ((a.mask() & b.mask()) == 0 || ((a.kind() | b.kind()) & is_write) == 0) return false;
  if ((a.kind() & b.kind() & is_atomic) == 0) return true;
  if ((a.kind() | b.kind()) & is_flaglike)
    return false;  // waits and tests see what any atomic operation wrote
  return ((a.kind() ^ b.kind()) & ~(is_write | is_flaglike)) != 0;  // another type, another domain
}

// Written as a whole, so that no reader gets the time of one access and the place of another.
struct alignas(16) Slot {
  uint64_t epoch;
  uint64_t origin;

  Epoch when() const { return Epoch(__atomic_load_n(&epoch, __ATOMIC_ACQUIRE)); }
  // Acquire, so that a when() that follows is read later: a reader asks again to learn whether the two belong together.
  Origin where() const { return Origin(__atomic_load_n(&origin, __ATOMIC_ACQUIRE)); }

  // False: another thread was faster.
  bool replace(Epoch old_epoch, Origin old_origin, Epoch now, Origin at) {
    using Both = unsigned __int128;
    typedef Both __attribute__((may_alias)) Whole;
    const Both expected = static_cast<Both>(old_origin.word()) << 64 | old_epoch.word();
    const Both wanted = static_cast<Both>(at.word()) << 64 | now.word();
    return __sync_bool_compare_and_swap(reinterpret_cast<Whole*>(this), expected, wanted);
  }
};

// The last accesses to eight bytes.
struct alignas(64) ShadowLine {
  Slot slot[4];
};

// The last accesses to whole sectors of a page, where a bit of their masks is a sector, and which sectors have been
// accessed in parts.
struct alignas(64) ShadowPage {
  static constexpr int slots = 3;

  Slot slot[slots];
  uint32_t has_lines;  // a bit for each sector: a part of it was accessed
  // A bit for each sector: it was accessed as a whole. Above them, how often slots' contents have moved.
  uint32_t has_slots;
  // In a heap: of which state of its blocks (Board::heap_changes) all of the page is known to be allocated and written; 0:
  // not known.
  uint64_t sound;
};

inline constexpr size_t page_bytes = 4096;
inline constexpr size_t sector_bytes = page_bytes / 8;
inline constexpr size_t lines_of_sector = sector_bytes / 8;

}  // namespace atrium::race
