// Formats messages to the user and writes each of them to standard error in one piece.
// SPDX-License-Identifier: BSD-3-Clause
#include "core/log.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "atrium_message.hpp"

namespace atrium {
namespace {

std::string& speaker() {
  static auto& name = *new std::string;  // never destroyed (core/never_destroyed.hpp)
  return name;
}

bool (*is_news_to_user)(const Error&) = nullptr;
void (*fatal_hook)() = nullptr;

std::string prefix() { return speaker().empty() ? "atrium" : "atrium: " + speaker(); }

// Of a process, and not of the machine or a container.
bool is_memory_limited() {
  rlimit data{}, space{};
  return getrlimit(RLIMIT_DATA, &data) == 0 && getrlimit(RLIMIT_AS, &space) == 0 &&
         (data.rlim_cur != RLIM_INFINITY || space.rlim_cur != RLIM_INFINITY);
}

// pthread_create fails alike where there may be no further thread and where there is no room for its stack.
const char* remedy_for_no_thread() {
  return is_memory_limited()
             ? "a larger limit of memory (ulimit -d, ulimit -v), of which each thread takes a stack (ulimit "
               "-s), or "
               "of processes and threads (ulimit -u, the container's pids.max)"
             : "fewer PEs, or a larger limit of processes and threads (ulimit -u, the container's pids.max)";
}

}  // namespace

Error system_error(std::string_view what, const char* call) {
  const int number = errno;
  return Error{what, std::string(call) + ": " + std::strerror(number), {}, {}, number};
}

std::string remedy_for(const Error& error) {
  if (!error.remedy.empty() || error.number == 0) return error.remedy;
  switch (error.number) {
    case EMFILE:
    case ENFILE:
      return "a larger limit of open files (ulimit -n), or fewer PEs";
    case ENOMEM:
      return "fewer PEs, a smaller SHMEM_SYMMETRIC_SIZE, or a larger limit of memory (ulimit -v, ulimit -d, "
             "the container's)";
    case EAGAIN:
      return remedy_for_no_thread();
    case ENOSPC:
      return "more room there, or fewer PEs";
    case EACCES:
    case EPERM:
    case ENOSYS:
      return "looking for a policy of this machine or container (seccomp, SELinux) that forbids the call";
    default:
      return "strace -f to see the call among others, and the kernel's own messages (dmesg)";
  }
}

void set_speaker(std::string name) { speaker() = std::move(name); }
const std::string& get_speaker() { return speaker(); }

std::string printable(const std::string& text) {
  return text_by([&](atrium_text& shown) { atrium_append_printable(&shown, text.c_str()); });
}

std::string format_error(const Error& error) {
  const std::string remedy = remedy_for(error);
  return format_message(prefix(),
                        {error.what.c_str(), error.because.c_str(), error.during.c_str(), remedy.c_str()});
}

void report(const Error& error) { write_to_stderr(format_error(error)); }

void note(const std::string& text) { write_to_stderr(prefix() + ": note: " + printable(text) + "\n"); }
void warn(const std::string& text) { write_to_stderr(prefix() + ": warning: " + printable(text) + "\n"); }

void on_fatal(bool (*is_news)(const Error&), void (*hook)()) {
  is_news_to_user = is_news;
  fatal_hook = hook;
}

void fatal(const Error& error, int status) {
  std::fflush(
      stdout);  // not all files: a thread that reads standard input holds that one until something comes
  if (!is_news_to_user || is_news_to_user(error)) write_to_stderr(format_error(error));
  if (fatal_hook) fatal_hook();
  std::_Exit(status);
}

}  // namespace atrium
