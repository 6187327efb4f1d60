// Our own: its headers are those that tools are compiled with, and it needs no calls to go on.
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
