// A child writes a line for each answer into a pipe.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/look_up.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "symbols/child.hpp"
#include "symbols/names.hpp"
#include "symbols/this_program.hpp"

namespace atrium {
namespace {

constexpr char between = '\x1f';  // in no name

// A part of the text up to `end`, which is taken off with it; nothing where `end` is not there.
std::optional<std::string> take(std::string& text, char end) {
  const size_t length = text.find(end);
  if (length == std::string::npos) return std::nullopt;
  std::string part = text.substr(0, length);
  text.erase(0, length + 1);
  return part;
}

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

bool has_line(const std::vector<SourceFrame>& frames) {
  return std::any_of(frames.begin(), frames.end(), [](const auto& frame) { return !frame.file.empty(); });
}

// addr2line prints two lines for each frame. It must not be looked at by a tool that was preloaded.
std::vector<SourceFrame> ask_addr2line(const std::string& file, uint64_t address) {
  std::string text = told_by_child([&](int fd) {
    char number[32];
    std::snprintf(number, sizeof number, "0x%" PRIx64, address);
    dup2(fd, STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    unsetenv("LD_PRELOAD");
    execlp("addr2line", "addr2line", "-f", "-i", "-e", file.c_str(), number, nullptr);
  });
  std::vector<SourceFrame> frames;
  while (auto function = take(text, '\n')) {
    const std::string where = take(text, '\n').value_or("??:0");
    const size_t colon = where.rfind(':');
    SourceFrame& frame = frames.emplace_back();
    if (*function != "??") frame.function = function_as_written(*function);
    if (where.starts_with("??") || colon == std::string::npos) continue;
    frame.file = where.substr(0, colon);
    frame.line = std::atoi(where.c_str() + colon + 1);
  }
  return frames;
}

// The file of a process, by a name that another program can open.
std::string executable_of(pid_t process) { return "/proc/" + std::to_string(process) + "/exe"; }

// malloc's own data are the job's memory there, which a child shares: its blocks would be ours. Another program has its own.
std::vector<SourcePlace> look_up_in_static_program(std::span<const uint64_t> returns) {
  std::vector<SourcePlace> places;
  if (!executable_file_is_ours()) return places;
  for (const uint64_t address : returns)
    places.push_back(
        place_of_frames(ask_addr2line(executable_of(getpid()), address - 1 - executable_bias())));
  return places;
}

// The functions at the addresses of a process that crashes, whose child this is. A static program can open no libdw, so addr2line
// reads its file. There the child's blocks are among the parent's data, which does no harm: the parent only ends.
class CrashedProgram {
 public:
  explicit CrashedProgram(pid_t process) {
    if (!executable_is_static())
      symbols_.emplace(process);
    else if (executable_file_is_ours())
      file_ = executable_of(process);
  }
  bool can_be_read() const { return symbols_ ? symbols_->is_open() : !frames_at(0).empty(); }
  std::vector<SourceFrame> frames_at(uint64_t address) const {
    if (symbols_) return symbols_->frames_at(address);
    return file_.empty() ? std::vector<SourceFrame>() : ask_addr2line(file_, address - executable_bias());
  }
  std::string file_at(uint64_t address) const {
    return symbols_ ? symbols_->file_at(address) : std::filesystem::read_symlink(file_).string();
  }
  // Whoever calls memcpy with a null pointer wants to know where.
  bool is_c_library(uint64_t address) const {
    return symbols_ && symbols_->file_at(address).find("libc.so") != std::string::npos;
  }

 private:
  std::optional<DebugInfo> symbols_;
  std::string file_;  // of a static program
};

// The call before a return address; an instruction is where it is.
uint64_t address_of(std::span<void* const> frames, size_t frame) {
  return reinterpret_cast<uintptr_t>(frames[frame]) - (frame > 0 ? 1 : 0);
}

bool tell_first_place(pid_t process, const char* head, std::span<void* const> frames, int fd) {
  const CrashedProgram program(process);
  std::string without_line;
  for (size_t i = 0; i < frames.size(); ++i) {
    const SourcePlace place = place_of_frames(program.frames_at(address_of(frames, i)));
    if (place.function.starts_with("__libc_start")) break;
    if (without_line.empty()) without_line = place.function;
    if (place.has_line() && !program.is_c_library(address_of(frames, i)))
      return dprintf(fd, "%s, at %s\n", head, place.text().c_str()) > 0;
  }
  return !without_line.empty() && dprintf(fd, "%s, in %s\n", head, without_line.c_str()) > 0;
}

std::string place_in_trace(const SourceFrame& frame, const std::string& file) {
  if (!frame.file.empty()) return "at " + frame.file + ":" + std::to_string(frame.line);
  return file.empty() ? "at no file" : "in " + file;
}

bool tell_back_trace(pid_t process, std::span<void* const> frames, int fd) {
  const CrashedProgram program(process);
  if (!program.can_be_read()) return false;
  for (size_t i = 0, number = 0; i < frames.size(); ++i) {
    auto found = program.frames_at(address_of(frames, i));
    if (found.empty()) found.resize(1);
    const std::string file = program.file_at(address_of(frames, i));
    for (const SourceFrame& frame : found)
      dprintf(fd, "  #%-2zu %s %s\n", number++, frame.function.empty() ? "?" : frame.function.c_str(),
              place_in_trace(frame, file).c_str());
    if (found.back().function == "main") break;  // what starts programs is of no interest
  }
  return !frames.empty();
}

}  // namespace

ProcessSymbols look_up_symbols(pid_t process, std::span<const uint64_t> returns, uint64_t data) {
  if (process == getpid() && executable_is_static()) return {look_up_in_static_program(returns), {}};
  std::string answer = told_by_child([&](int fd) {
    const DebugInfo symbols(process);
    if (!symbols.is_open()) return;
    for (const uint64_t address : returns) write_place(place_of_frames(symbols.frames_at(address - 1)), fd);
    if (data != 0) dprintf(fd, "%s\n", symbols.variable_at(data).c_str());
  });
  ProcessSymbols symbols;
  while (symbols.code.size() < returns.size()) {
    auto place = take_place(answer);
    if (!place) return {};
    symbols.code.push_back(std::move(*place));
  }
  symbols.variable = take(answer, '\n').value_or("");
  return symbols;
}

std::optional<SourcePlace> look_up_place(const std::string& file, uint64_t address) {
  std::string answer = told_by_child([&](int fd) {
    auto frames = DebugInfo(file).frames_at(address);
    if (!has_line(frames)) frames = ask_addr2line(file, address);
    if (!frames.empty()) write_place(place_of_frames(frames), fd);
  });
  return take_place(answer);
}

bool print_place(const char* head, std::span<void* const> frames, int fd) {
  const pid_t process = getpid();
  return done_by_child([&] { return tell_first_place(process, head, frames, fd); });
}

bool print_back_trace(std::span<void* const> frames, int fd) {
  const pid_t process = getpid();
  return done_by_child([&] { return tell_back_trace(process, frames, fd); });
}

}  // namespace atrium
