// What each family of routines means to the check; the generated wrappers call these.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each function is told where it was called and which memory it concerns, and runs the routine itself by `run`. While
// nothing is checked it does only that.
#pragma once

#include "race/model/collectives.hpp"
#include "race/model/memory.hpp"
#include "race/model/synchronising.hpp"
#include "race/model/transfers.hpp"
#include "race/session/session.hpp"
