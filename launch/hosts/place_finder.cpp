// Starts the child and reads what it has found through a pipe, as the frame that an agent would send. The child is reaped, or
// killed, with the others of this launcher.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/place_finder.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <utility>

#include "atrium_pipe.hpp"
#include "launch/hosts/messages.hpp"
#include "launch/process/descriptors.hpp"

namespace atrium {
namespace {

[[noreturn]] void find_and_write(const PlaceFinder::Find& find, int fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close_all_but({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, fd});  // PE 0 waits for the end of its input
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);  // they are for the launcher
  const std::string frame = frame_of(find()).bytes();
  for (size_t at = 0; at < frame.size();) {
    const ssize_t written = write(fd, frame.data() + at, frame.size() - at);
    if (written <= 0) break;
    at += static_cast<size_t>(written);
  }
  _exit(0);
}

std::vector<PlacedWait> parse(const std::string& said) {
  FrameParser parser;
  parser.add(said);
  uint8_t kind = 0;
  std::string_view payload;
  if (!parser.next(kind, payload) || static_cast<HostMessage>(kind) != HostMessage::places) return {};
  FrameReader frame(payload);
  return is_message(HostMessage::places, frame) ? read_places(frame) : std::vector<PlacedWait>{};
}

}  // namespace

void PlaceFinder::start(const Find& find) {
  if (!from_child_.closed()) return;
  Pipe pipe;
  const pid_t child = pipe.open() ? fork() : -1;
  if (child == 0) find_and_write(find, pipe.to_write());
  if (child < 0) return answer_(find());
  from_child_.open(pipe.take_to_read());
}

void PlaceFinder::take(std::string_view bytes) {
  said_ += bytes;
  if (bytes.empty()) answer_(parse(std::exchange(said_, {})));
}

}  // namespace atrium
