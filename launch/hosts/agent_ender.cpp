// Starts the command, writes orders to it, and reads the reason that it finds.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent_ender.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "launch/hosts/end_agent.hpp"

namespace atrium {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto patience = std::chrono::seconds(2);  // of a job that ends, for a host that may be unreachable
constexpr size_t most_said = 1 << 16;

}  // namespace

AgentEnder::AgentEnder(Loop& loop, std::vector<std::string> command,
                       std::function<void(const std::string&)> on_reason)
    : loop_(loop), words_(std::move(command)), on_reason_(std::move(on_reason)) {}

AgentEnder::~AgentEnder() { finish(); }

void AgentEnder::start(Agent agent) {
  if (command_.has_started()) return;
  auto streams = command_.start(words_, false);
  has_failed_ = !streams;
  if (!streams) return;
  out_ = streams->input, in_ = streams->output;
  fcntl(in_, F_SETFL, O_NONBLOCK);
  loop_.watch(in_, EPOLLIN, *this);
  ends_by_itself_ = agent == Agent::is_new;
  if (!ends_by_itself_) order(agent_has_greeted);
}

void AgentEnder::end_now() {
  start(Agent::is_new);
  if (ends_it_ || out_ < 0) return;
  ends_it_ = true;
  patience_end_ = Clock::now() + patience;
  order(end_agent_now);
}

void AgentEnder::order(char order) {
  if (::write(out_, &order, 1) != 1) close_out();
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
  has_failed_ = end == std::string::npos;
  if (has_failed_ || ends_it_) return;
  ends_it_ = ends_by_itself_;
  patience_end_ = Clock::now() + patience;
  const size_t begin = at + std::string_view(end_agent_line).size();
  on_reason_(said_.substr(begin, end - begin));
}

void AgentEnder::finish() {
  close_in();
  if (!ends_it_) close_out();
  int status = 0;
  if (ends_it_) command_.ends_by(patience_end_, status);
  close_out();
  command_.end();
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
