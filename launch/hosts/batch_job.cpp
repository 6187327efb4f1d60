// Each of these batch systems names a file with a line for each slot, or for each host with its number of slots.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/batch_job.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "core/log.hpp"
#include "launch/cli/hosts.hpp"
#include "launch/cli/nodes.hpp"

namespace atrium {
namespace {

struct BatchSystem {
  const char* name;
  const char* variable;  // holds the path of the file
};
constexpr BatchSystem systems[] = {{"PBS", "PBS_NODEFILE"},
                                   {"LSF", "LSB_DJOB_HOSTFILE"},
                                   {"Grid Engine", "PE_HOSTFILE"},
                                   {"OAR", "OAR_NODEFILE"}};

// A container has the variable of the job outside, but not its file.
void note_that_it_cannot_be_read(const BatchSystem& system, const Error& error) {
  note(std::string("this host alone is used: the hosts of the ") + system.name + " job are in " +
       system.variable + ", and oshrun " + error.what + " (" + error.because + ")");
}

}  // namespace

Result<void> take_batch_job(Options& options) {
  if (!options.hosts.empty() || !pretended_nodes(options).empty()) return {};
  for (const BatchSystem& system : systems) {
    const char* const path = std::getenv(system.variable);
    if (!path || !*path) continue;
    if (auto cannot = require_readable_host_file(path); !cannot) {
      if (!options.quiet) note_that_it_cannot_be_read(system, cannot.error());
      return {};
    }
    if (auto added = add_host_file(options, path); !added) return added;
    for (HostSlots& host : options.hosts) host.slots = std::max(host.slots, 1);  // each line is a slot
    return {};
  }
  return {};
}

}  // namespace atrium
