// The thread that watches the TCP connections to the neighbours in the tree of nodes, and passes on what was cut.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/node_watch.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "network/host_watch.hpp"

namespace atrium {

// The only message.
struct NodeWatch::Word {
  uint64_t secret;
  uint64_t cut;   // Cut::word(), or 0: a greeting
  uint64_t node;  // the sender
};

namespace {

constexpr int nap_ms = 200;        // between two checks of what a PE of this node has found out
constexpr size_t most_links = 16;  // strangers among them

}  // namespace

std::unique_ptr<NodeWatch> NodeWatch::listen(const std::vector<std::string>& addresses) {
  std::unique_ptr<NodeWatch> watch(new NodeWatch);
  bool listens = false;
  for (const std::string& address : addresses) {
    watch->names_.emplace_back();
    watch->listeners_.push_back(listen_for_links(address, watch->names_.back()));
    listens |= watch->listeners_.back().is_open();
  }
  return listens ? std::move(watch) : nullptr;
}

NodeWatch::~NodeWatch() {
  stop();
  thread_.join();
}

void NodeWatch::start(const NodeWatchPlan& plan) {
  plan_ = plan;
  const auto chosen = std::find(names_.begin(), names_.end(), plan.names[plan.node]);
  if (chosen == names_.end() || chosen->empty()) return;
  TcpSocket listener = std::move(listeners_[static_cast<size_t>(chosen - names_.begin())]);
  listeners_.clear();
  listeners_.push_back(std::move(listener));
  thread_.start(
      "atrium-watch", [](void* self) { static_cast<NodeWatch*>(self)->run(); }, this);
}

void NodeWatch::run() {
  connect_to_parent();
  while (!stop_ && !is_over_) wait_for_news();
  links_.clear();
  listeners_.clear();
}

// The kernel tries again after 1, 3 and 7 s.
void NodeWatch::connect_to_parent() {
  const uint32_t parent = plan_.node == 0 ? 0 : (plan_.node - 1) / 2;
  if (plan_.node == 0 || plan_.names[parent].empty()) return;
  Link link{connect_link(plan_.names[parent]), Link::State::begins, parent};
  if (link.socket.is_open()) links_.push_back(std::move(link));
}

void NodeWatch::wait_for_news() {
  std::vector<pollfd> sockets{{listeners_[0].get(), POLLIN, 0}};
  for (const Link& link : links_) {
    const short awaited = link.state == Link::State::begins ? POLLOUT : POLLIN;
    sockets.push_back({link.socket.get(), awaited, 0});
  }
  ::poll(sockets.data(), sockets.size(), nap_ms);
  for (size_t i = 0; i < links_.size() && !is_over_; ++i) {
    if (sockets[i + 1].revents == 0) continue;
    links_[i].state == Link::State::begins ? greet(links_[i]) : listen_to(links_[i]);
  }
  std::erase_if(links_, [](const Link& link) { return !link.socket.is_open(); });
  if (sockets[0].revents != 0) admit();
  const uint64_t found = plan_.found ? plan_.found->load(std::memory_order_relaxed) : 0;
  if (found == 0 || is_over_) return;
  report(Cut::of(found));
  is_over_ = true;  // the thread that has found it ends this node
}

// When it is known whether a connection that I requested was made.
void NodeWatch::greet(Link& link) {
  if (take_error(link.socket.get()) != 0) {
    link.socket = {};
    return;
  }
  const Word greeting{plan_.secret, 0, plan_.node};
  link.state = Link::State::stands;
  ::send(link.socket.get(), &greeting, sizeof greeting, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// A message is never longer than what a socket takes and returns at once.
void NodeWatch::listen_to(Link& link) {
  Word word;
  const ssize_t bytes = ::recv(link.socket.get(), &word, sizeof word, MSG_DONTWAIT);
  if (bytes == sizeof word && word.secret == plan_.secret && word.node < plan_.names.size())
    return receive(link, word);
  const int error = bytes < 0 ? errno : 0;
  if (error == EAGAIN || error == EINTR) return;
  link.socket = {};
  if (says_unreachable(error) && link.state == Link::State::stands) end({plan_.node, link.node});
}

void NodeWatch::receive(Link& link, const Word& word) {
  link.state = Link::State::stands;
  link.node = static_cast<uint32_t>(word.node);
  if (word.cut == 0) return;
  const Cut cut = Cut::of(word.cut);
  if (cut.from < plan_.hosts.size() && cut.to < plan_.hosts.size()) end(cut);
}

void NodeWatch::admit() {
  TcpSocket socket = accept_link(listeners_[0].get());
  if (!socket.is_open()) {  // nor perhaps at the next attempt, for which poll() will not wait
    ::poll(nullptr, 0, nap_ms);
    return;
  }
  const auto stranger = std::find_if(links_.begin(), links_.end(),
                                     [](const Link& link) { return link.state == Link::State::stranger; });
  if (links_.size() >= most_links && stranger != links_.end()) links_.erase(stranger);
  links_.emplace_back();
  links_.back().socket = std::move(socket);
}

// To the neighbours that are left.
void NodeWatch::report(const Cut& cut) {
  const Word word{plan_.secret, cut.word(), plan_.node};
  for (const Link& link : links_) {
    if (link.state == Link::State::stands && link.socket.is_open())
      ::send(link.socket.get(), &word, sizeof word, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}

void NodeWatch::end(const Cut& cut) {
  if (paused_.load(std::memory_order_relaxed)) return;
  is_over_ = true;
  report(cut);
  const bool is_mine = cut.from == plan_.node;
  plan_.cut_off(plan_.subject, cannot_reach(plan_.hosts[cut.from], plan_.hosts[cut.to],
                                            is_mine ? "its kernel has not answered for 5 s"
                                                    : "so " + plan_.hosts[cut.from] + " says"));
}

}  // namespace atrium
