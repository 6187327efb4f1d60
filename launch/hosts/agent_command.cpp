// ssh, or what the user says.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent_command.hpp"

#include "core/settings.hpp"
#include "launch/cli/hosts.hpp"
#include "launch/hosts/silence.hpp"

namespace atrium {
namespace {

// Never a question that nobody sees, and an end soon where nobody answers. Neither X11 nor a terminal.
std::vector<std::string> ssh_flags() {
  std::vector<std::string> flags = {"-x", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"};
  // A network that is cut while the login's shell takes its time, before the agent can say anything.
  if (const int limit_s = silence_limit_s(); limit_s > 0)
    flags.insert(flags.end(), {"-o", "ServerAliveInterval=" + std::to_string((limit_s + 1) / 2), "-o",
                               "ServerAliveCountMax=2"});
  return flags;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (size_t begin = 0; (begin = text.find_first_not_of(' ', begin)) != std::string::npos;) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

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

bool is_plain_ssh(const std::vector<std::string>& words) {
  return words.size() == 1 && (words[0] == "ssh" || words[0].ends_with("/ssh"));
}

// As the user has said it.
std::vector<std::string> chosen_agent(const Options& options) {
  std::vector<std::string> words = split(options.agent.empty() ? setting("ATRIUM_AGENT") : options.agent);
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
  if (is_plain_ssh(words))
    for (const std::string& flag : ssh_flags()) words.push_back(flag);
  name_host(words, host);
  words.push_back(quoted(options.remote_oshrun.empty() ? this_oshrun : options.remote_oshrun));
  words.insert(words.end(), words_for_oshrun.begin(), words_for_oshrun.end());
  return words;
}

std::string trial_by_hand(const Options& options, const std::string& host) {
  std::vector<std::string> words = chosen_agent(options);
  name_host(words, host);
  std::string line;
  for (const std::string& word : words) line += word + ' ';
  return line + "true";
}

}  // namespace atrium
