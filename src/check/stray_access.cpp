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
#include "topology/placement.hpp"

namespace atrium {
namespace {

struct Stray {
  int pe;             // whose copy was wanted
  uintptr_t address;  // the program's own
  std::string owner;  // what is there; empty: nothing
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
  const auto owner = owner_of(address, stack_pointer);
  return owner && is_in_views(address) ? of_another_pe : owner.value_or("");
}

bool is_likelier(const Stray& a, const Stray& b) {
  if (a.owner.empty() != b.owner.empty()) return b.owner.empty();
  return distance_to(nearest_range(a.address), a.address) < distance_to(nearest_range(b.address), b.address);
}

// Towards which PE? An address that some memory of mine has is likelier than another, and then one near to symmetric memory.
std::optional<Stray> find_stray(uintptr_t touched, uintptr_t stack_pointer) {
  std::optional<Stray> likeliest;
  for (const int pe : placement.pes_here()) {
    const uintptr_t address = before(touched, pe);  // of nothing, if it was never named
    if (pe == placement.me() || arena.delta[pe] == ATRIUM_AWAY ||
        arena.is_symmetric(reinterpret_cast<void*>(address)))
      continue;
    Stray stray{pe, address, owner_of_mine(address, stack_pointer)};
    if (!likeliest || is_likelier(stray, *likeliest)) likeliest = std::move(stray);
  }
  const bool is_sure = is_in_views(touched) || (likeliest && !likeliest->owner.empty());
  return is_sure ? likeliest : std::nullopt;
}

[[noreturn]] void refuse_owned(const Stray& stray, std::string call) {
  fatal(Error{"an address is not in symmetric memory",
              hexadecimal(stray.address) + " is " + stray.owner + ", of which PE " +
                  std::to_string(stray.pe) + " has no copy",
              std::move(call),
              stray.owner == of_another_pe
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
  const auto stray = find_stray(*touched, stack_pointer(context));
  if (!stray) return;
  std::string call = describe_interrupted_call(context);
  stray->owner.empty() ? refuse_behind(*stray, std::move(call)) : refuse_owned(*stray, std::move(call));
}

}  // namespace atrium
