// A child asks libdwfl, and writes a line for each answer into a pipe.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/process_symbols.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "os/dwarf_library.hpp"
#include "os/executable.hpp"

namespace atrium {
namespace {

constexpr unsigned patience_seconds = 10;  // for gigabytes of debugging information on a slow disk

// Null where it cannot be looked into.
Dwfl* open_process(const DwarfLibrary& dwfl, pid_t pid) {
  static char* path = nullptr;
  static const DwflCallbacks callbacks{dwfl.find_elf, dwfl.find_debuginfo, nullptr, &path};
  Dwfl* process = dwfl.begin(&callbacks);
  const bool open =
      process && dwfl.report_process(process, pid) == 0 && dwfl.report_end(process, nullptr, nullptr) == 0;
  return open ? process : nullptr;
}

// In a child: it ends by signals, and after some seconds, and asks no servers.
void limit_child() {
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGALRM}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  alarm(patience_seconds);
  unsetenv("DEBUGINFOD_URLS");
}

constexpr char between = '\x1f';  // in no name

std::string without_folder(const char* file) {
  const char* slash = file ? std::strrchr(file, '/') : nullptr;
  return slash ? slash + 1 : file ? file : "";
}

// What DWARF knows of an address: its function and line, and those that they were inlined into.
class Inlining {
 public:
  static constexpr int function_tag = 0x2e,
                       inlined_tag = 0x1d;  // DW_TAG_subprogram, DW_TAG_inlined_subroutine

  Inlining(const DwarfLibrary& dwfl, DwflModule* module, uint64_t address) : dwfl_(dwfl) {
    uint64_t bias = 0;
    unit_ = find_unit(dwfl, module, address, &bias);
    DwarfDie at;
    if (unit_ && find_scope(dwfl, unit_, address - bias, at))
      count_ = std::max(dwfl.scopes_around(&at, &scopes_), 0);
  }
  ~Inlining() { std::free(scopes_); }
  Inlining(const Inlining&) = delete;
  Inlining& operator=(const Inlining&) = delete;

  // Leaves the routines of shmem.h, which are not the program's.
  void refine(CodePlace& place) const {
    for (int i = 0; i < count_; ++i) {
      const int tag = dwfl_.tag_of(&scopes_[i]);
      if (tag != function_tag && tag != inlined_tag) continue;
      const char* name = dwfl_.die_name(&scopes_[i]);
      if (!name) return;
      if (tag == function_tag || std::strncmp(name, "shmem_", 6) != 0) {
        place.function = readable_symbol(name);
        return;
      }
      place.routine = name;
      place.line = static_cast<int>(number(i, 0x59));           // DW_AT_call_line
      place.file = file(static_cast<size_t>(number(i, 0x58)));  // DW_AT_call_file
    }
  }

 private:
  uint64_t number(int scope, unsigned name) const {
    DwarfAttribute attribute;
    uint64_t value = 0;
    DwarfAttribute* found = dwfl_.attribute_of(&scopes_[scope], name, &attribute);
    return found && dwfl_.number_in(found, &value) == 0 ? value : 0;
  }
  std::string file(size_t index) const {
    DwarfFiles* files = nullptr;
    uint64_t count = 0;
    if (dwfl_.files_of(unit_, &files, &count) != 0 || index >= count) return {};
    return without_folder(dwfl_.file_name(files, index, nullptr, nullptr));
  }

