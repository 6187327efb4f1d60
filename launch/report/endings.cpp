// Writes the messages about a job that fails, in four parts: what, because, while, try.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/endings.hpp"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "atrium_words.hpp"
#include "core/number_list.hpp"
#include "core/settings.hpp"
#include "launch/process/loading.hpp"
#include "launch/process/program.hpp"

namespace atrium {
namespace {

std::string name_pe(const EndedPe& ended) {
  return "PE " + std::to_string(ended.pe) + " (pid " + std::to_string(ended.pid) + ") on " + ended.host;
}

std::string running(const Options& options) {
  return "running " + options.command.front() + " on " + counted(static_cast<uint64_t>(options.pes), "PE") +
         (options.pes == 1 ? "" : "; the others are ended");
}

// The kernel sends SIGXCPU at the soft limit and SIGKILL at the hard one; ulimit -t sets both.
bool is_cpu_time_limited() {
  rlimit limit{};
  return getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_max != RLIM_INFINITY;
}

// The kernel found no room for the handler of faults, which has a stack of its own in the thread of shmem_init alone; or another
// handler has come in its place.
bool has_overflowed_perhaps(const EndedPe& ended) {
  return ended.state == PeState::running && ended.faults == FaultWatch::ready;
}

// Whether such a PE computes or is in an endless loop cannot be seen from here.
std::string advise_on_loops(const std::vector<PeSample>& samples) {
  std::vector<int> busy;
  for (const PeSample& sample : samples)
    if (sample.state == PeState::running && sample.process == 'R' && !sample.wait) busy.push_back(sample.pe);
  if (busy.empty()) return {};
  return "more time; or, where a loop of " + format_pes(busy) +
         " waits for a variable to change, shmem_wait_until: the compiler may read the variable only once";
}

std::string explain_signal(const EndedPe& ended) {
  switch (ended.ending.code) {
    case SIGSEGV:
      return has_overflowed_perhaps(ended)
                 ? "perhaps the stack of a thread has overflowed: there was no room to say where, unless the "
                   "program handles this signal itself"
                 : "";
    case SIGKILL:
      return is_cpu_time_limited() ? "somebody killed it: the kernel, where its CPU time has passed ulimit "
                                     "-t or memory runs out (dmesg)"
                                   : "somebody killed it: often the kernel, when memory runs out (see dmesg)";
    case SIGXCPU:
      return "its CPU time has passed the limit of the shell or the batch system (ulimit -t)";
    case SIGBUS:
      return "memory behind an address could not be had: a file that is too short, or no memory left";
    case SIGABRT:
      return "the program called abort(), as failed assertions and uncaught exceptions do";
    default:
      return {};
  }
}

bool is_crash(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGABRT ||
         signal == SIGTRAP || signal == SIGSYS;
}

std::string advise(const EndedPe& ended, const Options& options) {
  if (ended.ending.by_signal && !is_crash(ended.ending.code)) return {};
  if (!ended.ending.by_signal) return "the messages of the program itself, above";
  const std::string debugger = "oshrun --gdb=" + std::to_string(ended.pe) + " to look at it in a debugger";
  // Inlined code reads a context before it can be looked up.
  const std::string checks =
      options.checks.arguments || flag_setting("ATRIUM_CHECK")
          ? "compiling with -DATRIUM_NO_INLINE, so that checks see what is inlined now; "
          : "oshrun --check to have the arguments of every OpenSHMEM call checked; ";
  if (ended.ending.code == SIGSEGV && has_overflowed_perhaps(ended))
    return "a larger stack for threads (OMP_STACKSIZE, pthread_attr_setstacksize, ulimit -s), or " + debugger;
  return (options.backtrace ? checks : checks + "oshrun --backtrace to see where; ") + debugger;
}

Error describe_early_exit(const EndedPe& ended, const Options& options) {
  return {name_pe(ended) + " has left while others are at work",
          "it ended with status 0 between shmem_init and shmem_finalize", running(options),
          "shmem_finalize before the program ends, or shmem_global_exit to end all PEs"};
}

// The loader ends a program with this status too. Its own line, with the name of what is missing, stands above.
Error explain_loader(const EndedPe& ended, const Options& options) {
  const bool perhaps = !ended.ending.by_signal && ended.ending.code == status_not_found &&
                       ended.state == PeState::absent && options.wraps.empty();
  return perhaps ? explain_loading(find_program(options.command.front()).path, options) : Error{};
}

}  // namespace

std::string describe(Ending ending) {
  if (!ending.by_signal) return "ended with status " + std::to_string(ending.code);
  return "was ended by signal " + std::to_string(ending.code) + " (" + strsignal(ending.code) + ")";
}

Error describe_end(const EndedPe& ended, const Options& options) {
  if (!ended.ending.by_signal && ended.ending.code == 0) return describe_early_exit(ended, options);
  if (Error loading = explain_loader(ended, options); !loading.because.empty())
    return {name_pe(ended) + " " + describe(ended.ending), loading.because, running(options), loading.remedy};
  return {name_pe(ended) + " " + describe(ended.ending), ended.ending.by_signal ? explain_signal(ended) : "",
          running(options), advise(ended, options)};
}

Error describe_program_end(const EndedPe& ended, const Options& options) {
  return {name_pe(ended) + " has ended between shmem_init and shmem_finalize while others are at work",
          "its status is known only to the script that started it, which goes on", running(options),
          "'exec PROGRAM' as the script's last line, or 'PROGRAM || exit'"};
}

Error describe_absence(const EndedPe& ended, const Options& options) {
  return {name_pe(ended) + " ended without calling shmem_init",
          "other PEs have called it and wait for this one", running(options),
          "calling shmem_init on every PE or on none"};
}

Error describe_timeout(const Options& options, const std::vector<PeSample>& samples) {
  std::string seconds = std::to_string(options.timeout_seconds);
  seconds.erase(seconds.find_last_not_of('0') + 1);
  if (seconds.ends_with('.')) seconds.pop_back();
  return {"the job has run for " + seconds + (seconds == "1" ? " second" : " seconds") + " and is ended",
          "that is the limit given with --timeout",
          "running " + options.command.front() + " on " + counted(static_cast<uint64_t>(options.pes), "PE"),
          advise_on_loops(samples)};
}

}  // namespace atrium
