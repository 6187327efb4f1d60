// A child asks libdwfl about its parent.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/source_lines.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>

#include "os/dwarf_library.hpp"

namespace atrium {
namespace {

constexpr unsigned patience_seconds = 10;  // for gigabytes of debugging information on a slow disk

// "at file:line", or the file that the code is in when nobody compiled it with -g.
std::string place(const DwarfLibrary& dwfl, DwflModule* module, uint64_t address) {
  SourceLine line;
  if (find_line(dwfl, module, address, line))
    return std::string("at ") + line.file + ":" + std::to_string(line.number);
  const char* name = dwfl.module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  return std::string("in ") + (name ? name : "?");
}

// In the child. A return address is behind the call, which may be the next line's: look a byte before it.
bool print_frames(const DwarfLibrary& dwfl, Dwfl* process, std::span<void* const> frames, int fd) {
  for (size_t i = 0; i < frames.size(); ++i) {
    const uint64_t address = reinterpret_cast<uintptr_t>(frames[i]) - (i > 0 ? 1 : 0);
    DwflModule* module = dwfl.module_of(process, address);
    const std::string name = module ? readable_symbol(dwfl.name_of(module, address)) : "?";
    const std::string where = module ? place(dwfl, module, address) : "at no file";
    dprintf(fd, "  #%-2zu %s %s\n", i, name.c_str(), where.c_str());
    if (name == "main") break;  // what starts programs tells nobody anything
  }
  return !frames.empty();
}

bool look_up(pid_t pid, std::span<void* const> frames, int fd) {
  DwarfLibrary dwfl{};
  if (!open_dwarf_library(dwfl)) return false;
  char* path = nullptr;
  const DwflCallbacks callbacks{dwfl.find_elf, dwfl.find_debuginfo, nullptr, &path};
  Dwfl* process = dwfl.begin(&callbacks);
  return process && dwfl.report_process(process, pid) == 0 &&
         dwfl.report_end(process, nullptr, nullptr) == 0 && print_frames(dwfl, process, frames, fd);
}

void let_signals_end_us() {
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGALRM}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

bool print_source_lines(std::span<void* const> frames, int fd) {
  const pid_t pid = getpid();
  const auto child = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));  // no fork handlers run
  if (child == 0) {
    let_signals_end_us();
    alarm(patience_seconds);  // the crash may have come with a lock held, the heap's above all
    _exit(look_up(pid, frames, fd) ? 0 : 1);
  }
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return child > 0 && status == 0;
}

}  // namespace atrium
