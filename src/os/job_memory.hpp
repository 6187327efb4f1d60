// Memory for a job that lives behind a descriptor and has no name anywhere, so that nothing can be left behind
// (base/atrium_nameless_memory.hpp), and what is to be said where it cannot be had.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "core/result.hpp"

namespace atrium {

// An empty, readable and writable, close-on-exec descriptor that several processes can map; the caller sizes
// it. The first of the ways below that works here.
Result<int> create_job_memory();

Result<int> create_memfd();
// A file that never had a name, on the file system of `directory`.
Result<int> create_unnamed_file(const char* directory);
// A file where POSIX shared memory objects lie, mode 0600: without a name, or where the file system cannot do that, with
// one that is gone before this returns.
Result<int> create_unlinked_shm();

// Makes the file `bytes` long.
Result<void> size_file(int descriptor, size_t bytes);
// 0 where there is none.
size_t size_of_file(int descriptor);

// Whether it lies where memory is scarcer than the machine's: a mounted tmpfs and a disk have a size, the kernel's own file system,
// where memory files live, has none.
Result<bool> has_size_limit(int descriptor);
// Memory for [offset, offset + length) really exists when this succeeds: touching it cannot raise SIGBUS. `what`: of the error.
Result<void> commit_file(int descriptor, size_t length, size_t offset, const char* what);

}  // namespace atrium
