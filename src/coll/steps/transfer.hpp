// Moving data between members: by copies where a member is here, by the transport where it is on another node.
// SPDX-License-Identifier: BSD-3-Clause
//
// `place` and `source` are my addresses of symmetric memory. What goes through the transport may be under way when
// these return: settle() waits until all of it is there. A sync does so by itself (coll/barrier).
#pragma once

#include "copy/copy.hpp"
#include "team/block.hpp"
#include "team/team.hpp"
#include "transport/away.hpp"
#include "transport/pending.hpp"

namespace atrium {

namespace detail {
void put_away(const Team& team, int member, const void* place, const void* data, size_t bytes);
void get_away(const Team& team, int member, void* dest, const void* source, size_t bytes);
void settle_away();
}  // namespace detail

inline void put_to(const Team& team, int member, void* place, const void* data, size_t bytes) {
  if (team.is_here(member))
    copy_to_peer(team.there(place, member), data, bytes);
  else
    detail::put_away(team, member, place, data, bytes);
}

inline void get_from(const Team& team, int member, void* dest, const void* source, size_t bytes) {
  if (team.is_here(member))
    copy(dest, team.there(source, member), bytes);
  else
    detail::get_away(team, member, dest, source, bytes);
}

// Puts data into one member's symmetric memory and, behind it in the same message, raises a flag in the block of another process of
// that node: of member `member` of the team `team`.
struct FlagBeside {
  const Team& team;
  int member;
  const Epoch& flag;
  uint64_t epoch;
};
void put_with_flag_beside(const Team& team, int member, const void* place, const void* data, size_t bytes,
                          const FlagBeside& flag, Next next);

// Blocks at regular distances, of a member on another node.
void put_strided_away(const Team& team, int member, void* place, const void* data, const Strides& strides);
void get_strided_away(const Team& team, int member, void* dest, const void* source, const Strides& strides);

inline void settle() {
  if (__builtin_expect(pending_on(collective_context) != 0, 0)) detail::settle_away();
}

// Gets that are waited for apart from all others. Of members on other nodes.
class Fetches {
 public:
  void get_from(const Team& team, int member, void* dest, const void* source, size_t bytes);
  void settle();

 private:
  atrium_context context_{nullptr, 0};
};

// What a member has at `source`, to be read: where it lies, or brought into `buffer` (`bytes` of it).
inline const std::byte* look_at(const Team& team, int member, const void* source, size_t bytes,
                                std::byte* buffer) {
  if (team.is_here(member)) return static_cast<const std::byte*>(team.there(source, member));
  detail::get_away(team, member, buffer, source, bytes);
  settle();
  return buffer;
}

}  // namespace atrium
