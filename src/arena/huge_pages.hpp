// Backing large blocks with 2 MiB pages, without root and without system settings.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace atrium {

// Puts 2 MiB pages behind the whole huge pages inside the block of my heap, as ATRIUM_HUGE_PAGES says and as
// far as they can be had. Asks the kernel once for each: a block that is freed and allocated again keeps
// them. The owner calls it. `owners`: how many PEs do the same at this moment.
void back_with_huge_pages(void* begin, size_t bytes, int owners);

// The memory behind this part of my heap has been given back.
void forget_huge_pages(const void* begin, size_t bytes);

// Why the kernel has just refused to make some.
std::string why_no_huge_pages();

// Bytes so backed since init, for SHMEM_INFO and atrium-info.
size_t huge_bytes();

}  // namespace atrium
