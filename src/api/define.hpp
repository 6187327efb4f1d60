// What the generated files in api/generated/ share: the public declarations and the way a twin is named.
// SPDX-License-Identifier: BSD-3-Clause
//
// pshmem_X is the strong definition. shmem_X is a weak alias of it, so that a tool may define shmem_X,
// statically or preloaded. atrium_away_X is what inlined code calls when it cannot finish in place: it goes
// through the public shmem_X, so that the tool sees that call too.
#pragma once

#include <complex>
#include <cstddef>

#include "context/context.hpp"
#include "pshmem.h"
#include "team/team.hpp"

#define ATRIUM_WEAK(name, twin) extern decltype(twin) name __attribute__((weak, alias(#twin)))
