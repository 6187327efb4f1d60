// The network cards of this host that move data by themselves.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace atrium {

// The names of those that have an active port, as the kernel calls them: mlx5_0, rxe0, hfi1_0. `folder` is where it lists them.
std::vector<std::string> active_rdma_devices(const std::string& folder = "/sys/class/infiniband");

}  // namespace atrium
