// Looks for the address in the maps of the node's other processes.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/foreign_address.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "arena/views.hpp"
#include "atrium_words.hpp"
#include "core/forked_child.hpp"
#include "core/log.hpp"
#include "os/address_owner.hpp"
#include "os/fault.hpp"
#include "symbols/mappings.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

constexpr uintptr_t first_page_of_anybody =
    1 << 16;                    // below it lie null pointers and their members (vm.mmap_min_addr)
constexpr int most_asked = 64;  // whose maps are read: it is a crash that waits

pid_t (*process_at)(int) = nullptr;

struct Foreign {
  int pe;
  std::string owner;
};

std::optional<Foreign> find_foreign(uintptr_t address) {
  const int places = std::min(placement.places(), most_asked);
  for (int place = 0; place < places; ++place) {
    const pid_t process = place == placement.place() ? 0 : process_at(place);
    if (process <= 0 || !has_readable_memory(process, address)) continue;
    if (auto owner = owner_in(process, address))
      return Foreign{placement.pes_here()[static_cast<size_t>(place)], std::move(*owner)};
  }
  return std::nullopt;
}

}  // namespace

void know_neighbours_by(pid_t (*process)(int place)) { process_at = process; }

// It takes no block before it is known that there is something to be said: the fault may have interrupted malloc.
void explain_foreign_address(const siginfo_t& info, const void* context) {
  const auto address = faulting_address(info, context);
  if (!address || *address < first_page_of_anybody || !process_at || is_forked_child() ||
      is_in_views(*address) || has_readable_memory(this_process(), *address))
    return;
  if (const auto foreign = find_foreign(*address))
    warn(hexadecimal(*address) + " is an address of PE " + std::to_string(foreign->pe) + ": " +
         foreign->owner +
         ". Here is nothing; try oshrun --same-addresses, or sending offsets instead of addresses");
}

}  // namespace atrium
