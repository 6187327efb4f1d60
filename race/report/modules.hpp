// Where the OpenSHMEM library lies, so that its own frames are not taken for the program's.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::race {

void learn_library();

}  // namespace atrium::race
