// What symbols/ says of an instruction of a file: its place, and the routine of shmem.h that was inlined there.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: words FILE ADDRESS
#include <cstdio>
#include <cstdlib>

#include "symbols/look_up.hpp"

int main(int, char** words) {
  const uint64_t address = std::strtoull(words[2], nullptr, 16);
  const atrium::SourcePlace found = atrium::look_up_place(words[1], address).value_or(atrium::SourcePlace{});
  std::printf("%s|%s\n", atrium::place_in_file(found, words[1], address).text().c_str(),
              found.routine.c_str());
}
