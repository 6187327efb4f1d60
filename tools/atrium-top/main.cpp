// atrium-top: what every PE of a running job does, looked at from outside.
// SPDX-License-Identifier: BSD-3-Clause
//
// Whose job is recorded (oshrun --profile, --trace or --top) has its record buffer open in oshrun, where the kernel lets the same user
// open it again.
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "atrium_settings.h"
#include "atrium_system.hpp"
#include "profile/report/top.hpp"

namespace atrium {
namespace {

constexpr const char* usage = R"(usage: atrium-top [-1] [-d SECONDS] [PID]

Shows what every PE of a running job does now: the routine it is in, for how long
and for whom, calls and bytes a second, the heap in use. The job must have been
started by oshrun --top, --profile or --trace; PID is that oshrun, and may be left
out where there is only one.

  -1             look once
  -d SECONDS     from one look to the next (default 1)
  -V, --version  print the version
  -h, --help     print this text
)";

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "atrium: atrium-top: %s\n", what.c_str());
  std::exit(1);
}

bool is_mine(int pid) {
  struct stat about {};
  return stat(("/proc/" + std::to_string(pid)).c_str(), &about) == 0 && about.st_uid == geteuid();
}

// By what /proc says that a descriptor leads to: a memory file, or what stands for one where a sandbox refuses those.
bool may_be_records(std::string_view target) {
  const bool is_file_without_name = target.ends_with(" (deleted)");
  return target.starts_with("/memfd:atrium-records") ||
         (is_file_without_name && (target.starts_with("/dev/shm/") || target.starts_with("/tmp/")));
}

// None: that process has none that this one may open.
profile::RecordBuffer records_of(int pid) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/fd/";
  for (const int fd : numbers_in(folder)) {
    char target[64] = "";
    const std::string path = folder + std::to_string(fd);
    if (readlink(path.c_str(), target, sizeof target - 1) <= 0 || !may_be_records(target)) continue;
    const int own = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (own < 0) continue;
    const profile::RecordBuffer records = profile::open_record_buffer(own);
    close(own);
    if (records) return records;
  }
  return {};
}

int find_job() {
  std::vector<int> jobs;
  bool any = false;
  for (const int pid : numbers_in("/proc")) {
    if (read_small_file("/proc/" + std::to_string(pid) + "/comm") != "oshrun\n" || !is_mine(pid)) continue;
    any = true;
    if (records_of(pid)) jobs.push_back(pid);
  }
  if (jobs.size() == 1) return jobs[0];
  if (jobs.empty())
    refuse(
        any ? "no job of yours is recorded; try oshrun --top, or kill -USR1 to oshrun to see where PEs wait"
            : "no oshrun of yours runs here");
  std::string list;
  for (const int pid : jobs) list += " " + std::to_string(pid);
  refuse("several jobs run; name one of" + list);
}

struct TopOptions {
  int pid = 0;
  double seconds = 1;
  bool once = false;
};

TopOptions read_command_line(int argc, char** argv) {
  TopOptions options;
  atrium_value value;
  static constexpr option words[] = {
      {"help", no_argument, nullptr, 'h'}, {"version", no_argument, nullptr, 'V'}, {}};
  for (int letter; (letter = getopt_long(argc, argv, "1d:hV", words, nullptr)) != -1;) {
    if (letter == '1')
      options.once = true;
    else if (letter == 'd' && atrium_parse_value("seconds 0.05..3600", optarg, &value))
      options.seconds = value.seconds;
    else if (letter == 'V') {
      std::puts("atrium-top (Atrium) " ATRIUM_VERSION);
      std::exit(0);
    } else {
      std::fputs(usage, letter == 'h' ? stdout : stderr);
      std::exit(letter == 'h' ? 0 : 2);
    }
  }
  if (optind < argc) options.pid = std::atoi(argv[optind]);
  if (optind + 1 < argc || (optind < argc && options.pid <= 0)) {
    std::fputs(usage, stderr);
    std::exit(2);
  }
  return options;
}

profile::RecordBuffer open_job(int pid) {
  const profile::RecordBuffer records = records_of(pid);
  if (records) return records;
  refuse("process " + std::to_string(pid) +
         " records nothing that you may see; try the number of an oshrun --top, --profile or --trace of "
         "yours");
}

void show(const profile::RecordBuffer& buffer, const TopOptions& options) {
  profile::Top top(buffer);
  const bool terminal = isatty(STDOUT_FILENO);
  std::string back;  // over what was shown before
  for (;;) {
    const std::string text = top.look(terminal ? profile::screen_of(STDOUT_FILENO) : profile::Screen{});
    if (std::fputs((back + text).c_str(), stdout) < 0 || std::fflush(stdout) != 0) return;
    if (terminal) back = "\033[" + std::to_string(std::count(text.begin(), text.end(), '\n')) + "A\033[J";
    if (options.once) return;
    usleep(static_cast<useconds_t>(options.seconds * 1e6));
    if (kill(options.pid, 0) != 0) return;
  }
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  TopOptions options = read_command_line(argc, argv);
  if (options.pid == 0) options.pid = find_job();
  show(open_job(options.pid), options);
  return 0;
}
