// A signal handler that lets gdb print the stacks of all threads, or prints its own stack by symbols.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/crash.hpp"

#include <execinfo.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "atrium_message.h"
#include "atrium_nameless_memory.hpp"
#include "core/privilege.hpp"
#include "os/debugger_trace.hpp"
#include "os/larger_stack.hpp"
#include "os/program_counter.hpp"
#include "os/stack_frames.hpp"
#include "symbols/look_up.hpp"
#include "symbols/mappings.hpp"

namespace atrium {
namespace {

// An abort has printed its reason already, and may hold the allocator's lock, without which no line can be looked up.
constexpr int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE}, aborts[] = {SIGABRT, SIGSYS};

// Filled before any crash: a handler must not allocate.
char speaker[256];
char gdb_path[4096];
std::atomic<pid_t> tracer = 0;  // the thread that prints
sigjmp_buf before_walk;         // while it walks its stack
volatile sig_atomic_t is_walking = 0;
CrashDetail wanted = CrashDetail::place;
int report = STDERR_FILENO;  // where what is said goes

// What is said of a crash is gathered, and written in one piece: other PEs may crash at the same moment.
void begin_report() {
  const int file = make_nameless_memory("atrium-report");
  if (file >= 0) report = file;
}

void end_report() {
  const int file = std::exchange(report, STDERR_FILENO);
  struct stat about {};
  if (file == STDERR_FILENO || fstat(file, &about) != 0 || about.st_size == 0) return;
  const auto bytes = static_cast<size_t>(about.st_size);
  void* const text = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (text != MAP_FAILED) atrium_write_whole(STDERR_FILENO, static_cast<const char*>(text), bytes);
}

// dprintf would take its buffer from the heap, which may be what broke.
__attribute__((format(printf, 1, 2))) void print(const char* format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  const int length = std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (length > 0) atrium_write_whole(report, text, std::min(static_cast<size_t>(length), sizeof text - 1));
}

void find_gdb() {
  const char* given = trusted_variable("PATH");
  std::string path = given ? given : "/usr/local/bin:/usr/bin:/bin";
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const std::string candidate = path.substr(begin, end - begin) + "/gdb";
    if (candidate.size() < sizeof gdb_path && access(candidate.c_str(), X_OK) == 0) {
      std::strcpy(gdb_path, candidate.c_str());
      return;
    }
    begin = end + 1;
  }
}

// In a child that shares our memory until it executes.
[[noreturn]] void become_gdb(const char* pid, int output) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execl(gdb_path, "gdb", "-nx", "-q", "-batch", "-iex", "set debuginfod enabled off", "-ex",
        "thread apply all bt 200", "-p", pid, static_cast<char*>(nullptr));
  _exit(127);
}

// Once in a process. Its lines do not lie on the stack, which may be a small one that the program has given to handlers.
bool pass_on(int from) {
  static constinit DebuggerTrace trace;
  trace.pass_to(report);
  char piece[512];
  lseek(from, 0, SEEK_SET);
  ssize_t bytes;
  while ((bytes = read(from, piece, sizeof piece)) > 0 || (bytes < 0 && errno == EINTR)) {
    if (bytes > 0) trace.take(piece, static_cast<size_t>(bytes));
  }
  return trace.end();
}

// Its variables would lie in the frame that vfork shares, were it part of the function below.
[[gnu::noinline]] int make_file() { return make_nameless_memory("atrium-back-trace"); }

// gdb stops all our threads, so that nobody would empty a pipe into which it writes: it writes into a file. A stack that has
// overflowed has thousands of frames, of which the first ones say enough.
bool trace_with_gdb() {
  const int output = gdb_path[0] != '\0' ? make_file() : -1;
  if (output < 0) return false;
  char pid[16];
  std::snprintf(pid, sizeof pid, "%d", static_cast<int>(getpid()));
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // where only ancestors may look (Yama)
  const pid_t child = vfork();                // no fork handlers: they would copy the arena
  if (child == 0) become_gdb(pid, output);
  while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  const bool traced = pass_on(output);
  close(output);
  return traced;
}

void unblock_faults(sigset_t* before) {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : faults) sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, before);
}

