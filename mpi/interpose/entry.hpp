// How an entry point is defined: a function that the dynamic linker finds in front of the MPI's own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#define ATRIUM_ENTRY extern "C" __attribute__((visibility("default")))
