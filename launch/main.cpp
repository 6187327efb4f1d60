// oshrun: reads the command line, examines the machine and runs the job.
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "atrium_system.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "launch/cli/combinations.hpp"
#include "launch/cli/help.hpp"
#include "launch/cli/hosts.hpp"
#include "launch/cli/nodes.hpp"
#include "launch/hosts/agent.hpp"
#include "launch/hosts/batch_job.hpp"
#include "launch/hosts/end_agent.hpp"
#include "launch/hosts/preparation.hpp"
#include "launch/hosts/slurm_job.hpp"
#include "launch/io/input.hpp"
#include "launch/io/output.hpp"
#include "launch/io/signals.hpp"
#include "launch/job/across_hosts.hpp"
#include "launch/job/job.hpp"
#include "launch/process/capacity.hpp"
#include "launch/process/inherited_children.hpp"
#include "os/open_files.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

// A descriptor that is missing here would be taken by the next pipe, and a PE's output would go there. Who has closed standard
// output still learns that something was to be written there: nothing can be written to a folder (EBADF).
void open_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    if (fd == STDOUT_FILENO || open("/dev/null", O_RDWR) < 0) open("/", O_RDONLY);
  }
}

// Nothing has been started: one line, as from any other command.
[[noreturn]] void refuse(const Error& error, int status = status_usage) {
  std::string line = "atrium: oshrun: " + error.what;
  if (!error.because.empty()) line += ": " + error.because;
  if (const std::string remedy = remedy_for(error); !remedy.empty()) line += "; try " + remedy;
  std::fputs((printable(line) + "\n").c_str(), stderr);
  std::exit(status);
}

// The status of a command that only prints: what it said may have had nowhere to go.
int printed() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  refuse(lost_output("write"), 1);
}

Options read_command_line(int argc, char** argv) {
  Result<Options> options = parse_options({argv + 1, argv + argc});
  if (!options) refuse(options.error());
  for (const char* name : {"ATRIUM_QUIET", "ATRIUM_CHECK", "ATRIUM_HOST_TIMEOUT"})
    if (auto checked = check_setting(name); !checked) refuse(checked.error());
  options->quiet = options->quiet || flag_setting("ATRIUM_QUIET");
  return std::move(*options);
}

// --trace takes the next word, unlike --profile.
Error no_program(const Options& options) {
  const std::string& trace = options.recordings.trace;
  if (trace.empty() || access(trace.c_str(), X_OK) != 0)
    return {"no program to run", {}, {}, "oshrun -n 4 PROGRAM, or oshrun --help"};
  return {"no program to run", "--trace took '" + trace + "' as its file", {}, "--trace=run.json " + trace};
}

uint64_t read_patience() {
  Result<double> seconds = seconds_setting("ATRIUM_DEADLOCK");
  if (!seconds) refuse(seconds.error());
  return whole_seconds_of(*seconds);
}

std::vector<int> spread(Options& options) {
  const std::string nodes = pretended_nodes(options);
  auto node_of = spread_over_nodes(nodes, options.pes);
  if (!node_of) refuse(node_of.error());
  if (const std::string note = note_on_absent_nodes(nodes, options.pes); !note.empty())
    options.notes.push_back(note);
  return std::move(*node_of);
}

bool terminal_is_taken(const Options& options, const Commands& commands) {
  for (int pe = 0; pe < options.pes && !options.wraps.empty(); ++pe)
    if (commands.of(pe).owns_terminal) return true;
  return false;
}

int slots_here(const Options& options) {
  int slots = 0;
  for (const HostSlots& host : options.hosts) slots += host.slots;
  return slots;
}

// Pretended nodes are no hosts, and may have other numbers of PEs.
void require_fit(const Options& options) {
  if (options.per_host == 0 || !pretended_nodes(options).empty()) return;
  Options trial = options;
  if (trial.hosts.empty()) trial.hosts.push_back({"localhost", 0});
  if (auto dealt = deal_to_hosts(trial, std::vector<int>(trial.hosts.size(), 1)); !dealt)
    refuse(dealt.error());
}

int run_here(Options& options) {
  if (options.pes == 0) options.pes = pes_of_nodes(options.nodes, options.per_host);
  if (options.pes == 0) options.pes = options.per_host > 0 ? options.per_host : slots_here(options);
  if (options.pes == 0) options.pes = usable_cpus();
  require_fit(options);
  if (auto entered = Preparation::enter(options.directory); !entered) refuse(entered.error());
  if (auto exist = require_pes_exist(options); !exist) refuse(exist.error());
  if (auto room = require_room(options.pes, options.oversubscribe); !room) refuse(room.error(), 1);
  const std::vector<int> node_of = spread(options);
  Preparation preparation;
  if (auto refusal = preparation.prepare(options, {node_of, -1})) refuse(refusal->error, refusal->status);
  Result<Recording> recording = Recording::create(options, node_of);
  if (!recording) refuse(recording.error(), 1);
  const Commands& commands = preparation.commands();
  const bool taken = terminal_is_taken(options, commands);
  JobSegment segment = preparation.take_segment();
  Loop loop;
  Job job(loop, options, taken, segment.nodes());
  Input input(loop, options.input, taken);
  LocalHost host(
      loop, {options, commands, std::move(segment), preparation.take_places(), host_name(), recording->fd()},
      {input, job.output()}, job);
  job.set_recording(*recording);
  return job.run({&host}, [&input] { input.pump(); });
}

int run(int argc, char** argv) {
  prepare_signals();
  set_speaker("oshrun");
  open_standard_streams();
  raise_open_files();
  note_inherited_children();
  if (argc == 3 && std::string_view(argv[1]) == agent_word) return be_agent();
  if (argc == 3 && std::string_view(argv[1]) == end_agent_word) return end_agent(argv[2]);
  Options options = read_command_line(argc, argv);
  if (options.help) return print_help(), printed();
  if (options.version) return print_version(), printed();
  options.deadlock_patience_s = read_patience();
  if (options.command.empty()) refuse(no_program(options));
  if (auto sensible = require_combinations_make_sense(options); !sensible) refuse(sensible.error());
  if (auto taken = take_slurm_job(options); !taken) refuse(taken.error());
  if (auto taken = take_batch_job(options); !taken) refuse(taken.error());
  leave_out_idle_hosts(options);
  if (is_only_this_host(options)) return run_here(options);
  if (options.recordings.any())
    refuse({"--profile, --trace and --top record the PEs of one machine",
            "its memory is not that of other hosts",
            {},
            "one host (--hosts localhost), or --nodes"});
  if (!options.nodes.empty())
    refuse({"--nodes and --hosts exclude each other", "every host is a node", {}, "one of the two"});
  if (auto exist = require_pes_exist(options); !exist) refuse(exist.error());
  return run_across_hosts(options);
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) { return atrium::run(argc, argv); }
