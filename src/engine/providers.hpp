// What is known about libfabric's providers: which to prefer, which to refuse, and their traps.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

namespace atrium {

struct Provider {
  enum class Use { chosen_first, by_name, refused };
  const char* name;  // as libfabric spells it
  Use use;
  bool connected;      // each peer costs a connection
  bool fd_works;       // its wait descriptor is readable only when there is something
  bool over_tcp;       // a peer's address is that of a socket of TCP, which listens
  bool needs_card;     // interfaces without a card of its kind, such as loopback, are nothing to it
  const char* remark;  // why it stands where it stands
};

// In the order in which they are tried.
std::span<const Provider> known_providers();
// Null for one that is not in the table.
const Provider* find_provider(std::string_view name);

}  // namespace atrium
