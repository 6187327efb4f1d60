// The two writers; each is left out of a build that lacks its library.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/trace/flows.hpp"
#include "profile/trace/trace.hpp"

namespace atrium::profile {

std::optional<TraceProblem> missing_for_json();
std::optional<TraceProblem> write_json(const TraceRequest& request, const TimeLine& line,
                                       const std::vector<Flow>& flows);

std::optional<TraceProblem> missing_for_otf2();
std::optional<TraceProblem> write_otf2(const TraceRequest& request, const TimeLine& line,
                                       const std::vector<Flow>& flows);
// What a viewer of an archive opens.
std::string anchor_of(const std::string& path);

}  // namespace atrium::profile
