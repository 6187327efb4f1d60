// Stands in for otf2.cpp in a build without the OTF2 library's headers, or with the library as a static archive alone.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/writers.hpp"

namespace atrium::profile {

std::optional<TraceProblem> missing_for_otf2() {
  return TraceProblem{"this oshrun was built without OTF2",
                      "a build where it is installed (libopen-trace-format2-dev), or --trace=NAME.json"};
}

std::optional<TraceProblem> write_otf2(const TraceRequest&, const TimeLine&, const std::vector<Flow>&) {
  return missing_for_otf2();
}

}  // namespace atrium::profile
