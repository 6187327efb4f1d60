// Looks addresses up in a child process, which writes one line for each answer into a pipe.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/look_up.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "symbols/addr2line.hpp"
#include "symbols/child.hpp"
#include "symbols/mappings.hpp"
#include "symbols/names.hpp"
#include "symbols/pieces.hpp"
#include "symbols/symbol_map.hpp"
#include "symbols/this_program.hpp"

namespace atrium {
namespace {

constexpr char between = '\x1f';  // in no name

void write_place(const SourcePlace& place, int fd) {
  dprintf(fd, "%s%c%s%c%s%c%d\n", place.function.c_str(), between, place.file.c_str(), between,
          place.routine.c_str(), between, place.line);
}

std::optional<SourcePlace> take_place(std::string& text) {
  auto line = take(text, '\n');
  if (!line) return std::nullopt;
  SourcePlace place;
  place.function = take(*line, between).value_or("");
  place.file = take(*line, between).value_or("");
  place.routine = take(*line, between).value_or("");
  place.line = std::atoi(line->c_str());
  return place;
}

void write_variable(const NamedVariable& variable, int fd) {
  dprintf(fd, "%s%c%s%c%" PRIu64 "\n", variable.name.c_str(), between, variable.block.c_str(), between,
          variable.offset);
}

NamedVariable take_variable(std::string& text) {
  std::string line = take(text, '\n').value_or("");
  NamedVariable variable;
  variable.name = take(line, between).value_or("");
  variable.block = take(line, between).value_or("");
  variable.offset = std::strtoull(line.c_str(), nullptr, 10);
  return variable;
}

bool has_line(const std::vector<SourceFrame>& frames) {
  return std::any_of(frames.begin(), frames.end(), [](const auto& frame) { return !frame.file.empty(); });
}

// What is known of the addresses of a process: by libdw, or else by addr2line and the symbol tables of its files.
class ProcessInfo {
 public:
  explicit ProcessInfo(pid_t process) : debug_info_(process) {
    if (!debug_info_.is_open()) mappings_ = mappings_of(process);
  }

  // The innermost function first. Empty: nothing is at that address, or neither libdw nor addr2line is there.
  std::vector<SourceFrame> frames_at(uint64_t address) const {
    if (debug_info_.is_open()) return debug_info_.frames_at(address);
    const auto file = mapped_file_at(mappings_, address);
    return file ? ask_addr2line(file->path, address - file->bias) : std::vector<SourceFrame>();
  }
  std::string file_at(uint64_t address) const {
    if (debug_info_.is_open()) return debug_info_.file_at(address);
    const auto file = mapped_file_at(mappings_, address);
    return file ? file->path : "";
  }
  NamedVariable variable_at(uint64_t address) const {
    if (debug_info_.is_open()) return debug_info_.variable_at(address);
    const auto file = mapped_file_at(mappings_, address);
    if (!file) return {};
    const SymbolMap variables(variables_in(file->path), file->bias);
    const Symbol* const variable = variables.around(address);
    return variable ? part_of_variable(variable->name, address - variable->address) : NamedVariable{};
  }

