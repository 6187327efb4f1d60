// The variant for Atrium, with whose headers tools are compiled: it needs no translation of calls.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/library.hpp"
#include "interpose/openshmem.hpp"

namespace atrium::interpose {

void learn_handles() {}
int signal_set = SHMEM_SIGNAL_SET;
void progress() {}

const char* const library_file = "libatrium.so.1";
const char* const way_to_check = "oshrun --check=races";
const char* const way_to_instrument = "oshcc -g -fatrium-race";

}  // namespace atrium::interpose
