// Connects an endpoint to the lobby, to the log and to those who sleep.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/endpoint_host.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "atrium_machine.h"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "job/node_view.hpp"
#include "job/watch.hpp"

namespace atrium {
namespace {

// A connection breaks most often as a PE ends, of which the launcher knows more: it ends this one, too, before networks are blamed.
// What the system has refused to this PE, or its program has done, breaks connections of others.
constexpr unsigned patience_with_launcher_s = 3;

void fail_later(void*, const Error& error) {
  if (error.number == 0) ::sleep(patience_with_launcher_s);
  fatal(error);
}

}  // namespace

Result<EndpointHost> host_of_endpoint(const Bootstrap& bootstrap, LobbyVisit& lobby, NodeMemory& memory) {
  auto seconds = seconds_setting("ATRIUM_NET_TIMEOUT");
  if (!seconds) return seconds.error();
  auto& wait = lobby.lobby().waits()[bootstrap.placement().place()];
  EndpointHost host;
  host.traffic = &wait.traffic;
  host.wake = wake_pe_in;
  host.subject = &memory;
  host.fail = fail_later;
  host.note = [](void*, const std::string& text) { note(text); };
  if (flag_setting("ATRIUM_DEBUG")) host.trace = note;
  host.now_ns = [] { return static_cast<uint64_t>(atrium_now_ns()); };
  host.timeout_ns = nanoseconds_of(*seconds);
  // Who gives a time means it. Otherwise a cut network ends a job sooner than the default does, and what is stopped is waited for:
  // our launcher knows which of the two it is, and elsewhere the other host's kernel is asked.
  if (given("ATRIUM_NET_TIMEOUT").value_or("").empty()) {
    host.liveness = &wait.liveness;
    if (may_watch(bootstrap))
      host.cut_off = end_cut_off;
    else
      host.timeout_ns = UINT64_MAX;
  }
  return host;
}

}  // namespace atrium
