// The state before the first session.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/job.hpp"

namespace atrium::race {

CheckedJob job;
bool working = false, following = false, threads_exist = false, threads_unseen = false;

}  // namespace atrium::race
