// Tries things on this machine, so that atrium-info can say what works here and not only what is built in.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "segment/segment.hpp"

namespace atrium {

// "works", or why not.
std::string probe_segment(const SegmentKind& kind);
std::string probe_huge_pages();

// The libraries that are opened at run time: whether they are here, and which version.
std::string probe_pmix();
std::string probe_hwloc();
std::string probe_otf2();  // what oshrun writes OTF2 archives with

}  // namespace atrium
