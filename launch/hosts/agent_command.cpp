// Builds the command that starts an agent on another host: ssh, srun, or what the user has given.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "atrium_words.hpp"
#include "core/settings.hpp"
#include "launch/cli/hosts.hpp"
#include "launch/hosts/silence.hpp"

namespace atrium {
namespace {

// ssh must not ask questions that the user cannot see, and must end soon if the host does not answer. Neither X11 nor a terminal.
std::vector<std::string> ssh_flags() {
  std::vector<std::string> flags = {"-x", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"};
  // The network may be cut while the login's shell starts, before the agent can send anything.
  if (const int limit_s = silence_limit_s(); limit_s > 0)
    flags.insert(flags.end(), {"-o", "ServerAliveInterval=" + std::to_string((limit_s + 1) / 2), "-o",
                               "ServerAliveCountMax=2"});
  return flags;
}

// A step beside all others that has what the job has on that host. The frames are bytes, which a step passes on line by line
// unless it is unbuffered; neither a place nor a stream is left to SLURM_ variables.
const std::vector<std::string> srun_flags = {"--overlap",
                                             "--nodes=1",
                                             "--ntasks=1",
                                             "--mem=0",
                                             "--cpu-bind=none",
                                             "--mpi=none",
                                             "--export=ALL",
                                             "--unbuffered",
                                             "--chdir=/",
                                             "--input=all",
                                             "--output=all",
                                             "--error=all",
                                             "-w"};

// Variables by which the user's job asks of each srun what would make a step smaller, or change what its streams carry, and
// which no flag takes back.
constexpr const char* kept_from_srun[] = {
    "SLURM_CPUS_PER_TASK=",    "SRUN_CPUS_PER_TASK=",  "SLURM_EXACT=",          "SLURM_EXCLUSIVE=",
    "SLURM_GPUS_PER_TASK=",    "SLURM_TRES_PER_TASK=", "SLURM_NTASKS_PER_GPU=", "SLURM_LABELIO=",
    "SLURM_THREADS_PER_CORE=", "SLURM_HINT=",          "SLURM_TIMELIMIT="};

bool put_host(std::string& word, const std::string& host) {
  const size_t at = word.find("%h");
  if (at == std::string::npos) return false;
  word.replace(at, 2, host);
  return true;
}

// ssh gives its words to a shell, others execute them: plain paths are the same to both.
std::string quoted(const std::string& path) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+,-@%:=";
  if (path.find_first_not_of(plain) == std::string::npos) return path;
  std::string text = "'";
  for (const char c : path) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// Without a word of the user's.
bool is_plain(const std::string& agent, const std::vector<std::string>& words) {
  return words.size() == 1 && file_name_of(words[0]) == agent;
}

// As the user has said it.
std::vector<std::string> chosen_agent(const Options& options) {
  std::vector<std::string> words =
      split_words(options.agent.empty() ? setting("ATRIUM_AGENT") : options.agent, " ");
  return words.empty() ? std::vector<std::string>{"ssh"} : words;
}

void name_host(std::vector<std::string>& words, const std::string& host) {
  bool named = false;
  for (std::string& word : words) named = put_host(word, host) || named;
  if (!named) words.push_back(host);
}

}  // namespace

std::vector<std::string> agent_command(const Options& options, const std::string& host,
                                       const std::string& this_oshrun,
                                       const std::vector<std::string>& words_for_oshrun) {
  std::vector<std::string> here = {this_oshrun};
  here.insert(here.end(), words_for_oshrun.begin(), words_for_oshrun.end());
  if (is_this_host(host)) return here;
  std::vector<std::string> words = chosen_agent(options);
  const std::string& oshrun = options.remote_oshrun.empty() ? this_oshrun : options.remote_oshrun;
  const bool by_srun = is_plain("srun", words);
  if (is_plain("ssh", words))
    for (const std::string& flag : ssh_flags()) words.push_back(flag);
  if (by_srun) words.insert(words.end(), srun_flags.begin(), srun_flags.end());
  name_host(words, host);
  words.push_back(by_srun ? oshrun : quoted(oshrun));
  words.insert(words.end(), words_for_oshrun.begin(), words_for_oshrun.end());
  return words;
}

std::string trial_by_hand(const Options& options, const std::string& host) {
  std::vector<std::string> words = chosen_agent(options);
  const bool by_srun = is_plain("srun", words);
  if (by_srun) words.insert(words.end(), {"--overlap", "-N1", "-n1", "-w"});
  name_host(words, host);
  std::string line;
  for (const std::string& word : words) line += word + ' ';
  return "'" + line + "true' by hand" +
         (by_srun ? "; squeue says whether the Slurm job still runs" : ", which must ask nothing");
}

bool reaches_by_srun(const Options& options) { return is_plain("srun", chosen_agent(options)); }

bool agent_is_open(const Options& options) {
  return options.agent.empty() && setting("ATRIUM_AGENT").empty();
}

std::vector<char*> environment_for(const std::vector<std::string>& command) {
  std::vector<char*> entries;
  for (char** entry = environ; *entry; ++entry)
    if (file_name_of(command.front()) != "srun" ||
        std::none_of(std::begin(kept_from_srun), std::end(kept_from_srun),
                     [&](const char* name) { return std::string_view(*entry).starts_with(name); }))
      entries.push_back(*entry);
  entries.push_back(nullptr);
  return entries;
}

}  // namespace atrium
