// Where an operation takes place: the one way from (context, symmetric address, PE) to a peer's memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.  A target is *here*, at an address of this process, or *away*, on another node, where a transport leads
//         (transport/address.hpp).
// A target that exists may be used: a context without a team and a PE that does not exist have ended the job with
// a message, and so has, with ATRIUM_CHECK=1, memory that is not symmetric. Nothing else in ops/ looks at a
// context's deltas (tools/lint/seam). So this is also the place where every access that is not inlined can be
// noted: look_at() sees them all, and costs a branch that is not taken while that is off.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/check.hpp"
#include "context/context.hpp"
#include "transport/address.hpp"
#include "transport/away.hpp"
#include "wait/park.hpp"

namespace atrium {

// What an operation wants of symmetric memory.
struct Wanted {
  const char* argument;  // its name, for messages
  size_t bytes;
  size_t alignment;
};

class Target {
 public:
  // `mine` is my copy of what is wanted of PE `pe` of the context's team. (Inline even where the compiler doubts it:
  // then the description is written only when it is needed.)
  [[gnu::always_inline]] Target(Context& ctx, const void* mine, int pe, const Wanted& wanted)
      : Target(ctx, mine, pe) {
    if (checking()) look_at(mine, wanted);
  }
  // For memory that the library has looked at.
  [[gnu::always_inline]] Target(Context& ctx, const void* mine, int pe)
      : ctx_(ctx), mine_(const_cast<void*>(mine)), pe_(pe) {
    if (__builtin_expect(!ctx.team, 0)) refuse_context();
    if (__builtin_expect(static_cast<unsigned>(pe) >= static_cast<unsigned>(ctx.team->size), 0))
      refuse_pe(pe, ctx.team->size);
    delta_ = ctx.delta[pe];
    if (!atrium::is_here(delta_)) delta_ = ctx.team->delta_of(pe);
  }

  bool is_here() const { return atrium::is_here(delta_); }

  // For a target that is here.
  ptrdiff_t delta() const { return delta_; }
  void* memory() const { return there(mine_, delta_); }
  void announce(size_t bytes) const { notify(delta_, mine_, bytes); }

  // For a target that is away.
  AwayTransport& transport() const { return away_to(world_pe()); }
  RemoteAddress address() const { return remote_address(mine_, world_pe()); }
  Context& context() const { return ctx_; }

  // What is there, to be held against memory of mine; nothing of it where the PE is away.
  Pieces pieces(const char* argument, size_t bytes, size_t count = 1, ptrdiff_t step = 0) const {
    return {argument, is_here() ? memory() : nullptr, bytes, is_here() ? count : 0,
            static_cast<size_t>(step)};
  }

 private:
  int world_pe() const { return ctx_.team->world_pe(pe_); }
  static void look_at(const void* mine, const Wanted& wanted) {
    require_symmetric(wanted.argument, mine, wanted.bytes, wanted.alignment);
  }

  Context& ctx_;
  void* mine_;
  int pe_;
  ptrdiff_t delta_;
};

}  // namespace atrium
