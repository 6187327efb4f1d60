// How a reader of a slot of the race checker's shadow finds a time and a place that belong together (race/model/publish.hpp). The
// place has to be read before the time is read again.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/slot.hpp"

extern "C" uint64_t place_before_time(const atrium::race::Slot* slot, uint64_t* time);

uint64_t place_before_time(const atrium::race::Slot* slot, uint64_t* time) {
  const uint64_t place = slot->where().word();
  *time = slot->when().word();
  return place;
}
