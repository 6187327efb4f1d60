// One process, two pipes.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent_ender.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "launch/hosts/agent_command.hpp"
#include "launch/hosts/end_agent.hpp"
#include "launch/process/program.hpp"
#include "launch/process/spawn.hpp"

namespace atrium {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto patience = std::chrono::seconds(2);  // of a job that ends, for a host that may be gone
constexpr size_t most_said = 1 << 16;

}  // namespace

AgentEnder::AgentEnder(Loop& loop, std::vector<std::string> command,
                       std::function<void(const std::string&)> on_reason)
    : loop_(loop), command_(std::move(command)), on_reason_(std::move(on_reason)) {}

AgentEnder::~AgentEnder() { finish(); }

void AgentEnder::start() {
  if (pid_ >= 0) return;
  const Program program = find_program(command_.front());
  int to[2], from[2];
  if (program.status != 0 || pipe2(to, O_CLOEXEC) != 0) return;
  if (pipe2(from, O_CLOEXEC) != 0) {
    ::close(to[0]), ::close(to[1]);
    return;
  }
  std::vector<char*> words;
  for (const std::string& word : command_) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  rlimit open_files{};
  getrlimit(RLIMIT_NOFILE, &open_files);
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  Child child;
  child.path = program.path.c_str();
  child.words = words.data();
  std::vector<char*> environment = environment_for(command_);
  child.environment = environment.data();
  child.streams[0] = to[0], child.streams[1] = from[1], child.streams[2] = nothing;
  child.has_own_session = true;
  SpawnFailure why;
  pid_ = spawn(child, open_files, why);
  ::close(to[0]), ::close(from[1]), ::close(nothing);
  out_ = to[1], in_ = from[0];
  fcntl(in_, F_SETFL, O_NONBLOCK);
  loop_.watch(in_, EPOLLIN, *this);
}

void AgentEnder::end_now() {
  start();
  if (ends_it_ || out_ < 0) return;
  ends_it_ = true;
  patience_end_ = Clock::now() + patience;
  if (::write(out_, &end_agent_now, 1) != 1) close_out();
}

void AgentEnder::leave() {
  if (!ends_it_) close_out();
}

void AgentEnder::on_ready() {
  char chunk[1024];
  const ssize_t n = ::read(in_, chunk, sizeof chunk);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n > 0) said_.append(chunk, static_cast<size_t>(n));
  // What a login shell prints before it does no harm.
  const size_t at = said_.find(end_agent_line);
  const size_t end = at == std::string::npos ? at : said_.find('\n', at);
  if (end == std::string::npos && n > 0 && said_.size() <= most_said) return;
  close_in();
  if (end == std::string::npos || ends_it_) return;
  ends_it_ = true;
  patience_end_ = Clock::now() + patience;
  const size_t begin = at + std::string_view(end_agent_line).size();
  on_reason_(said_.substr(begin, end - begin));
}

void AgentEnder::finish() {
  close_in();
  if (!ends_it_) close_out();
  int status = 0;
  while (pid_ > 0 && ends_it_ && Clock::now() < patience_end_) {
    if (waitpid(pid_, &status, WNOHANG) == pid_) pid_ = -1;
    if (pid_ > 0) usleep(5'000);
  }
  close_out();
  if (pid_ < 0) return;
  kill(-pid_, SIGKILL);
  waitpid(pid_, &status, 0);
  pid_ = -1;
}

void AgentEnder::close_out() {
  if (out_ >= 0) ::close(out_);
  out_ = -1;
}

void AgentEnder::close_in() {
  if (in_ < 0) return;
  loop_.forget(in_);
  ::close(in_);
  in_ = -1;
}

}  // namespace atrium
