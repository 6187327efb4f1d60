// Finds in what a command printed the reason why it failed: ssh has it in its last line, srun before the status of its task, an oshrun in its first two lines.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/last_words.hpp"

#include <string_view>

#include "launch/cli/options.hpp"

namespace atrium {
namespace {

bool is_srun_status(const std::string& line) {
  return line.starts_with("srun: ") && line.find(": Exited with exit code ") != std::string::npos;
}

// The parts of our own messages behind their first line.
bool is_of_message(const std::string& line, std::string_view part) {
  return line.starts_with("  ") && std::string_view(line).substr(2).starts_with(part);
}

std::string last_line(const std::string& text) {
  const size_t end = text.find_last_not_of(" \r\n");
  if (end == std::string::npos) return {};
  const size_t begin = text.find_last_of("\r\n", end) + 1;  // npos + 1 is 0
  const std::string line = text.substr(begin, end - begin + 1);
  const bool goes_on = is_srun_status(line) || is_of_message(line, "while:") || is_of_message(line, "try:");
  if (begin == 0 || !(goes_on || is_of_message(line, "because: "))) return line;
  const std::string before = last_line(text.substr(0, begin));
  return goes_on ? before : before + ": " + line.substr(line.find(':') + 2);
}

}  // namespace

std::string with_last_words(const std::string& because, const std::string& said) {
  const std::string line = last_line(said);
  return line.empty() ? because : because + ": " + line;
}

bool oshrun_is_missing_there(const Ending& ending, const std::string& said) {
  if (ending.by_signal) return false;
  const size_t by_slurm = said.find("error: execve(): ");
  return ending.code == status_not_found ||
         (by_slurm != std::string::npos &&
          said.find("No such file or directory", by_slurm) != std::string::npos);
}

}  // namespace atrium
