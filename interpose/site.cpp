// Finds the names of a routine in the generated tables of names and operations.
// SPDX-License-Identifier: BSD-3-Clause
//
// Texts lie one behind the other, and tables have where each begins: pointers, 3,600 of them, would be relocated
// whenever oshrun starts, which shows in how long a job takes.
#include "interpose/site.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace atrium::interpose {
namespace {

constexpr char names[] = "?\0load\0store\0atomic\0lock\0"
#define INTERPOSED_ROUTINE(name, operation) #name "\0"
#include "interpose/generated/routines.inc"
#undef INTERPOSED_ROUTINE
    ;

constexpr char operations[] = "?\0load\0store\0atomic\0lock\0"
#define INTERPOSED_ROUTINE(name, operation) #operation "\0"
#include "interpose/generated/routines.inc"
#undef INTERPOSED_ROUTINE
    ;

constexpr auto routines = static_cast<size_t>(Routine::count);
using Places = std::array<uint16_t, routines>;

constexpr Places places_in(const char* texts) {
  Places places{};
  size_t place = 0;
  for (uint16_t& begin : places) {
    begin = static_cast<uint16_t>(place);
    while (texts[place++] != '\0') continue;
  }
  return places;
}

static_assert(sizeof names <= UINT16_MAX && sizeof operations <= UINT16_MAX);
constexpr Places name_places = places_in(names);
constexpr Places operation_places = places_in(operations);

const char* text_of(Routine routine, const char* texts, const Places& places) {
  return texts + places[static_cast<size_t>(routine < Routine::count ? routine : Routine::unknown)];
}

}  // namespace

const char* (*name_of_own)(Routine routine) = nullptr;

const char* name_of(Routine routine) {
  if (name_of_own && routine >= Routine::first_own) return name_of_own(routine);
  return text_of(routine, names, name_places);
}
const char* operation_of(Routine routine) { return text_of(routine, operations, operation_places); }

}  // namespace atrium::interpose