 private:
  const DebugInfo debug_info_;
  std::vector<MapsLine> mappings_;
};

ProcessSymbols symbols_of(const ProcessInfo& process, std::span<const uint64_t> returns, uint64_t data) {
  ProcessSymbols symbols;
  for (const uint64_t address : returns)
    symbols.code.push_back(place_of_frames(process.frames_at(address - 1)));
  if (data != 0) symbols.variable = process.variable_at(data);
  return symbols;
}

// The call before a return address; an instruction is where it is.
uint64_t address_of(std::span<void* const> frames, size_t frame) {
  return reinterpret_cast<uintptr_t>(frames[frame]) - (frame > 0 ? 1 : 0);
}

bool is_in(const char* library, const ProcessInfo& process, uint64_t address) {
  return process.file_at(address).find(library) != std::string::npos;
}

// The user wants to know where memcpy was called with a null pointer, not where in memcpy it failed. Of our library only the routines
// of OpenSHMEM are known outside, which often jump to an inner function and leave no frame.
bool write_first_place(pid_t process, const char* head, std::span<void* const> frames, int fd) {
  const ProcessInfo info(process);
  std::string innermost, routine, caller;
  for (size_t i = 0; i < frames.size(); ++i) {
    const uint64_t address = address_of(frames, i);
    const SourcePlace place = place_of_frames(info.frames_at(address));
    if (place.function.starts_with("__libc_start")) break;
    if (innermost.empty()) innermost = place.function;
    if (is_in("libc.so", info, address)) continue;
    if (place.has_line()) return dprintf(fd, "%s, at %s\n", head, place.text().c_str()) > 0;
    if (!caller.empty()) continue;
    if (!is_in("libatrium.so", info, address))
      caller = place.function;
    else
      routine = place.function.find("atrium::") == std::string::npos ? place.function : "libatrium.so";
  }
  if (!routine.empty() && !caller.empty())
    return dprintf(fd, "%s, in %s, called from %s\n", head, routine.c_str(), caller.c_str()) > 0;
  const std::string& function = caller.empty() ? innermost : caller;
  return !function.empty() && dprintf(fd, "%s, in %s\n", head, function.c_str()) > 0;
}

std::string place_in_trace(const SourceFrame& frame, const std::string& file) {
  if (!frame.file.empty()) return "at " + frame.file + ":" + std::to_string(frame.line);
  return file.empty() ? "at no file" : "in " + file;
}

bool write_back_trace(pid_t process, std::span<void* const> frames, int fd) {
  const ProcessInfo info(process);
  size_t first_known = 0;
  while (first_known < frames.size() && info.frames_at(address_of(frames, first_known)).empty())
    ++first_known;
  if (first_known == frames.size()) return false;
  for (size_t i = 0, number = 0; i < frames.size(); ++i) {
    auto found = info.frames_at(address_of(frames, i));
    if (found.empty()) found.resize(1);
    const std::string file = info.file_at(address_of(frames, i));
    for (const SourceFrame& frame : found)
      dprintf(fd, "  #%-2zu %s %s\n", number++, frame.function.empty() ? "?" : frame.function.c_str(),
              place_in_trace(frame, file).c_str());
    if (found.back().function == "main")
      break;  // the frames of the C library that start a program say nothing
  }
  return true;
}

}  // namespace

// A static program has malloc's own data in the job's memory, which a child shares: its blocks would be ours. Nothing that may
// crash is read there.
ProcessSymbols look_up_symbols(pid_t process, std::span<const uint64_t> returns, uint64_t data) {
  if (executable_is_static()) return symbols_of(ProcessInfo(process), returns, data);
  std::string answer = output_of_child([&](int fd) {
    const ProcessSymbols found = symbols_of(ProcessInfo(process), returns, data);
    for (const SourcePlace& place : found.code) write_place(place, fd);
    write_variable(found.variable, fd);
  });
  ProcessSymbols symbols;
  while (symbols.code.size() < returns.size()) {
    auto place = take_place(answer);
    if (!place) return {};
    symbols.code.push_back(std::move(*place));
  }
  symbols.variable = take_variable(answer);
  return symbols;
}

// Compilers make "data_" of the name of a common block.
NamedVariable variable_of_executable(uintptr_t address) {
  const Symbol* const found = variables_of_executable().around(address);
  if (!found) return {};
  NamedVariable in_block;
  if (found->name.ends_with('_')) in_block = look_up_symbols(this_process(), {}, address).variable;
  return in_block.name.empty() ? part_of_variable(found->name, address - found->address) : in_block;
}

std::optional<SourcePlace> look_up_place(const std::string& file, uint64_t address) {
  std::string answer = output_of_child([&](int fd) {
    auto frames = DebugInfo(file).frames_at(address);
    if (!has_line(frames)) frames = ask_addr2line(file, address);
    if (!frames.empty()) write_place(place_of_frames(frames), fd);
  });
  return take_place(answer);
}

bool print_place(const char* head, std::span<void* const> frames, int fd) {
  const pid_t process = this_process();
  return done_by_child([&] { return write_first_place(process, head, frames, fd); });
}

bool print_back_trace(std::span<void* const> frames, int fd) {
  const pid_t process = this_process();
  return done_by_child([&] { return write_back_trace(process, frames, fd); });
}

}  // namespace atrium
