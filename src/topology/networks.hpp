// Which network the hosts of a job share.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace atrium {

// `networks`: of each host, "10.77.0.1/24" for each of its interfaces. The address of each host in the first network that
// all of them are in, under addresses that differ (a bridge for containers has the same one everywhere); nothing where
// there is none.
std::vector<std::string> addresses_in_common(const std::vector<std::vector<std::string>>& networks);

// The network with this address of the host's comes first, if there is one; the others keep their order.
void put_first(std::vector<std::string>& networks, const std::string& address);

}  // namespace atrium
