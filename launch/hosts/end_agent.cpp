// The agent is known by its command line.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/end_agent.hpp"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "launch/hosts/agent.hpp"
#include "launch/process/orphan_killer.hpp"
#include "os/process_stat.hpp"
#include "os/small_file.hpp"

namespace atrium {
namespace {

constexpr int look_every_ms = 500;
constexpr int most_stopped_looks = 4;
// An agent greets within milliseconds of its start, on a crowded machine within seconds.
constexpr int most_looks = 6;
constexpr int most_gone_looks = 4;  // for the news of its end to arrive
constexpr int kill_rounds = 100;
constexpr useconds_t kill_round_us = 10'000;

// The agent, its guard, and PEs that it is just starting. The orphan killer has work to do when the agent is dead.
std::vector<pid_t> processes_of(const std::string& number) {
  const std::string words = std::string(1, '\0') + agent_word + '\0' + number + '\0';
  std::vector<pid_t> found;
  DIR* processes = opendir("/proc");
  if (!processes) return found;
  while (const dirent* entry = readdir(processes)) {
    const std::string process = std::string("/proc/") + entry->d_name;
    const pid_t pid = std::atoi(entry->d_name);  // 0 for what is no process
    if (pid <= 0) continue;
    const std::string line = read_small_file(process + "/cmdline");
    if (line.size() > words.size() && line.find('\0') == line.size() - words.size() &&
        line.ends_with(words) && !is_orphan_killer(process))
      found.push_back(pid);
  }
  closedir(processes);
  return found;
}

void kill_all_of(const std::string& number) {
  for (int round = 0; round < kill_rounds; ++round) {
    const std::vector<pid_t> found = processes_of(number);
    if (found.empty()) return;
    for (const pid_t pid : found) kill(pid, SIGKILL);
    usleep(kill_round_us);
  }
}

bool any_is_stopped(const std::vector<pid_t>& pids) {
  return std::any_of(pids.begin(), pids.end(), [](pid_t pid) { return stat_of(pid).state == 'T'; });
}

// An agent that is not there yet has all the time that its login takes.
struct Watch {
  int there = 0, stopped = 0, gone = 0;  // looks
  const char* reason = nullptr;          // to end it

  void look(const std::vector<pid_t>& pids) {
    if (!pids.empty()) ++there;
    stopped = any_is_stopped(pids) ? stopped + 1 : 0;
    gone = pids.empty() && there > 0 ? gone + 1 : 0;
    if (stopped == most_stopped_looks)
      reason = "somebody has stopped it before it could greet (SIGSTOP)";
    else if (there >= most_looks && stopped == 0)
      reason = "it runs there, but its greeting does not arrive";
    else if (gone == most_gone_looks)
      reason = "it has ended there, and nothing that it said arrives";
  }
};

void say(const char* why) {
  std::printf("%s%s\n", end_agent_line, why);
  std::fflush(stdout);
}

}  // namespace

int end_agent(const std::string& number) {
  pollfd orders{STDIN_FILENO, POLLIN, 0};
  Watch watch;
  while (!watch.reason) {
    if (poll(&orders, 1, look_every_ms) > 0) {
      char order = 0;
      if (read(STDIN_FILENO, &order, 1) != 1) return 0;
      if (order == end_agent_now) break;
    }
    watch.look(processes_of(number));
  }
  if (watch.reason) say(watch.reason);
  kill_all_of(number);
  return 0;
}

}  // namespace atrium
