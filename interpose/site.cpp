// The names of the routines.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/site.hpp"

#include <cstddef>

namespace atrium::interpose {
namespace {

constexpr const char* names[] = {
    "?", "load", "store", "atomic", "lock",
#define INTERPOSED_ROUTINE(name, operation) #name,
#include "interpose/generated/routines.inc"
#undef INTERPOSED_ROUTINE
};

constexpr const char* operations[] = {
    "?", "load", "store", "atomic", "lock",
#define INTERPOSED_ROUTINE(name, operation) #operation,
#include "interpose/generated/routines.inc"
#undef INTERPOSED_ROUTINE
};

}  // namespace

const char* name_of(Routine routine) {
  return routine < Routine::count ? names[static_cast<size_t>(routine)] : "?";
}

const char* operation_of(Routine routine) {
  return routine < Routine::count ? operations[static_cast<size_t>(routine)] : "?";
}

}  // namespace atrium::interpose
