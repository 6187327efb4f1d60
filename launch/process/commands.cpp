// Puts the words of a debugger or of another tool before those of the program.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/commands.hpp"

#include <unistd.h>

#include <algorithm>

namespace atrium {
namespace {

const std::vector<std::string> gdb_on_terminal = {"gdb", "-q", "--args"};

// Signals that programs use regularly must not stop a debugger without a user.
const std::vector<std::string> gdb_unattended = {
    "gdb",    "-q",
    "-batch", "-return-child-result",
    "-iex",   "set debuginfod enabled off",
    "-ex",    "handle SIGPIPE SIGUSR1 SIGUSR2 SIGCHLD SIGALRM nostop noprint pass",
    "-ex",    "run",
    "-ex",    "thread apply all bt",
    "--args"};

const std::vector<std::string> valgrind = {"valgrind", "-q"};

bool has_terminal() { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO); }

std::string tool_of(const Wrap& wrap) {
  switch (wrap.tool) {
    case Tool::gdb:
      return "gdb";
    case Tool::valgrind:
      return "valgrind";
    case Tool::command:
      break;
  }
  return wrap.command.front();
}

void put_in_front(PeCommand& command, const std::vector<std::string>& words) {
  command.words.insert(command.words.begin(), words.begin(), words.end());
}

}  // namespace

Commands::Commands(const Options& options, std::string program_path)
    : options_(options), program_path_(std::move(program_path)) {
  if (!has_terminal()) return;
  for (const Wrap& wrap : options_.wraps)
    if (wrap.tool == Tool::gdb) terminal_pe_ = wrap.pes.numbers.empty() ? 0 : wrap.pes.numbers.front();
}

std::optional<Refusal> Commands::check() const {
  for (const Wrap& wrap : options_.wraps) {
    auto refusal = find_program(tool_of(wrap)).refusal;
    if (!refusal) continue;
    refusal->error.during = "wrapping PEs with it";
    refusal->error.remedy = "it without this flag, or install " + tool_of(wrap);
    return refusal;
  }
  return std::nullopt;
}

bool Commands::wraps_pe(const Wrap& wrap, int pe) const {
  const bool own_choice = wrap.tool != Tool::command && !wrap.pes.all && wrap.pes.numbers.empty();
  if (!own_choice) return wrap.pes.has(pe);
  return wrap.tool == Tool::gdb && terminal_pe_ >= 0 ? pe == terminal_pe_ : true;
}

void Commands::wrap_gdb(PeCommand& command, int pe) const {
  command.owns_terminal = pe == terminal_pe_;
  put_in_front(command, command.owns_terminal ? gdb_on_terminal : gdb_unattended);
}

PeCommand Commands::of(int pe) const {
  PeCommand command{program_path_, options_.command, false};
  for (const Wrap& wrap : options_.wraps) {
    if (!wraps_pe(wrap, pe)) continue;
    if (command.path == program_path_) command.words.front() = program_path_;  // tools search differently
    if (wrap.tool == Tool::gdb) wrap_gdb(command, pe);
    if (wrap.tool == Tool::valgrind) put_in_front(command, valgrind);
    if (wrap.tool == Tool::command) put_in_front(command, wrap.command);
    command.path = find_program(command.words.front()).path;
  }
  return command;
}

}  // namespace atrium
