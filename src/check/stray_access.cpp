// Computes the address that the program has passed from the address at which the fault occurred.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/stray_access.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "arena/arena.hpp"
#include "arena/views.hpp"
#include "atrium_words.hpp"
#include "check/caller.hpp"
#include "core/forked_child.hpp"
#include "core/log.hpp"
#include "os/address_owner.hpp"
#include "os/fault.hpp"
#include "symbols/mappings.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

struct Stray {
  int pe;             // whose copy was wanted
  uintptr_t address;  // the program's own
  bool has_owner;     // something is there
};

constexpr const char* of_another_pe = "memory of another PE, as shmem_ptr gives it";

uintptr_t before(uintptr_t address, int pe) { return address - static_cast<uintptr_t>(arena.delta[pe]); }

// How far an address is behind the end of a range that it is nearest to, or in front of it.
size_t distance_to(const SymmetricRange& range, uintptr_t address) {
  const auto begin = reinterpret_cast<uintptr_t>(range.begin), end = begin + range.bytes;
  return address >= end ? address - end : begin - address;
}

const SymmetricRange& nearest_range(uintptr_t address) {
  return *std::min_element(std::begin(arena.ranges), std::end(arena.ranges), [&](auto& a, auto& b) {
    return distance_to(a, address) < distance_to(b, address);
  });
}

std::string owner_of_mine(uintptr_t address, uintptr_t stack_pointer) {
  return is_in_views(address) ? of_another_pe : owner_of(address, stack_pointer).value_or("memory");
}

bool is_likelier(const Stray& a, const Stray& b) {
  if (a.has_owner != b.has_owner) return a.has_owner;
  return distance_to(nearest_range(a.address), a.address) < distance_to(nearest_range(b.address), b.address);
}

// Towards which PE? An address that some memory of mine has is likelier than another, and then one near to symmetric memory.
// Most faults are none of these, and malloc may be what they have interrupted: nothing here takes a block.
std::optional<Stray> find_stray(uintptr_t touched) {
  std::optional<Stray> likeliest;
  for (const int pe : placement.pes_here()) {
    const uintptr_t address = before(touched, pe);  // of nothing, if it was never named
    if (pe == placement.me() || arena.delta[pe] == ATRIUM_AWAY ||
        arena.is_symmetric(reinterpret_cast<void*>(address)))
      continue;
    const Stray stray{pe, address, has_readable_memory(this_process(), address)};
    if (!likeliest || is_likelier(stray, *likeliest)) likeliest = stray;
  }
  const bool is_sure = is_in_views(touched) || (likeliest && likeliest->has_owner);
  return is_sure ? likeliest : std::nullopt;
}

[[noreturn]] void refuse_owned(const Stray& stray, std::string call, const std::string& owner) {
  fatal(Error{"an address is not in symmetric memory",
              hexadecimal(stray.address) + " is " + owner + ", of which PE " + std::to_string(stray.pe) +
                  " has no copy",
              std::move(call),
              owner == of_another_pe
                  ? "the address that the object has here, or a plain store to the one of shmem_ptr"
                  : "a global or static variable of the executable, or memory from shmem_malloc"});
}

[[noreturn]] void refuse_behind(const Stray& stray, std::string call) {
  const SymmetricRange& range = nearest_range(stray.address);
  const bool behind = stray.address >= reinterpret_cast<uintptr_t>(range.begin);
  fatal(Error{"an address is not in symmetric memory",
              hexadecimal(stray.address) + " on PE " + std::to_string(stray.pe) + " is " +
                  std::to_string(distance_to(range, stray.address)) + " bytes " +
                  (behind ? "behind the end of " : "in front of ") + range.name,
              std::move(call),
              "a smaller index or number of elements; oshrun --check tells the object that is left"});
}

}  // namespace

void refuse_stray_access(const siginfo_t& info, const void* context) {
  const auto touched = faulting_address(info, context);
  if (!touched || arena.heap().bytes == 0 || arena.delta[placement.me()] != 0 || is_forked_child()) return;
  const auto stray = find_stray(*touched);
  if (!stray) return;
  std::string call = describe_interrupted_call(context);
  if (!stray->has_owner) refuse_behind(*stray, std::move(call));
  refuse_owned(*stray, std::move(call), owner_of_mine(stray->address, stack_pointer(context)));
}

}  // namespace atrium
