// The network cards of this host that move data by themselves.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace atrium {

// The names of what lies in a folder, in their order; none where it cannot be read.
std::vector<std::string> entries_of(const std::string& folder);

// The names of those that have an active port, as the kernel calls them: mlx5_0, rxe0, hfi1_0. `folder` is where it lists them.
std::vector<std::string> active_rdma_devices(const std::string& folder = "/sys/class/infiniband");
// All.
std::vector<std::string> rdma_devices(const std::string& folder = "/sys/class/infiniband");

// False where the kernel lists no card of any kind: of InfiniBand, RoCE, Omni-Path, EFA, or Slingshot.
bool may_have_cards(const std::string& classes = "/sys/class");

// Why a program cannot reach other hosts by verbs, though there is a device; empty where there is none, or nothing is in the way.
// `files` is where the kernel has what programs open.
std::string obstacle_to_verbs(const std::string& folder = "/sys/class/infiniband",
                              const std::string& files = "/dev/infiniband");

// "mlx5_0, rxe0".
std::string text_of_devices(const std::vector<std::string>& devices);

}  // namespace atrium
