// Included in front of each source of src/wire when it is compiled for a model: words of memory are steps. What is pending has
// a model of its own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wire/pending.hpp"
// clang-format off: what comes before is compiled as it is
#include "explorer/words.hpp"
