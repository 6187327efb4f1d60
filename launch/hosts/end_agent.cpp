// Finds an agent by its command line, watches it, and kills it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/end_agent.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "atrium_system.hpp"
#include "launch/hosts/agent.hpp"
#include "launch/hosts/guard.hpp"
#include "launch/process/orphan_killer.hpp"
#include "os/process_stat.hpp"

namespace atrium {
namespace {

constexpr int look_every_ms = 500;
constexpr int most_stopped_looks = 4;
constexpr int most_stopped_looks_of_greeted = 2;
// An agent greets within milliseconds of its start, on a busy machine within seconds.
constexpr int most_looks = 6;
constexpr int most_gone_looks = 4;  // for the news of its end to arrive
// In which the loop of an agent turns twice, and what it sends arrives.
constexpr int most_turning_looks = 5;
constexpr int kill_rounds = 100;
constexpr useconds_t kill_round_us = 10'000;

// The agent, its guard, and PEs that it is just starting. The orphan killer has work to do when the agent is dead.
std::vector<pid_t> processes_of(const std::string& number) {
  const std::string words = std::string(1, '\0') + agent_word + '\0' + number + '\0';
  std::vector<pid_t> found;
  for (const pid_t pid : numbers_in("/proc")) {
    const std::string line = read_small_file("/proc/" + std::to_string(pid) + "/cmdline");
    if (line.size() > words.size() && line.find('\0') == line.size() - words.size() &&
        line.ends_with(words) && !is_orphan_killer(pid))
      found.push_back(pid);
  }
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

// How often the process has gone to sleep.
uint64_t sleeps_of(pid_t pid) {
  return number_behind(read_small_file("/proc/" + std::to_string(pid) + "/status"),
                       "\nvoluntary_ctxt_switches:");
}

// Whether its loop turns: it sleeps, as one does that waits for a CPU, a disk or a debugger not, and wakes up now and then.
class Turning {
 public:
  bool look(pid_t agent) {
    if (stat_of(agent).state != 'S') return looks_ = 0, false;
    const uint64_t sleeps = sleeps_of(agent);
    if (looks_++ == 0) sleeps_before_ = sleeps;
    return looks_ >= most_turning_looks && sleeps > sleeps_before_;
  }

 private:
  int looks_ = 0;
  uint64_t sleeps_before_ = 0;
};

// Finds out why an agent is silent. Before it is there, it has all the time that its login takes.
class Watch {
 public:
  void set_greeted() { greeted_ = true; }

  // Null: it is too early to know.
  const char* look(const std::vector<pid_t>& pids) {
    there_ += !pids.empty();
    stopped_ = any_is_stopped(pids) ? stopped_ + 1 : 0;
    gone_ = pids.empty() && (there_ > 0 || greeted_) ? gone_ + 1 : 0;
    if (gone_ == most_gone_looks) return "it has ended there, and nothing that it said arrives";
    return greeted_ ? look_at_greeted(pids) : look_at_new();
  }

 private:
  const char* look_at_new() const {
    if (stopped_ == most_stopped_looks) return "somebody has stopped it before it could greet (SIGSTOP)";
    return there_ >= most_looks && stopped_ == 0 ? "it runs there, but its greeting does not arrive"
                                                 : nullptr;
  }
  const char* look_at_greeted(const std::vector<pid_t>& pids) {
    if (stopped_ == most_stopped_looks_of_greeted) return "somebody has stopped it (SIGSTOP)";
    const auto agent = std::find_if_not(pids.begin(), pids.end(), is_guard);
    const bool turns = agent != pids.end() && turning_.look(*agent);
    return turns ? "it runs there, but nothing that it says arrives" : nullptr;
  }

  bool greeted_ = false;
  int there_ = 0, stopped_ = 0, gone_ = 0;  // looks
  Turning turning_;
};

void say(const char* why) {
  std::printf("%s%s\n", end_agent_line, why);
  std::fflush(stdout);
}

}  // namespace

int end_agent(const std::string& number) {
  pollfd orders{STDIN_FILENO, POLLIN, 0};
  Watch watch;
  bool greeted = false;
  for (const char* reason = nullptr;;) {
    if (poll(&orders, 1, look_every_ms) > 0) {
      char order = 0;
      if (read(STDIN_FILENO, &order, 1) != 1) return 0;
      if (order == end_agent_now) break;
      greeted = order == agent_has_greeted;
      if (greeted) watch.set_greeted();
    }
    if (reason) continue;
    reason = watch.look(processes_of(number));
    if (reason) say(reason);
    if (reason && !greeted) break;
  }
  kill_all_of(number);
  return 0;
}

}  // namespace atrium
