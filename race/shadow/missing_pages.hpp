// Says what to do where the memory of a shadow has run out.
// SPDX-License-Identifier: BSD-3-Clause
//
// A shadow has many times the bytes of what it is a shadow of, and most of them are never touched. So its pages cannot be had before
// they are needed. Where a file system of limited size holds it (there are no memory files, and /dev/shm is small), the kernel
// sends SIGBUS for a page that it has not got.
#pragma once

#include <cstddef>

namespace atrium::race {

// From now on a page that is missing there ends the process with a message. `file`: what is mapped there.
void watch_pages(int file, const void* begin, size_t bytes);
// Before something else is mapped there.
void forget_pages(const void* begin);

}  // namespace atrium::race
