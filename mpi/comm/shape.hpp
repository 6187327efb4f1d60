// What communicators must have in common to learn from each other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "comm/nodes.hpp"
#include "settings/parse.hpp"

namespace atrium::mpi {

// Atrium's version, the MPI and its version, the kind of machine, ranks by node, whether each has a processor of its own,
// whether they can read each other's memory, and the settings that make an exchange cheaper or dearer. One line, without tabs.
std::string describe_shape(const Nodes& nodes, const Settings& settings, bool has_processors, bool can_read);

}  // namespace atrium::mpi
