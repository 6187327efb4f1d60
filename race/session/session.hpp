// From init to the finalize that ends it: a session. A program may have several, one after the other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/site.hpp"

namespace atrium::race {

void note_init(const interpose::Site& site);
bool ends_session();  // this finalize matches the first init; those within (9.1.4) are barriers
void note_finalize(const interpose::Site& site);
void note_exit();

}  // namespace atrium::race
