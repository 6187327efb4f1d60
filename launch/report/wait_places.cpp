// Looks up, by the elfutils libraries, the addresses that the PE has found on its own stack.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/wait_places.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "atrium_words.hpp"
#include "symbols/look_up.hpp"

namespace atrium {
namespace {

bool is_routine(std::string_view function) {
  return function.starts_with("shmem_") || function.starts_with("pshmem_") || function.starts_with("atrium_");
}

// As programs write it; empty: it is none. What inlined code calls of a library that is part of the program has another prefix.
std::string name_of_routine(std::string_view function) {
  for (const std::string_view prefix : {"shmem_", "pshmem_", "atrium_away_"})
    if (function.starts_with(prefix)) return "shmem_" + std::string(function.substr(prefix.size()));
  return {};
}

// "... called from ./heat+0x1189, the word at ..."
constexpr std::string_view before_place = "called from ";
size_t end_of_place(std::string_view text) { return std::min(text.find(", word"), text.find(", the word")); }

std::string place_in_words(std::string_view text) {
  const size_t begin = text.find(before_place);
  return begin == std::string_view::npos
             ? std::string()
             : std::string(text.substr(0, end_of_place(text)).substr(begin + before_place.size()));
}

// The frame that called the library. Routines of a library that is part of the program (libatrium.a, Fortran's) are only
// known by their names.
size_t find_caller(const std::vector<uint64_t>& frames, const std::vector<SourcePlace>& code,
                   uint64_t caller) {
  size_t at = static_cast<size_t>(std::find(frames.begin(), frames.end(), caller) - frames.begin());
  if (at == frames.size()) at = 0;
  for (size_t i = at; i < code.size(); ++i)
    if (is_routine(code[i].function)) at = i + 1;
  return at;
}

// With the line; without lines by the function and the file of `known`, which is "./heat+0x1189"; as it is known where there are no
// names.
std::string in_words(SourcePlace code, const std::string& known) {
  if (!code.has_line()) code.module = known.substr(0, std::min(known.rfind("+0x"), known.size()));
  return code.has_line() || !(code.function.empty() || code.module.empty()) ? code.text() : known;
}

// Where the line is unknown, by where the block lies.
std::string describe_block(const WaitDetails& wait, const SourcePlace& allocated) {
  if (wait.block_bytes == 0) return {};
  const std::string word =
      wait.block_into == 0 ? "the first word of" : "the word " + counted(wait.block_into, "byte") + " into";
  const std::string block = word + " its block of " + counted(wait.block_bytes, "byte");
  if (!allocated.has_line() || is_routine(allocated.function))
    return block + ", which begins " + counted(wait.block_at, "byte") + " into the symmetric heap,";
  return block + ", allocated at " + allocated.text() + ",";
}

WaitPlace look_up(pid_t process, const WaitDetails& wait) {
  std::vector<uint64_t> frames;
  for (const uint64_t frame : wait.frames)
    if (frame != 0) frames.push_back(frame);
  std::vector<uint64_t> addresses = frames;
  if (wait.block_caller != 0) addresses.push_back(wait.block_caller);
  ProcessSymbols symbols = look_up_symbols(process, addresses, wait.width > 0 ? wait.address : 0);
  SourcePlace allocated;
  if (wait.block_caller != 0 && !symbols.code.empty()) {
    allocated = symbols.code.back();
    symbols.code.pop_back();
  }
  WaitPlace found{wait.routine, place_in_words(wait.text),
                  symbols.variable.name.empty() ? "" : "`" + symbols.variable.text() + "`",
                  describe_block(wait, allocated)};
  if (symbols.code.empty()) return found;
  const size_t at = find_caller(frames, symbols.code, wait.caller);
  if (at == 0 && wait.caller == 0) return found;
  const bool is_said = wait.caller == 0 && !found.place.empty();  // a line of Python
  if (!is_said && at < symbols.code.size()) found.place = in_words(symbols.code[at], found.place);
  if (found.routine.empty() && at > 0) found.routine = name_of_routine(symbols.code[at - 1].function);
  return found;
}

}  // namespace

const WaitPlace& WaitPlaces::find(pid_t process, const WaitDetails& wait) {
  // Addresses differ from PE to PE; distances within a program do not.
  const std::string key = std::string(wait.routine) + "|" + place_in_words(wait.text) + "|" +
                          std::to_string(wait.kind) + "|" +
                          std::to_string(wait.width == 0         ? 0
                                         : wait.block_bytes != 0 ? wait.block_at + wait.block_into
                                                                 : wait.address - wait.caller) +
                          "|" + std::to_string(wait.block_bytes);
  const auto found = known_.find(key);
  return found != known_.end() ? found->second : known_.emplace(key, look_up(process, wait)).first->second;
}

static std::string with_line(std::string text, const std::string& place) {
  if (place.empty()) return text;
  const size_t end = std::min(end_of_place(text), text.size()), begin = text.find(before_place);
  if (begin == std::string::npos) return text.insert(end, ", called from " + place);
  const size_t at = begin + before_place.size();
  return text.replace(at, end - at, place);
}

// By its name it is the same word on all PEs, which then share a line of the report.
static std::string with_word(std::string text, const WaitPlace& found) {
  const std::string& word = found.variable.empty() ? found.block : found.variable;
  constexpr std::string_view before_address = ", the word at ";
  const size_t begin = text.find(before_address), end = text.find(" to be ", begin);
  if (word.empty() || begin == std::string::npos || end == std::string::npos) return text;
  return text.replace(begin, end - begin, ", " + word);
}

std::string words_with_place(const std::string& text, const WaitPlace& found) {
  return with_word(with_line(text, found.place), found);
}

std::vector<PlacedWait> place_waits(const JobSegment& segment, const Pes& pes, const Registered& registered) {
  WaitPlaces places;
  std::vector<PlacedWait> placed;
  for (int pe = 0; pe < pes.count(); ++pe) {
    if (!segment.is_here(pe) || !pes.is_running(pe)) continue;
    auto wait = segment.wait(pe);
    if (!wait) wait = segment.polling(pe);
    if (!wait) continue;
    const pid_t program = registered.program(pe, pes.pid(pe));
    placed.push_back({pe, wait->since_ns, wait->details, places.find(program, wait->details), {}});
  }
  return placed;
}

}  // namespace atrium
