// Starts the command, writes orders to it, and reads the reason that it finds.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent_ender.hpp"

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
    : words_(std::move(command)),
      on_reason_(std::move(on_reason)),
      out_(loop, [] {}),
      in_(loop, [this](std::string_view bytes) { take(bytes); }) {}

AgentEnder::~AgentEnder() { finish(); }

void AgentEnder::start(Agent agent) {
  if (command_.has_started()) return;
  auto streams = command_.start(words_, false);
  has_failed_ = !streams;
  if (!streams) return;
  out_.open(streams->input);
  in_.open(streams->output);
  ends_by_itself_ = agent == Agent::is_new;
  if (!ends_by_itself_) out_.put({&agent_has_greeted, 1});
}

void AgentEnder::end_now() {
  start(Agent::is_new);
  if (ends_it_ || out_.closed()) return;
  ends_it_ = true;
  patience_end_ = Clock::now() + patience;
  out_.put({&end_agent_now, 1});
}

void AgentEnder::take(std::string_view bytes) {
  said_ += bytes;
  // What a login shell prints before it does no harm.
  const size_t at = said_.find(end_agent_line);
  const size_t end = at == std::string::npos ? at : said_.find('\n', at);
  if (end == std::string::npos && !bytes.empty() && said_.size() <= most_said) return;
  in_.close();
  has_failed_ = end == std::string::npos;
  if (has_failed_ || ends_it_) return;
  ends_it_ = ends_by_itself_;
  patience_end_ = Clock::now() + patience;
  const size_t begin = at + std::string_view(end_agent_line).size();
  on_reason_(said_.substr(begin, end - begin));
}

void AgentEnder::finish() {
  in_.close();
  if (!ends_it_) out_.close();
  int status = 0;
  if (ends_it_) command_.ends_by(patience_end_, status);
  out_.close();
  command_.end();
}

}  // namespace atrium
