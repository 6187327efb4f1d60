// Where in the program's sources a PE waits, and for which variable.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "launch/process/job_segment.hpp"
#include "launch/process/pes.hpp"

namespace atrium {

struct WaitPlace {
  std::string routine;   // "shmem_barrier_all"; empty: unknown
  std::string place;     // "heat.c:41 in main", "main of heat" or "./heat+0x1189"; empty: unknown
  std::string variable;  // "`flag`"; empty: unknown
  std::string
      block;  // "the word 8 bytes into its block of 64 bytes, allocated at heat.c:12 in main,"; empty: in none
};

// PEs that wait at the same place of the same program are looked up once.
class WaitPlaces {
 public:
  const WaitPlace& find(pid_t process, const WaitDetails& wait);

 private:
  std::map<std::string, WaitPlace> known_;
};

// All that the user is shown of the wait of one PE, also when its process cannot be read any more.
struct PlacedWait {
  int pe;
  uint64_t since_ns;  // of the wait that is meant
  WaitDetails details;
  WaitPlace place;
  std::string host;  // empty on one host
};

// The description of a wait that its PE has published, with the line and the name of the word in place of addresses.
std::string words_with_place(const std::string& text, const WaitPlace& found);

// Of the PEs of this host that wait or poll. Debugging information is read: that may take some seconds.
std::vector<PlacedWait> place_waits(const JobSegment& segment, const Pes& pes, const Registered& registered);

}  // namespace atrium
