// Creates, queries and destroys contexts, and keeps those of a destroyed team from being used.
// SPDX-License-Identifier: BSD-3-Clause
#include "context/context.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "arch/fence.hpp"
#include "arena/delta_table.hpp"
#include "check/check.hpp"
#include "check/handles.hpp"
#include "check/leaks.hpp"
#include "core/never_destroyed.hpp"
#include "core/per_pe.hpp"
#include "team/world.hpp"
#include "transport/away.hpp"
#include "transport/pending.hpp"

namespace atrium {

// Public, under the name that include/shmem/types.h gives it.
extern constinit ATRIUM_PER_PE Exported<Context, 256> exported_context __asm__("atrium_default_context_1")
    __attribute__((visibility("default")));
constinit Exported<Context, 256> exported_context(atrium_context{nowhere_table(), calls_must_be_seen},
                                                  nowhere_table());
constinit Context& default_context = exported_context.object;
Context invalid_context{{nowhere_table(), calls_must_be_seen}, nowhere_table()};

namespace {

constexpr size_t least_retired = 64;  // of those destroyed last; where arguments are checked, all

// Inlined code reads a context before the library can look whether it is alive. So a destroyed one stays for a while, unusable:
// every call on it comes to the library, which refuses it. Then a new context takes its place.
class RetiredContexts {
 public:
  void add(Context* context) {
    if (checking()) return kept_.push_back(context);
    if (count_ == std::size(last_)) delete take_oldest();
    last_[(first_ + count_++) % std::size(last_)] = context;
  }
  void* memory_for_new() {
    return count_ > least_retired ? take_oldest() : ::operator new(sizeof(Context), std::nothrow);
  }

 private:
  Context* take_oldest() {
    --count_;
    return last_[std::exchange(first_, (first_ + 1) % std::size(last_))];
  }

  Context* last_[2 * least_retired] = {};
  size_t first_ = 0, count_ = 0;
  std::vector<Context*> kept_;
};

// The lock guards the lists of contexts of all teams, too: creation is rare, and a team has no lock of its own.
struct ContextRegistry {
  std::mutex lock;
  HandleSet alive;
  RetiredContexts retired;
};
ATRIUM_CONSTINIT_VECTOR NeverDestroyed<ContextRegistry> kept_contexts;
ContextRegistry& registry = kept_contexts.object;

// Completes what is under way, before a context is destroyed.
void complete(Context& context) {
  if (pending_on(context) != 0) any_away().quiet(context);
  full_fence();
}

// Requires: the registry is locked, and the context is in no list of its team any more.
void retire(Context* context) {
  registry.alive.erase(context);
  forget_made(context);
  context->inline_delta = context->delta = nowhere_table();
  context->pending = calls_must_be_seen;
  context->team = nullptr;
  registry.retired.add(context);
}

// One that was made last is likely to go first.
void strike_off(Context* context) {
  auto& all = context->team->contexts;
  all.erase(std::next(std::find(all.rbegin(), all.rend(), context)).base());
}

// A team that goes takes its contexts along, forgotten ones included: shareable ones are the library's to
// free, and private ones that their owner should have destroyed are of no more use to anybody.
void destroy_contexts_of(Team& team) {
  for (Context* context : team.contexts) complete(*context);
  std::lock_guard guard(registry.lock);
  for (Context* context : team.contexts) retire(context);
  team.contexts.clear();
}

void watch_teams() {
  static const bool watched = (on_team_destroy(destroy_contexts_of), true);
  (void)watched;
}

Context* make_context(Team& team, long options) {
  std::lock_guard guard(registry.lock);
  void* const memory = registry.retired.memory_for_new();
  if (!memory) return nullptr;
  auto* const context = new (memory) Context;
  context->inline_delta = team.inline_delta;
  context->pending = team.inline_delta == team.delta ? 0 : calls_must_be_seen;
  context->delta = team.delta;
  context->team = &team;
  context->options = options;
  team.contexts.push_back(context);
  registry.alive.insert(context);
  return context;
}

}  // namespace

bool is_living_context(const void* handle) {
  std::lock_guard guard(registry.lock);
  return registry.alive.contains(handle);
}

void require_context(shmem_ctx_t handle) {
  if (handle != SHMEM_CTX_INVALID && handle != &default_context && !is_living_context(handle))
    refuse_context();
}

int team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* ctx) {
  require_result("ctx", ctx);
  *ctx = SHMEM_CTX_INVALID;
  if (!team) return 1;
  if (checking()) {
    require_team(team);
    require_known_bits("options", options, SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE,
                       "SHMEM_CTX_SERIALIZED, _PRIVATE and _NOSTORE, joined by |, or 0");
  }
  if (team->size == 0) return 1;
  watch_teams();
  Context* context = make_context(*team, options);
  if (!context) return 1;
  remember_made(Made::context, context);
  *ctx = context;
  return 0;
}

int ctx_create(long options, shmem_ctx_t* ctx) { return team_create_ctx(&world_team, options, ctx); }

void ctx_destroy(shmem_ctx_t ctx) {
  if (ctx == SHMEM_CTX_INVALID) return;
  if (ctx == &default_context) return checking() ? refuse_end_of("SHMEM_CTX_DEFAULT") : void();
  std::unique_lock hold(registry.lock);
  if (!registry.alive.contains(ctx)) {
    hold.unlock();
    refuse_context();
  }
  auto* context = static_cast<Context*>(ctx);
  strike_off(context);
  if (pending_on(*context) != 0) {  // then its quiet may take its time
    registry.alive.erase(context);
    hold.unlock();
    any_away().quiet(*context);
    hold.lock();
  }
  full_fence();  // destruction includes a quiet
  retire(context);
}

int ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team) {
  require_result("team", team);
  *team = context_of(ctx).team;
  return *team ? 0 : 1;
}

void ctx_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t* config,
                       long config_mask) {
  if (ctx == SHMEM_CTX_INVALID) return;
  Context& context = context_of(ctx);
  context.session_options |= options;
  if (config && (config_mask & SHMEM_CTX_SESSION_TOTAL_OPS)) context.session.total_ops = config->total_ops;
}

void ctx_session_stop(shmem_ctx_t ctx) {
  if (ctx == SHMEM_CTX_INVALID) return;
  Context& context = context_of(ctx);
  context.session_options = 0;
  context.session = {SIZE_MAX};
}

}  // namespace atrium

// For who cannot take an address: Fortran, and programs compiled when the handle was a variable.
#undef SHMEM_CTX_DEFAULT
extern "C" {
__attribute__((visibility("default"))) shmem_ctx_t SHMEM_CTX_DEFAULT = &atrium::exported_context.object;
}
