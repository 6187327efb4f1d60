// Which PE waited for the store or signal of which other one: the flows of the trace, added up by PEs and lines.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "profile/buffer/record_buffer.hpp"
#include "profile/report/model.hpp"
#include "profile/report/places.hpp"

namespace atrium::profile {

// Most time first; of what the trace has kept.
std::vector<EndedWaitRow> ended_waits(const RecordBuffer& buffer, const Scale& scale, Places& places);

}  // namespace atrium::profile
