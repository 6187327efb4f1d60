// Recognises a child of fork() by its process id.
// SPDX-License-Identifier: BSD-3-Clause
#include "core/forked_child.hpp"

#include <unistd.h>

namespace atrium {
namespace {

pid_t the_pe = 0;  // 0: none yet

}  // namespace

void be_the_pe() { the_pe = getpid(); }

bool is_forked_child() { return the_pe != 0 && getpid() != the_pe; }

}  // namespace atrium
