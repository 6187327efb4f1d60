// Asks libdw where a place of the program is; without it addr2line, which comes with the compiler; else the symbol table.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/report/places.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "profile/report/program_lines.hpp"
#include "race/model/job.hpp"
#include "race/model/site.hpp"
#include "race/model/strand.hpp"
#include "race/report/say.hpp"
#include "src/os/symbol_table.hpp"

namespace atrium::race {
namespace {

std::string hexadecimal(uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

// The children must not be checked themselves.
std::vector<char*> plain_environment() {
  std::vector<char*> kept;
  for (char** entry = environ; *entry; ++entry)
    if (std::strncmp(*entry, "LD_PRELOAD=", 11) != 0 && std::strncmp(*entry, "ATRIUM_RACES=", 13) != 0)
      kept.push_back(*entry);
  kept.push_back(nullptr);
  return kept;
}

// All that a child writes until it ends; nothing of none (-1). Closes the pipe.
std::string told_by(pid_t child, int pipe) {
  std::string text;
  char part[4096];
  for (ssize_t got; child > 0 && ((got = read(pipe, part, sizeof part)) > 0 || (got < 0 && errno == EINTR));)
    if (got > 0) text.append(part, static_cast<size_t>(got));
  close(pipe);
  while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return text;
}

// What a command prints; empty: it cannot be run.
std::string output_of(std::vector<std::string> words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), plain_environment().data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  return told_by(error == 0 ? child : -1, ends[0]);
}

// Two lines for each frame, as addr2line prints them.
void print_frames(const std::string& module, uint64_t instruction, int fd) {
  const profile::ProgramLines lines(module);
  const auto frames = lines.frames_at(instruction);
  if (std::all_of(frames.begin(), frames.end(), [](const auto& frame) { return frame.file.empty(); })) return;
  const std::string symbol = function_in(module, instruction);
  for (const auto& frame : frames) {
    // The symbol's name of a function of C++ has its namespace and parameters.
    const bool qualified = &frame == &frames.back() && symbol.find('(') != std::string::npos;
    dprintf(fd, "%s\n%s:%d\n", qualified ? symbol.c_str() : frame.function.c_str(),
            frame.file.empty() ? "??" : frame.file.c_str(), frame.line);
  }
}

// By libdw, in a child of its own: it may meet a broken file, or find the heap locked by another thread. No fork
// handlers run in it. Empty: there is no libdw.so.1, or it finds no line, or it is given up.
std::string frames_by_libdw(const std::string& module, uint64_t instruction) {
  constexpr unsigned patience_seconds = 10;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  if (child == 0) {
    for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGALRM}) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    alarm(patience_seconds);
    unsetenv("DEBUGINFOD_URLS");
    const Inside inside;  // libdw's locks order nothing
    print_frames(module, instruction, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  return told_by(child, ends[0]);
}

// "._omp_fn.0", ".omp_outlined.", ".constprop.0": what compilers add to the name of the function that was written.
std::string as_written(std::string function) {
  if (function.rfind(".omp_outlined", 0) == 0) return "a parallel region";
  const size_t dot = function.find('.');
  if (dot != std::string::npos && dot != 0) function.resize(dot);
  return function == "??" ? "" : function;
}

bool is_header_of_shmem(const std::string& file) {
  for (const char* part : {"shmem/inline.h", "shmem/fast.h", "shmem/overloads.h", "shmem/generics.h"})
    if (file.size() >= std::strlen(part) &&
        file.compare(file.size() - std::strlen(part), std::string::npos, part) == 0)
      return true;
  return false;
}

// Frames from the innermost on, two lines each: the first that is the user's.
void read_frames(const std::string& text, Place& place) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t first = text.find('\n', begin), second = text.find('\n', first + 1);
    if (first == std::string::npos || second == std::string::npos) return;
    const std::string where = text.substr(first + 1, second - first - 1);
    const size_t colon = where.rfind(':');
    if (place.function.empty()) place.function = as_written(text.substr(begin, first - begin));
    const std::string file = where.substr(0, colon);
    if (colon != std::string::npos && file != "??" && !is_header_of_shmem(file)) {
      place.file = file;
      place.line = std::atoi(where.c_str() + colon + 1);
      place.function = as_written(text.substr(begin, first - begin));
      return;
    }
    begin = second + 1;
  }
}

std::string describe_frames(const std::string& module, uint64_t instruction) {
  if (std::string frames = frames_by_libdw(module, instruction); !frames.empty()) return frames;
  std::string frames = output_of({"addr2line", "-f", "-C", "-i", "-e", module, hexadecimal(instruction)});
  if (frames.empty() && !dlopen("libdw.so.1", RTLD_LAZY))
    say_once("lines are not known: they take elfutils' libdw.so.1 (Debian: libdw1) or addr2line (binutils)");
  return frames;
}

std::string& without_lines = *new std::string;

Place look_up(Origin origin) {
  Place place;
  place.offset = origin.offset();
  if (origin.module() == 0 || origin.offset() == 0) return place;
  place.module = board().module[origin.module()].path;
  const uint64_t instruction = origin.offset() - 1;  // of the call, not after it
  read_frames(describe_frames(place.module, instruction), place);
  if (place.function.empty()) place.function = function_in(place.module, instruction);
  if (place.file.empty() && without_lines.empty()) without_lines = place.module;
  return place;
}

}  // namespace

std::string file_without_lines() { return without_lines.substr(without_lines.rfind('/') + 1); }

std::string Place::file_name() const { return file.substr(file.rfind('/') + 1); }

std::string Place::short_text() const {
  if (!file.empty() && line > 0) return file_name() + ":" + std::to_string(line);
  if (module.empty()) return "an unknown place";
  const std::string name = module.substr(module.rfind('/') + 1);
  return function.empty() ? name + "+" + hexadecimal(offset) : function + " of " + name;
}

std::string Place::text() const {
  const bool has_line = !file.empty() && line > 0;
  return short_text() + (has_line && !function.empty() ? " in " + function : "");
}

const Place& place_of(Origin origin) {
  static std::map<uint64_t, Place>& known = *new std::map<uint64_t, Place>;
  static SpinLock lock;
  const uint64_t key = uint64_t{origin.module()} << 32 | origin.offset();
  std::lock_guard guard(lock);
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, look_up(origin)).first->second;
}

NamedVariable variable_at(uintptr_t address) {
  static uintptr_t base = 0;
  const auto first = [](dl_phdr_info* info, size_t, void*) {
    base = info->dlpi_addr;
    return 1;
  };
  dl_iterate_phdr(first, nullptr);
  return variable_in("/proc/self/exe", address - base);
}

}  // namespace atrium::race
