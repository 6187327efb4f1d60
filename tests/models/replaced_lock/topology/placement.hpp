// Stands in front of src/topology/placement.hpp when a model is compiled: each thread is a PE of one node.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "explorer/explorer.hpp"

namespace atrium {

struct Placement {
  int me() const { return model::this_thread(); }
  int pes() const { return pes_; }
  int place() const { return me(); }
  int places() const { return pes_; }
  int pes_ = 1;
};
inline Placement placement;

}  // namespace atrium
