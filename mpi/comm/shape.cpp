// Asks the MPI and the machine once for what all communicators have in common.
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/shape.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "settings/which_mpi.hpp"

namespace atrium::mpi {
namespace {

// The first word on processors that /proc has on x86; elsewhere the name of the architecture.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  utsname names{};
  uname(&names);
  return names.machine;
}

// The same machine and the same software have the same one.
std::string describe_surroundings() {
  std::string text = std::string("Atrium " ATRIUM_VERSION ", ") + version_of_mpi() + ", " + processor() +
                     " x " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN));
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

// Nodes by their ranks: "2 nodes of 4".
std::string describe_nodes(const Nodes& nodes) {
  std::map<int, int> by_size;
  std::string text;
  for (const Node& node : nodes.all) ++by_size[node.size()];
  for (const auto& [size, count] : by_size)
    text += ", " + std::to_string(count) + " nodes of " + std::to_string(size);
  return text;
}

}  // namespace

std::string describe_shape(const Nodes& nodes, const Settings& settings, bool has_processors, bool can_read) {
  static const std::string surroundings = describe_surroundings();
  return surroundings + describe_nodes(nodes) + (has_processors ? "" : " sharing processors") + ", " +
         std::to_string(settings.leaders) + " leaders" +
         (settings.segment == NodeSegmentKind::window ? ", windows" : "") +
         (settings.node_ranks ? ", pretended" : "") + (can_read ? ", reading" : "");
}

}  // namespace atrium::mpi