// A stack that is overwritten leads to addresses where nothing is. A fault there ends the walk, and the frames in front of it stay.
void walk_stack(std::span<void*> frames) {
  sigset_t before;
  unblock_faults(&before);
  std::fill(frames.begin(), frames.end(), nullptr);
  is_walking = 1;
  if (sigsetjmp(before_walk, 0) == 0) walk_frames(frames);
  is_walking = 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// A pointer to a function led to where no code is. No table leads on from there, but the call has left its return address.
std::span<void*> frames_of_call_to_nowhere(std::span<void*> room, const void* context) {
  room[0] = reinterpret_cast<void*>(program_counter(context));
  if (!has_readable_memory(this_process(), stack_pointer(context))) return room.first(1);
  room[1] = reinterpret_cast<void*>(return_address_at_entry(context));
  return room.first(2);
}

// Begins at the fault: the frames of the handler, and those that the kernel has put under it, are left out.
std::span<void*> frames_of_fault(std::span<void*> room, const siginfo_t& info, const void* context) {
  const auto fault = reinterpret_cast<void*>(program_counter(context));
  if (info.si_code > 0 && info.si_code != SI_KERNEL && info.si_signo == SIGSEGV && info.si_addr == fault)
    return frames_of_call_to_nowhere(room, context);
  walk_stack(room);
  const auto end = std::find(room.begin(), room.end(), nullptr);
  const auto first = std::find(room.begin(), end, fault);
  if (first != end) return {first, end};
  room[0] = fault;
  return room.first(1);
}

void trace_without_gdb(const siginfo_t& info, const void* context) {
  void* room[64];
  const auto frames = frames_of_fault(room, info, context);
  if (print_back_trace(frames, report)) {
    print("  try:     oshcc -g for lines that are missing; gdb, for variables\n");
    return;
  }
  backtrace_symbols_fd(frames.data(), static_cast<int>(frames.size()), report);
  print(
      "  try:     libdw (Debian: libdw1) or addr2line (binutils), and oshcc -g, for lines; gdb installed and "
      "allowed to trace, for variables\n");
}

// A stack has memory below its end, or gets it, until it may not grow. A call writes there, and so does a function that calls nothing.
const char* explain(int signal, const siginfo_t& info, const void* context) {
  constexpr uintptr_t below = 4096;
  const uintptr_t end = stack_pointer(context);
  if (signal != SIGSEGV || end == 0 || reinterpret_cast<uintptr_t>(info.si_addr) + below < end) return "";
  return has_readable_memory(this_process(), end - sizeof end) ? ""
                                                               : " (the stack has overflowed: ulimit -s)";
}

// For %#zx, to which 0 is "0"; %p calls it "(nil)".
size_t address_of(const siginfo_t& info) { return reinterpret_cast<size_t>(info.si_addr); }

// Only a signal that the processor caused has an address; one that was sent has a sender in its place.
void say_what_happened(int signal, const siginfo_t& info, const void* context) {
  const auto sender = static_cast<int>(info.si_pid);
  if (info.si_code == SI_KERNEL)
    print("atrium: %s: signal %d, at an address that no program can have; back trace:\n", speaker, signal);
  else if (info.si_code > 0)
    print("atrium: %s: signal %d at address %#zx%s; back trace:\n", speaker, signal, address_of(info),
          explain(signal, info, context));
  else if (sender == getpid())
    print("atrium: %s: signal %d, raised by the program itself; back trace:\n", speaker, signal);
  else
    print("atrium: %s: signal %d, sent by process %d; back trace:\n", speaker, signal, sender);
}

// One line, whole; without its end where the place cannot be found out.
void say_where_it_happened(int signal, const siginfo_t& info, const void* context) {
  if (info.si_code <= 0) return;  // it was sent by a process
  char head[512], address[128] = "";
  if (info.si_code != SI_KERNEL && (signal == SIGSEGV || signal == SIGBUS))
    std::snprintf(address, sizeof address, " at address %#zx%s", address_of(info),
                  explain(signal, info, context));
  std::snprintf(head, sizeof head, "atrium: %s: signal %d%s", speaker, signal, address);
  void* room[64];
  const auto frames = frames_of_fault(room, info, context);
  if (!print_place(head, frames, STDERR_FILENO)) print("%s\n", head);
}

void end_by(int signal) {
  ::signal(signal, SIG_DFL);
  raise(signal);  // arrives when the handler returns
}

void print_crash(int signal, const siginfo_t& info, const void* context) {
  if (wanted == CrashDetail::place) return say_where_it_happened(signal, info, context);
  begin_report();
  say_what_happened(signal, info, context);
  if (!trace_with_gdb()) trace_without_gdb(info, context);
  end_report();
}

// The action stays until the end: threads often fail together, and the others must wait until the first one has printed.
void on_fault(int signal, siginfo_t* info, void* context) {
  pid_t thread = 0;
  if (tracer.compare_exchange_strong(thread, gettid())) {
    print_crash(signal, *info, context);
  } else {
    while (thread != gettid()) pause();  // that one will end the process
    if (is_walking) siglongjmp(before_walk, 1);
    end_report();
  }
  end_by(signal);
}

void take(int signal) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0 || (action.sa_flags & SA_SIGINFO) ||
      action.sa_handler != SIG_DFL)
    return;
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(signal, &action, nullptr);
}

// In the place of a smaller one, too: that of Rust's runtime, 8 KiB, has room for a handler that says nothing.
void use_a_stack_of_its_own() {
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) == 0 && !(stack.ss_flags & SS_DISABLE) &&
      stack.ss_size >= handler_stack_bytes)
    return;
  const StackRoom room = get_stack_room(handler_stack_bytes);
  if (!room.begin) return;
  stack = {room.begin, 0, room.bytes};
  sigaltstack(&stack, nullptr);
}

}  // namespace

void name_in_traces(const std::string& who) { std::snprintf(speaker, sizeof speaker, "%s", who.c_str()); }

void report_crashes(const std::string& who, CrashDetail detail) {
  name_in_traces(who);
  wanted = detail;
  use_a_stack_of_its_own();
  for (int signal : faults) take(signal);
  if (detail == CrashDetail::place) return;
  find_gdb();
  for (int signal : aborts) take(signal);
}

}  // namespace atrium
