// Flags of other launchers (Open MPI, MPICH): taken where they change nothing on one node, refused where they
// would.
// SPDX-License-Identifier: BSD-3-Clause
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "launch/cli/flags.hpp"
#include "os/small_file.hpp"

namespace atrium {
namespace {

Result<void> accept(Options&, Values) { return {}; }

Result<void> remark(Options& options, const std::string& text) {
  options.remarks.push_back(text);
  return {};
}

Result<void> accept_parameter(Options& options, Values values) {
  return remark(options, "parameter " + values[0] + " is another launcher's and has no effect here");
}

Result<void> accept_setting(Options& options, Values values) {
  return remark(options, "'" + values[0] + "' is a choice of another launcher's and has no effect here");
}

Result<void> set_hydra_variable(Options& options, Values values) {
  options.variables.push_back({values[0], values[1]});
  return {};
}

Result<void> set_one_pe(Options& options, Values) {
  options.pes = 1;
  return {};
}

Result<void> bind_none(Options& options, Values) {
  options.binding = Binding::none;
  return {};
}

Result<void> bind_core(Options& options, Values) {
  options.binding = Binding::core;
  return {};
}

std::string without_domain(const std::string& name) { return name.substr(0, name.find('.')); }

bool is_this_host(const std::string& name) {
  utsname here{};
  uname(&here);
  return name == "localhost" || name == "127.0.0.1" || name == "::1" ||
         strcasecmp(without_domain(name).c_str(), without_domain(here.nodename).c_str()) == 0;
}

Result<void> require_this_host(const std::string& name) {
  if (name.empty() || is_this_host(name)) return {};
  return Error{"cannot start PEs on host '" + name + "'",
               "oshrun starts PEs on this node only",
               {},
               "oshrun on that host, or mpirun or srun"};
}

// "a:4,b" and the words of a host file alike: the name is what comes before a colon.
Result<void> require_these_hosts(const std::string& text, const char* separators) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const bool address = word == "::1";
    if (auto here = require_this_host(address ? word : word.substr(0, word.find(':'))); !here) return here;
    begin = end + 1;
  }
  return {};
}

Result<void> check_hosts(Options&, Values values) { return require_these_hosts(values[0], ","); }

// The first word of each line that is not a comment.
std::string hosts_of_file(const std::string& text) {
  std::string hosts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line[first] != '#')
      hosts += line.substr(first, line.find_first_of(" \t#", first) - first) + ",";
    begin = end + 1;
  }
  return hosts;
}

Result<void> check_host_file(Options&, Values values) {
  if (access(values[0].c_str(), R_OK) != 0)
    return Error{"cannot read the host file '" + values[0] + "'",
                 std::strerror(errno),
                 {},
                 "a file, or no --hostfile"};
  return require_these_hosts(hosts_of_file(read_small_file(values[0])), ",");
}

Result<void> refuse_output_file(Options&, Values) {
  return bad_word("oshrun does not write output files itself", "oshrun --tag-output ... > FILE");
}

Result<void> refuse_recovery(Options&, Values) {
  return bad_word("oshrun cannot go on without a PE that died", "without the flag");
}

Result<void> refuse_remote(Options&, Values) {
  return bad_word("oshrun starts PEs on this node only", "mpirun or srun");
}

Result<void> refuse_terminals(Options&, Values) {
  return bad_word("oshrun opens no terminal windows", "oshrun --gdb=PE, or --wrap 'PE:xterm -e COMMAND'");
}

Result<void> refuse_dry_run(Options&, Values) {
  return bad_word("oshrun has no dry run", "oshrun --report-bindings -n N true");
}

constexpr Flag table[] = {
    {"allow-run-as-root use-hwthread-cpus nooversubscribe no-oversubscribe display-map display-allocation", 0,
     accept},
    {"bynode byslot bycore genvall", 0, accept},
    {"prefix personality iface launcher bootstrap rmk tune am stream-buffering", 1, accept_setting},
    {"cpus-per-proc cpus-per-rank cpu-set cpu-list", 1, accept_setting},
    {"mca gmca pmixmca prtemca omca", 2, accept_parameter},
    {"genv env", 2, set_hydra_variable},
    {"N npernode ppn", 1, set_pes},
    {"pernode", 0, set_one_pe},
    {"bind-to-none", 0, bind_none},
    {"bind-to-core", 0, bind_core},
    {"host hosts H", 1, check_hosts},
    {"hostfile machinefile default-hostfile f", 1, check_host_file},
    {"nolocal", 0, refuse_remote},
    {"output-filename output output-directory outfile-pattern", 1, refuse_output_file},
    {"enable-recovery continuous", 0, refuse_recovery},
    {"xterm", 1, refuse_terminals},
    {"do-not-launch", 0, refuse_dry_run},
};

}  // namespace

std::span<const Flag> foreign_flags() { return table; }

}  // namespace atrium
