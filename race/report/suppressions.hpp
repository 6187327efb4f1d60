// Suppresses reports, by a file of patterns that the user gives.
// SPDX-License-Identifier: BSD-3-Clause
//
//     # old code, issue 12
//     function  legacy_*
//     file      third_party.c
//     line      heat.c:88
//     routine   shmem_*_p
//     variable  scratch
//
// A report is left out when one line fits one of its sides. ATRIUM_RACES_SUPPRESS names the file.
#pragma once

#include "race/shadow/shared_memory.hpp"

namespace atrium::race {

bool suppressed(const RaceReport& report);

}  // namespace atrium::race
