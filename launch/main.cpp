// oshrun: read the command line, look at the machine, run the job.
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "core/log.hpp"
#include "core/settings.hpp"
#include "launch/cli/help.hpp"
#include "launch/cli/nodes.hpp"
#include "launch/cli/options.hpp"
#include "launch/io/signals.hpp"
#include "launch/job/job.hpp"
#include "launch/process/capacity.hpp"
#include "launch/process/commands.hpp"
#include "launch/process/place.hpp"
#include "launch/process/race_library.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

// A descriptor that is missing here would be taken by the next pipe, and a PE's output would go there.
void open_standard_streams() {
  while (true) {
    const int fd = open("/dev/null", O_RDWR);
    if (fd < 0) return;
    if (fd <= STDERR_FILENO) continue;
    close(fd);
    return;
  }
}

// Nothing has been started: one line, as from any other command.
[[noreturn]] void refuse(const Error& error, int status = status_usage) {
  std::string line = "atrium: oshrun: " + error.what;
  if (!error.because.empty()) line += ": " + error.because;
  if (!error.remedy.empty()) line += "; try " + error.remedy;
  std::fputs((printable(line) + "\n").c_str(), stderr);
  std::exit(status);
}

Options read_command_line(int argc, char** argv) {
  Result<Options> options = parse_options({argv + 1, argv + argc});
  if (!options) refuse(options.error());
  options->quiet = options->quiet || flag_setting("ATRIUM_QUIET");
  return std::move(*options);
}

void require_pes_exist(const Options& options) {
  std::vector<int> named = options.input.numbers;
  for (const Wrap& wrap : options.wraps)
    named.insert(named.end(), wrap.pes.numbers.begin(), wrap.pes.numbers.end());
  for (int pe : named)
    if (pe >= options.pes)
      refuse({"there is no PE " + std::to_string(pe),
              "the job has " + std::to_string(options.pes) + ", counted from 0",
              {},
              {}});
}

void enter_directory(const std::string& directory) {
  if (directory.empty() || chdir(directory.c_str()) == 0) return;
  refuse(system_error("cannot start the PEs in '" + directory + "'", "chdir"));
}

std::string find_command(const Options& options) {
  if (options.command.empty()) refuse({"no program to run", {}, {}, "oshrun -n 4 PROGRAM, or oshrun --help"});
  const Program program = find_program(options.command.front());
  if (program.status != 0) refuse(program.error, program.status);
  return program.path;
}

void say_remarks(const Options& options, int usable) {
  if (options.quiet) return;
  for (const std::string& remark : options.remarks) note(remark);
  if (options.pes > usable && !options.oversubscribe)
    note(std::to_string(options.pes) + " PEs share " + std::to_string(usable) +
         (usable == 1 ? " CPU" : " CPUs") + ": those that wait let others run");
}

// Looking at the cores costs a few reads, or hwloc: only when somebody wants to know. PEs of which several
// share a CPU may run on all of them.
bool wants_cores(const Options& options, int usable) {
  if (options.report_bindings) return true;
  if (options.binding == Binding::automatic) return options.pes > 1 && options.pes <= usable;
  return options.pes > 1 || options.binding != Binding::none;
}

// What cannot be told is refused only to who asked for it.
std::vector<Core> look_at_cores(const Options& options, int usable) {
  if (!wants_cores(options, usable)) return {};
  Result<std::vector<Core>> cores = cores_of(allowed_cpus());
  if (cores) return std::move(*cores);
  const bool asked = options.binding != Binding::automatic && options.binding != Binding::none;
  if (asked || options.report_bindings) refuse(cores.error(), 1);
  return {};
}

// A PE bound to a CPU that somebody else keeps busy waits for it while others idle, and all PEs wait for that one.
bool others_are_in_the_way(const Options& options) {
  return options.binding == Binding::automatic && options.pes > 1 &&
         busy_cpus() + options.pes > static_cast<int>(online_cpus().size());
}

std::vector<Cpus> place(const Options& options, const std::vector<Core>& cores, int usable) {
  std::vector<Cpus> places = cores.empty() || others_are_in_the_way(options)
                                 ? std::vector<Cpus>(static_cast<size_t>(options.pes))
                                 : place_pes(options, cores, usable);
  for (size_t pe = 0; options.report_bindings && pe < places.size(); ++pe)
    note(describe_place(static_cast<int>(pe), places[pe], cores));
  return places;
}

void prepare_checks(Options& options, const std::string& program) {
  if (!options.checks.races) return;
  Result<std::string> library = find_race_library(program);
  if (!library) refuse(library.error(), 1);
  options.checks.race_library = std::move(*library);
}

std::vector<int> spread(const Options& options) {
  auto node_of =
      spread_over_nodes(options.nodes.empty() ? setting("ATRIUM_NODES") : options.nodes, options.pes);
  if (!node_of) refuse(node_of.error());
  return std::move(*node_of);
}

int run(int argc, char** argv) {
  prepare_signals();
  set_speaker("oshrun");
  open_standard_streams();
  Options options = read_command_line(argc, argv);
  if (options.help) return print_help(), 0;
  if (options.version) return print_version(), 0;
  const int usable = usable_cpus();
  if (options.pes == 0) options.pes = usable;
  enter_directory(options.directory);
  const std::string program = find_command(options);
  prepare_checks(options, program);
  const Commands commands(options, program);
  if (auto room = require_room(options.pes); !room) refuse(room.error(), 1);
  require_pes_exist(options);
  if (const Program tools = commands.check(); tools.status != 0) refuse(tools.error, tools.status);
  const std::vector<Core> cores = look_at_cores(options, usable);
  Result<JobSegment> segment = JobSegment::create(spread(options), cores);
  if (!segment) refuse(segment.error(), 1);
  say_remarks(options, usable);
  return Job(options, commands, std::move(*segment), place(options, cores, usable)).run();
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) { return atrium::run(argc, argv); }