  const DwarfLibrary& dwfl_;
  DwarfDie* unit_ = nullptr;
  DwarfDie* scopes_ = nullptr;
  int count_ = 0;
};

CodePlace find_place(const DwarfLibrary& dwfl, Dwfl* process, uint64_t address) {
  CodePlace place;
  DwflModule* module = dwfl.module_of(process, address);
  if (!module) return place;
  if (const char* name = dwfl.name_of(module, address)) place.function = readable_symbol(name);
  if (SourceLine line; find_line(dwfl, module, address, line)) {
    place.file = without_folder(line.file);
    place.line = line.number;
    Inlining(dwfl, module, address).refine(place);
  }
  return place;
}

void tell_place(const DwarfLibrary& dwfl, Dwfl* process, uint64_t returns, int fd) {
  const CodePlace place = find_place(dwfl, process, returns - 1);  // in the call
  dprintf(fd, "%s%c%s%c%s%c%d\n", place.function.c_str(), between, place.file.c_str(), between,
          place.routine.c_str(), between, place.line);
}

// Compilers number the local static variables of one name: "words.0".
std::string without_number(std::string name) {
  const size_t dot = name.rfind('.');
  if (dot != std::string::npos && name.find_first_not_of("0123456789", dot + 1) == std::string::npos)
    name.erase(dot);
  return name;
}

// The job's memory lies over the program's variables, so that no module seems to be there: each is asked.
struct Search {
  const DwarfLibrary& dwfl;
  uint64_t address;
  int fd;
};
int tell_variable(DwflModule* module, void**, const char*, uint64_t, void* argument) {
  const Search& search = *static_cast<Search*>(argument);
  uint64_t offset = 0;
  unsigned char symbol[24] = {};  // Elf64_Sym, whose last field is the size
  const char* name =
      search.dwfl.symbol_of(module, search.address, &offset, symbol, nullptr, nullptr, nullptr);
  uint64_t size;
  std::memcpy(&size, symbol + 16, sizeof size);
  if (!name || offset >= size) return 0;  // go on
  dprintf(search.fd, offset == 0 ? "%s\n" : "%s + %llu bytes\n",
          without_number(readable_symbol(name)).c_str(), static_cast<unsigned long long>(offset));
  return 1;
}

void look(pid_t pid, std::span<const uint64_t> returns, uint64_t data, int fd) {
  DwarfLibrary dwfl{};
  Dwfl* process = open_dwarf_library(dwfl) ? open_process(dwfl, pid) : nullptr;
  if (!process) return;
  for (const uint64_t address : returns) tell_place(dwfl, process, address, fd);
  Search search{dwfl, data, fd};
  if (data != 0) dwfl.each_module(process, tell_variable, &search, 0);
}

bool tell_first_place(pid_t pid, const char* head, std::span<void* const> frames, int fd) {
  DwarfLibrary dwfl{};
  Dwfl* process = open_dwarf_library(dwfl) ? open_process(dwfl, pid) : nullptr;
  if (!process) return false;
  std::string without_line;
  for (size_t i = 0; i < frames.size(); ++i) {
    const CodePlace place =
        find_place(dwfl, process, reinterpret_cast<uintptr_t>(frames[i]) - (i > 0 ? 1 : 0));
    if (place.function.starts_with("__libc_start")) break;
    if (without_line.empty()) without_line = place.function;
    if (place.file.empty()) continue;
    return dprintf(fd, "%s, in %s (%s:%d)\n", head, place.function.c_str(), place.file.c_str(), place.line) >
           0;
  }
  return !without_line.empty() && dprintf(fd, "%s, in %s\n", head, without_line.c_str()) > 0;
}

std::string read_all(int fd) {
  std::string text;
  char part[4096];
  for (ssize_t bytes; (bytes = read(fd, part, sizeof part)) > 0 || (bytes < 0 && errno == EINTR);)
    if (bytes > 0) text.append(part, static_cast<size_t>(bytes));
  return text;
}

std::optional<std::string> take_line(std::string& text) {
  const size_t end = text.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = text.substr(0, end);
  text.erase(0, end + 1);
  return line;
}

CodePlace parse(const std::string& line) {
  const size_t file = line.find(between), routine = line.find(between, file + 1),
               number = line.find(between, routine + 1);
  if (number == std::string::npos || routine == std::string::npos) return {};
  return {line.substr(0, file), line.substr(file + 1, routine - file - 1),
          std::atoi(line.c_str() + number + 1), line.substr(routine + 1, number - routine - 1)};
}

}  // namespace

bool print_place_of(const char* head, std::span<void* const> frames, int fd) {
  const pid_t pid = getpid();
  if (executable_is_static()) return false;
  const auto child = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));  // no fork handlers run
  if (child == 0) {
    limit_child();
    _exit(tell_first_place(pid, head, frames, fd) ? 0 : 1);
  }
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return child > 0 && status == 0;
}

ProcessSymbols look_up_symbols(pid_t process, std::span<const uint64_t> returns, uint64_t data) {
  ProcessSymbols symbols;
  // There malloc's own data are the job's memory, which a child shares: its blocks would be ours.
  if (process == getpid() && executable_is_static()) return symbols;
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return symbols;
  const auto child = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));  // no fork handlers run
  if (child == 0) {
    limit_child();
    look(process, returns, data, pipe_ends[1]);
    _exit(0);
  }
  close(pipe_ends[1]);
  std::string answer = read_all(pipe_ends[0]);
  close(pipe_ends[0]);
  while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  while (symbols.code.size() < returns.size()) {
    const auto line = take_line(answer);
    if (!line) return {};
    symbols.code.push_back(parse(*line));
  }
  symbols.variable = take_line(answer).value_or("");
  return symbols;
}

}  // namespace atrium
