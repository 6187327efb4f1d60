// Keeps in the job's tables which limits were met, and where first.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/limit.hpp"

#include "race/model/job.hpp"

namespace atrium::race {

void note_limit(unsigned limit, Origin where) {
  uint64_t nowhere = 0;
  board().limit_origin[limit].compare_exchange_strong(nowhere, where.word());
  board().limits.fetch_or(1u << limit);
}

}  // namespace atrium::race
