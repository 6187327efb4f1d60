// Computes the fingerprint of the settings in force, and lists those that this PE was given.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/common_settings.hpp"

#include <string>

#include "atrium_hash.hpp"
#include "atrium_settings.h"
#include "core/settings.hpp"

namespace atrium {
namespace {

constexpr const char* names[] = {
    "SHMEM_BARRIER_ALGORITHM", "SHMEM_BCAST_ALGORITHM",    "SHMEM_REDUCE_ALGORITHM",
    "SHMEM_COLLECT_ALGORITHM", "SHMEM_FCOLLECT_ALGORITHM", "SHMEM_ALLTOALL_ALGORITHM",
    "SHMEM_SCAN_ALGORITHM",    "ATRIUM_LEADERS",           "ATRIUM_DOMAINS"};

}  // namespace

uint32_t fingerprint_of_common_settings() {
  std::string text;
  for (const char* name : names) text += setting(name) + '\n';
  for (char& letter : text) letter = atrium_small_letter(letter);
  const uint64_t hash = hash_of(text);
  return static_cast<uint32_t>(hash ^ hash >> 32);
}

Error different_settings() {
  std::string mine;
  for (const char* name : names)
    if (const auto text = given(name)) mine += (mine.empty() ? "" : " ") + std::string(name) + "=" + *text;
  return Error{"the PEs of this job were given different settings",
               "by these they choose the steps that they take together: here " +
                   (mine.empty() ? "nothing is set" : mine) + ", and elsewhere not the same",
               "comparing the settings",
               "the same variables for all PEs (Open MPI's mpirun hands one on to other hosts by -x NAME)"};
}

}  // namespace atrium
