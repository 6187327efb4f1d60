// Computes the fingerprint of the settings in force, and lists those that this PE was given.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/common_settings.hpp"

#include <algorithm>
#include <string>

#include "atrium_hash.hpp"
#include "atrium_settings.h"
#include "core/given_settings.hpp"
#include "core/settings.hpp"

namespace atrium {
namespace {

// Not only those that are there: a variable that says what holds anyway makes no difference.
std::string common_settings_in_force() {
  const auto there = settings_in_environment();
  std::string text;
  for (const Setting& entry : all_settings()) {
    if (!entry.is_common) continue;
    const bool is_there = std::binary_search(there.begin(), there.end(), &entry);
    text += is_there ? setting(entry.name) : entry.fallback;
    text += '\n';
  }
  return text;
}

}  // namespace

uint32_t fingerprint_of_common_settings() {
  std::string text = common_settings_in_force();
  for (char& letter : text) letter = atrium_small_letter(letter);
  const uint64_t hash = hash_of(text);
  return static_cast<uint32_t>(hash ^ hash >> 32);
}

Error different_settings() {
  std::string mine;
  for (const Setting& entry : all_settings())
    if (const auto text = entry.is_common ? given(entry.name) : std::nullopt)
      mine += (mine.empty() ? "" : " ") + std::string(entry.name) + "=" + *text;
  return Error{"the PEs of this job were given different settings",
               "by these they choose the steps that they take together: here " +
                   (mine.empty() ? "nothing is set" : mine) + ", and elsewhere not the same",
               "comparing the settings",
               "the same variables for all PEs (Open MPI's mpirun hands one on to other hosts by -x NAME)"};
}

}  // namespace atrium
