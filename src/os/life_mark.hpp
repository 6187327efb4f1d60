// A mark that a process sets on a shared file, and that the kernel takes away when the process ends, however it does.
// SPDX-License-Identifier: BSD-3-Clause
//
// It is a record lock (fcntl(2)) behind the file's end: a child of fork() does not inherit it, and whoever asks is told
// the process id as he himself sees it, also across PID namespaces. It goes as well when the process closes any
// descriptor of the file or executes another program.
#pragma once

#include <sys/types.h>

namespace atrium {

void set_life_mark(int descriptor, int number);

// The process that has set the mark; 0 when there is none.
pid_t find_life_mark(int descriptor, int number);

}  // namespace atrium
