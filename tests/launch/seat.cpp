// A PE that needs no library: it does, word by word, what it is told to with its slot in the lobby.
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "lobby/lobby.hpp"
#include "os/life_mark.hpp"

using namespace atrium;

namespace {

int number(const char* variable) { return std::atoi(std::getenv(variable)); }

Lobby& lobby() {
  static const Placement pes = Placement::on_one_node(0, number(job_variable::pes));
  static void* memory =
      mmap(nullptr, lobby_bytes(pes), PROT_READ | PROT_WRITE, MAP_SHARED, number(job_variable::fd), 0);
  if (memory == MAP_FAILED) _exit(99);
  return *static_cast<Lobby*>(memory);
}

// Among the PEs of this node.
int place() {
  auto pes = read_placement(number(job_variable::fd), number(job_variable::pe));
  if (!pes) _exit(98);
  return pes->place();
}

void set_state(PeState state) { lobby().slots()[place()].state = static_cast<uint32_t>(state); }

void ignore(int signal_number) { signal(signal_number, SIG_IGN); }

// Without a handler.
void wait_for(int signal_number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal_number);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  std::printf("ready\n"), std::fflush(stdout);
  signalfd_siginfo info{};
  if (read(signalfd(-1, &set, 0), &info, sizeof info) > 0) std::printf("got\n"), std::fflush(stdout);
}

// As the C library does inside system() and pthread_create().
void block_for_a_moment() {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  usleep(300);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

// "2:word" applies to PE 2 only; "!2:word" to all others.
const char* for_me(const char* word) {
  const char* colon = std::strchr(word, ':');
  if (!colon || !std::strchr("!0123456789", word[0])) return word;
  const bool others = word[0] == '!';
  const bool named = std::atoi(word + others) == number(job_variable::pe);
  return named != others ? colon + 1 : "";
}

void do_word(const std::string& word) {
  const std::string value = word.substr(std::min(word.find('=') + 1, word.size()));
  if (word == "init") set_state(PeState::running);
  if (word == "finalize") set_state(PeState::left);
  if (word == "explain") set_state(PeState::explained);
  if (word == "check") {
    if (lobby().magic != lobby_magic || lobby().pes != static_cast<uint32_t>(number(job_variable::pes)))
      _exit(98);
  }
  if (word == "register") {
    lobby().slots()[place()].pid = getpid();
    set_life_mark(number(job_variable::fd), place());
  }
  if (word == "unmark") close(dup(number(job_variable::fd)));
  if (word == "block_often")
    for (int i = 0; i < 2000; ++i) block_for_a_moment();
  if (word == "detach") setsid();
  if (word == "wait_for_usr1") wait_for(SIGUSR1);
  if (word == "hang") pause();
  if (word == "spin")
    while (true) {
    }
  if (word == "deaf")
    for (int s : {SIGINT, SIGTERM, SIGHUP}) ignore(s);
  if (word.starts_with("print=")) std::printf("%s\n", value.c_str()), std::fflush(stdout);
  if (word.starts_with("start=")) std::printf("%s", value.c_str()), std::fflush(stdout);
  if (word.starts_with("sleep=")) usleep(static_cast<useconds_t>(std::atof(value.c_str()) * 1e6));
  if (word.starts_with("exit=")) _exit(std::atoi(value.c_str()));
  if (word.starts_with("kill=")) kill(getpid(), std::atoi(value.c_str()));
  if (word.starts_with("global_exit=")) {
    lobby().exit_status = std::atoi(value.c_str());
    lobby().exit_requested = 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) do_word(for_me(argv[i]));
}
