// Computes the fingerprint of the settings in force, and lists those that this PE was given.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/common_settings.hpp"

#include <string>

#include "atrium_hash.hpp"
#include "atrium_settings.h"
#include "core/settings.hpp"

namespace atrium {
namespace {

template <class Visit>
void each_common_setting(Visit visit) {
  for (const Setting& entry : all_settings())
    if (entry.is_common) visit(std::string(entry.name));
}

}  // namespace

uint32_t fingerprint_of_common_settings() {
  std::string text;
  each_common_setting([&](const std::string& name) { text += setting(name) + '\n'; });
  for (char& letter : text) letter = atrium_small_letter(letter);
  const uint64_t hash = hash_of(text);
  return static_cast<uint32_t>(hash ^ hash >> 32);
}

Error different_settings() {
  std::string mine;
  each_common_setting([&](const std::string& name) {
    if (const auto text = given(name)) mine += (mine.empty() ? "" : " ") + name + "=" + *text;
  });
  return Error{"the PEs of this job were given different settings",
               "by these they choose the steps that they take together: here " +
                   (mine.empty() ? "nothing is set" : mine) + ", and elsewhere not the same",
               "comparing the settings",
               "the same variables for all PEs (Open MPI's mpirun hands one on to other hosts by -x NAME)"};
}

}  // namespace atrium
