// From init to the finalize that ends it: a session. A program may have several, one after the other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "interpose/library.hpp"
#include "race/model/collectives.hpp"
#include "race/model/site.hpp"

namespace atrium::race {

void note_init(const Site& site);
bool ends_session();  // this finalize matches the first init; those within (9.1.4) are barriers
void note_finalize(const Site& site);
void note_exit();

template <class Run>
auto init(Site site, Run run) {
  interpose::need_library();
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    note_init(site);
  } else {
    const auto status = run();
    if (status == 0) note_init(site);
    return status;
  }
}
template <class Run>
void finalize(Site site, Run run) {
  if (!ends_session()) return barrier_all(site, run);
  note_finalize(site);
  run();
}
template <class Run>
[[noreturn]] void global_exit(Site, Run run) {
  note_exit();
  run();
  __builtin_unreachable();
}

}  // namespace atrium::race
