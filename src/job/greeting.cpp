// Prints what SHMEM_VERSION and SHMEM_INFO ask for, and notes misspelt variables.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/greeting.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/log.hpp"
#include "core/privilege.hpp"
#include "core/settings.hpp"
#include "job/network.hpp"
#include "lobby/lobby.hpp"
#include "shmem/constants.h"
#include "topology/placement.hpp"

namespace atrium {
namespace {

void print_version() {
  std::printf("%s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
}

void print_settings() {
  for (const Setting& entry : all_settings()) {
    std::printf("%-26s %-24s %s\n", entry.name, given(entry.name) ? "(given)" : "(default)",
                setting(entry.name).c_str());
    std::printf("    %s [%s; default %s]\n", entry.meaning, entry.kind,
                *entry.fallback ? entry.fallback : "unset");
  }
}

void note_misspelt_variables() {
  if (flag_setting("ATRIUM_QUIET")) return;
  for (const Misspelt& variable : misspelt_variables())
    warn(variable.name + " is no variable of Atrium" +
         (variable.nearest.empty() ? "; SHMEM_INFO=1 lists them"
                                   : "; did you mean " + variable.nearest + "?"));
}

}  // namespace

void greet() {
  // Into a pipe, the C library would hold output back until the buffer is full; users expect each line when
  // it is printed.
  if (trusted_variable(job_variable::lines)) std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  ::unsetenv(job_variable::lines);
  if (placement.me() != 0) return;
  note_misspelt_variables();
  if (present("SHMEM_VERSION") || present("SHMEM_INFO")) print_version();
  if (present("SHMEM_INFO")) print_settings();
  if (const std::string network = describe_network(); present("SHMEM_INFO") && !network.empty())
    std::printf("between nodes              %s\n", network.c_str());
  std::fflush(stdout);
}

}  // namespace atrium
