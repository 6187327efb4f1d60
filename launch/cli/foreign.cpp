// Flags of other launchers (Open MPI, MPICH): taken where they change nothing on one node, refused where they
// would.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium_words.hpp"
#include "launch/cli/flags.hpp"

namespace atrium {
namespace {

Result<void> accept(Options&, Values) { return {}; }

Result<void> add_note(Options& options, const std::string& text) {
  options.notes.push_back(text);
  return {};
}

Result<void> accept_parameter(Options& options, Values values) {
  return add_note(options, "parameter " + values[0] + " is another launcher's and has no effect here");
}

Result<void> accept_setting(Options& options, Values values) {
  return add_note(options, "'" + values[0] + "' is a choice of another launcher's and has no effect here");
}

Result<void> set_hydra_variable(Options& options, Values values) {
  if (values[0].empty())
    return bad_word("-env needs a variable, not ''", "-env NAME VALUE, or -x NAME=VALUE");
  options.variables.push_back({values[0], values[1]});
  return {};
}

// Of PEs on each host: on one host it is their number.
Result<void> set_per_host(Options& options, Values values) {
  if (const auto pes = parse_number(values[0], 1)) return options.per_host = *pes, Result<void>();
  return bad_word("-N needs a number of PEs of each host, 1 or more, not '" + values[0] + "'",
                  "oshrun -N 4 PROGRAM");
}

Result<void> refuse_output_file(Options&, Values) {
  return bad_word("oshrun does not write output files itself", "oshrun --tag-output ... > FILE");
}

Result<void> refuse_recovery(Options&, Values) {
  return bad_word("oshrun cannot go on without a PE that died", "without the flag");
}

Result<void> refuse_remote(Options&, Values) {
  return bad_word("oshrun does not leave hosts out by itself", "--hosts without this one");
}

Result<void> refuse_terminals(Options&, Values) {
  return bad_word("oshrun opens no terminal windows", "oshrun --gdb=PE, or --wrap 'PE:xterm -e COMMAND'");
}

// Open MPI counts PEs by it, and Slurm the CPUs of each: either meaning would surprise some users.
Result<void> refuse_cpus(Options&, Values values) {
  return bad_word("-c means PEs to Open MPI, and CPUs of each PE to Slurm",
                  "-n " + values[0] + " for the number of PEs; --bind-to for their CPUs");
}

Result<void> refuse_dry_run(Options&, Values) {
  return bad_word("oshrun has no dry run", "oshrun --report-bindings -n N true");
}

constexpr Flag table[] = {
    {"allow-run-as-root use-hwthread-cpus nooversubscribe no-oversubscribe display-map display-allocation", 0,
     accept},
    {"byslot bycore genvall", 0, accept},
    {"bynode", 0, set_to<&Options::mapping, Mapping::by_host>},
    {"prefix personality iface launcher bootstrap rmk tune am stream-buffering", 1, accept_setting},
    {"cpus-per-proc cpus-per-rank cpu-set cpu-list", 1, accept_setting},
    {"mca gmca pmixmca prtemca omca", 2, accept_parameter},
    {"genv env", 2, set_hydra_variable},
    {"N npernode ppn ntasks-per-node", 1, set_per_host},
    {"c cpus-per-task", 1, refuse_cpus},
    {"pernode", 0, set_to<&Options::per_host, 1>},
    {"bind-to-none", 0, set_to<&Options::binding, Binding::none>},
    {"bind-to-core", 0, set_to<&Options::binding, Binding::core>},
    {"H host", 1, set_hosts, true},
    {"machinefile default-hostfile f", 1, set_host_file, true},
    {"nolocal", 0, refuse_remote},
    {"output-filename output output-directory outfile-pattern", 1, refuse_output_file},
    {"enable-recovery continuous", 0, refuse_recovery},
    {"xterm", 1, refuse_terminals},
    {"do-not-launch", 0, refuse_dry_run},
};

}  // namespace

std::span<const Flag> foreign_flags() { return table; }

}  // namespace atrium
