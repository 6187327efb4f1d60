// Creates, queries and destroys contexts, and keeps those of a destroyed team from being used.
// SPDX-License-Identifier: BSD-3-Clause
#include "context/context.hpp"

#include <algorithm>
#include <mutex>
#include <new>
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

// Guards the lists of contexts of all teams: creation is rare, and a team has no lock of its own.
ATRIUM_PER_PE std::mutex registrar;

// Completes what is under way, before a context is destroyed.
void complete(Context& context) {
  if (pending_on(context) != 0) any_away().quiet(context);
  full_fence();
}

void enlist(Context* context) {
  std::lock_guard guard(registrar);
  context->team->contexts.push_back(context);
  register_handle(context);
}

// False when another thread has taken it off already.
bool strike_off(Context* context) {
  std::lock_guard guard(registrar);
  auto& all = context->team->contexts;
  const auto found = std::find(all.begin(), all.end(), context);
  if (found == all.end()) return false;
  all.erase(found);
  forget_handle(context);
  return true;
}

struct Retired {
  std::mutex lock;
  std::vector<Context*> contexts;
};
constinit NeverDestroyed<Retired> kept_retired;
constexpr std::ptrdiff_t least_retired = 64;  // of those destroyed last; where arguments are checked, all

// Inlined code reads a context before the library can look whether it is alive. So a destroyed one stays for a while, unusable:
// every call on it comes to the library, which refuses it.
void retire(Context* context) {
  context->inline_delta = context->delta = nowhere_table();
  context->pending = calls_must_be_seen;
  context->team = nullptr;
  Retired& retired = kept_retired.object;
  const std::lock_guard hold(retired.lock);
  retired.contexts.push_back(context);
  if (checking() || std::ssize(retired.contexts) < 2 * least_retired) return;
  const auto first = retired.contexts.begin(), last = first + least_retired;
  std::for_each(first, last, [](const Context* old) { delete old; });
  retired.contexts.erase(first, last);
}

// A team that goes takes its contexts along, forgotten ones included: shareable ones are the library's to
// free, and private ones that their owner should have destroyed are of no more use to anybody.
void destroy_contexts_of(Team& team) {
  std::lock_guard guard(registrar);
  for (Context* context : team.contexts) {
    forget_handle(context);
    forget_made(context);
    complete(*context);
    retire(context);
  }
  team.contexts.clear();
}

void watch_teams() {
  static const bool watched = (on_team_destroy(destroy_contexts_of), true);
  (void)watched;
}

Context* make_context(Team& team, long options) {
  auto* context = new (std::nothrow) Context;
  if (!context) return nullptr;
  context->inline_delta = team.inline_delta;
  context->pending = team.inline_delta == team.delta ? 0 : calls_must_be_seen;
  context->delta = team.delta;
  context->team = &team;
  context->options = options;
  return context;
}

}  // namespace

void require_context(shmem_ctx_t handle) {
  if (handle != SHMEM_CTX_INVALID && handle != &default_context && !is_known_handle(handle)) refuse_context();
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
  enlist(context);
  remember_made(Made::context, context);
  *ctx = context;
  return 0;
}

int ctx_create(long options, shmem_ctx_t* ctx) { return team_create_ctx(&world_team, options, ctx); }

void ctx_destroy(shmem_ctx_t ctx) {
  if (ctx == SHMEM_CTX_INVALID) return;
  if (ctx == &default_context) return checking() ? refuse_end_of("SHMEM_CTX_DEFAULT") : void();
  require_context(ctx);
  auto* context = static_cast<Context*>(ctx);
  complete(*context);  // destruction includes a quiet
  if (!strike_off(context)) return;
  forget_made(context);
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
