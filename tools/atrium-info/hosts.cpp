// Starts the jobs by the launcher that lies beside this program, and puts what they say into one answer.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium-info/hosts.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "atrium-info/own_place.hpp"
#include "atrium_pipe.hpp"
#include "atrium_system.hpp"
#include "atrium_words.hpp"

namespace atrium {
namespace {

constexpr size_t most_at_once = 32;     // logins: sshd refuses more than some (MaxStartups)
constexpr const char* patience = "60";  // seconds of a job that does nothing

// A command under way, both of whose streams go into one pipe.
class PipedCommand {
 public:
  explicit PipedCommand(std::vector<std::string> words) {
    if (!output_.open()) return;
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&streams, output_.to_write(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&streams, output_.to_write(), STDERR_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int error = ::posix_spawn(&pid_, words[0].c_str(), &streams, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&streams);
    output_.close_to_write();
    if (error == 0) return;
    pid_ = -1;
    said_ = "cannot run " + words[0] + ": " + std::strerror(error) + "\n";
  }

  // Reads all that it prints, and waits for its end. Whether that was good.
  bool end() {
    if (output_.to_read() >= 0) said_ += read_to_end(output_.to_read());
    return wait_for_end(pid_) == 0;
  }
  const std::string& said() const { return said_; }

 private:
  pid_t pid_ = -1;
  Pipe output_;
  std::string said_;
};

class Trial {
 public:
  explicit Trial(const HostsToTry& wanted) : wanted_(wanted), hosts_(split_words(wanted.hosts, ",")) {}

  int run() {
    std::printf("Hosts\n");
    for (size_t first = 0; first < hosts_.size(); first += most_at_once)
      try_alone(first, std::min(first + most_at_once, hosts_.size()));
    const bool together = good_.size() < 2 || try_together();
    return conclude(together);
  }

 private:
  std::vector<std::string> job(const std::string& hosts, std::vector<std::string> words) const {
    const std::string self = path_of_this_program();
    std::vector<std::string> command = {
        beside(self, "oshrun"), "-q", "--timeout", patience, "--hosts", hosts, "-N", "1"};
    if (!wanted_.agent.empty()) command.insert(command.end(), {"--agent", wanted_.agent});
    if (!wanted_.remote_oshrun.empty())
      command.insert(command.end(), {"--remote-oshrun", wanted_.remote_oshrun});
    command.push_back(wanted_.remote_oshrun.empty() ? self : beside(wanted_.remote_oshrun, "atrium-info"));
    command.insert(command.end(), words.begin(), words.end());
    return command;
  }

  void try_alone(size_t first, size_t last) {
    std::vector<PipedCommand> commands;
    for (size_t host = first; host < last; ++host) commands.emplace_back(job(hosts_[host], {"--as-host"}));
    for (size_t host = first; host < last; ++host) {
      PipedCommand& command = commands[host - first];
      if (command.end()) {
        std::printf("  %-22s %s", hosts_[host].c_str(), command.said().c_str());
        good_.push_back(hosts_[host]);
      } else {
        std::printf("  %-22s cannot be used:\n%s", hosts_[host].c_str(), command.said().c_str());
      }
      std::fflush(stdout);
    }
  }

  bool try_together() {
    std::string list;
    for (const std::string& host : good_) list += (list.empty() ? "" : ",") + host;
    PipedCommand command(job(list, {"--as-pes", list}));
    std::printf("\nBetween them\n");
    std::fflush(stdout);
    const bool good = command.end();
    std::fputs(command.said().c_str(), stdout);
    return good;
  }

  int conclude(bool together) const {
    const size_t bad = hosts_.size() - good_.size();
    if (bad == 0 && together) {
      std::printf("\nA job over %s runs.\n", hosts_.size() == 1 ? "this host" : "these hosts");
      return 0;
    }
    std::printf("\nA job over these hosts does not run: ");
    if (bad > 0) std::printf("%zu of %zu cannot be used%s", bad, hosts_.size(), together ? "" : ", and ");
    if (!together) std::printf("those that can do not reach each other");
    std::printf("%s.\n", bad > 0 && together && good_.size() > 1 ? "; one over the others would" : "");
    return 1;
  }

  const HostsToTry& wanted_;
  std::vector<std::string> hosts_;
  std::vector<std::string> good_;
};

}  // namespace

int try_hosts(const HostsToTry& wanted) { return Trial(wanted).run(); }

}  // namespace atrium
