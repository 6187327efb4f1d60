// Starts the PEs of this host one after the other, with their pipes, and keeps track of their processes.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/pes.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <utility>

#include "atrium_pipe.hpp"
#include "os/process_stat.hpp"
#include "symbols/elf_program.hpp"

namespace atrium {
namespace {

// The kernel looks for an interpreter whose name ends with a carriage return.
bool has_lines_of_windows(const std::string& script) {
  std::ifstream file(script);
  std::string line;
  return std::getline(file, line) && line.starts_with("#!") && line.ends_with('\r');
}

std::string remedy_for(int error, const std::string& what) {
  switch (error) {
    case ENOEXEC:
      if (const std::string other = read_elf_program(what).other_machine(); !other.empty())
        return "compiling it for this machine: it is a program for " + other;
      return "a first line such as '#!/bin/sh' if it is a script, or a complete program for this machine";
    case ENOENT:
      if (has_lines_of_windows(what)) return "dos2unix " + what + ": its lines end as those of Windows do";
      return "an interpreter that exists in the script's first line, or the loader that the program was "
             "linked for";
    case E2BIG:
      return "fewer arguments, or a smaller environment";
    case EAGAIN:
      return "fewer PEs, or a higher limit on processes (ulimit -u, pids.max of the cgroup)";
    case EMFILE:
    case ENFILE:
      return "fewer PEs, or a higher limit on open files (ulimit -n)";
    case ENOMEM:
      return "fewer PEs";
    default:
      return {};
  }
}

Refusal cannot_start(int number, int count, const char* what, int status = 1) {
  const int error = errno;
  Error result = system_error("cannot start PE " + std::to_string(number), what);
  return {result.while_doing("starting " + std::to_string(count) + " PEs").try_this(remedy_for(error, what)),
          status};
}

}  // namespace

std::optional<Refusal> Pes::start(int number, const Start& start) {
  PeCommand command = start.commands.of(number);
  Pipe output, errors;
  if (!command.owns_terminal && !(output.open() && errors.open()))
    return cannot_start(number, count(), "pipe");
  Child child;
  child.path = command.path;
  child.words = std::move(command.words);
  child.kept_fds[0] = start.segment.fd(number);
  child.kept_fds[1] = start.segment.is_first_of_node(number) ? start.bell : -1;
  child.kept_fds[2] = start.record_fd;
  child.environment =
      start.environment.of(number, child.kept_fds[0], child.kept_fds[1], !command.owns_terminal);
  child.streams[0] = command.owns_terminal ? STDIN_FILENO : start.input.stream_of(number);
  if (child.streams[0] < 0) return cannot_start(number, count(), "standard input");
  child.streams[1] = command.owns_terminal ? STDOUT_FILENO : output.to_write();
  child.streams[2] = command.owns_terminal ? STDERR_FILENO : errors.to_write();
  if (!command.owns_terminal) child.group = &orphan_killer_.group(static_cast<size_t>(number));
  child.has_fixed_addresses = start.fixed_addresses;
  child.cpus = start.places[static_cast<size_t>(number)];

  SpawnFailure failure;
  const pid_t pid = spawn(child, failure);
  if (pid < 0)
    return cannot_start(number, count(), command.path.c_str(),
                        failure == SpawnFailure::program ? status_not_executable : 1);
  if (!command.owns_terminal) start.output.add(number, output.take_to_read(), errors.take_to_read());
  pes_[static_cast<size_t>(number)] = {pid, true, child.group != nullptr};
  ++running_;
  return std::nullopt;
}

// A PE that has not been reaped keeps its pid and its group's, so this cannot reach a stranger.
void Pes::signal_all(int signal) const {
  for (const Pe& pe : pes_)
    if (pe.running) kill(pe.own_group ? -pe.pid : pe.pid, signal);
}

// A script may have started the program that joined the job. Not the group: each process takes the signal or not for
// itself.
void Pes::signal_prepared(int signal, const Registered& registered) const {
  for (int number = 0; number < count(); ++number) {
    if (!is_running(number)) continue;
    const pid_t program = registered.program(number, pid(number));
    if (takes_signal(program, signal) && !registered.signal(number, signal)) kill(program, signal);
  }
}

// While a group has members its number is not given to anybody else.
void Pes::forget_empty_groups() {
  for (size_t number = 0; number < pes_.size(); ++number) {
    std::atomic<pid_t>& group = orphan_killer_.group(number);
    if (group != 0 && !pes_[number].running && kill(-group, 0) != 0) group = 0;
  }
}

bool Pes::signal_groups(int signal) {
  forget_empty_groups();
  bool any = false;
  for (size_t number = 0; number < pes_.size(); ++number)
    if (const pid_t group = orphan_killer_.group(number)) any |= kill(-group, signal) == 0;
  return any;
}

int Pes::number_of(pid_t pid) const {
  const auto found =
      std::find_if(pes_.begin(), pes_.end(), [pid](const Pe& pe) { return pe.pid == pid && pe.running; });
  return found == pes_.end() ? -1 : static_cast<int>(found - pes_.begin());
}

int Pes::mark_reaped(pid_t pid) {
  const int number = number_of(pid);
  if (number < 0) return -1;
  pes_[static_cast<size_t>(number)].running = false;
  --running_;
  forget_empty_groups();
  return number;
}

}  // namespace atrium
