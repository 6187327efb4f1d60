// atrium-info: version, build, what Atrium would choose on this machine and why, every variable.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/utsname.h>

#include <cstdio>
#include <cstring>
#include <set>
#include <string>

#include "arch/processor.hpp"
#include "arena/system.hpp"
#include "atrium-info/fabric.hpp"
#include "atrium-info/hosts.hpp"
#include "atrium-info/own_place.hpp"
#include "atrium-info/probe.hpp"
#include "atrium-info/report.hpp"
#include "atrium_words.hpp"
#include "copy/copy.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "job/segment_plan.hpp"
#include "os/memory_limits.hpp"
#include "shmem/constants.h"
#include "topology/cores.hpp"
#include "topology/cpus.hpp"
#include "wait/policy.hpp"

namespace atrium {
namespace {

constexpr char usage[] =
    "usage: atrium-info [-n PES] [--json] [--variables] [--fabric]\n"
    "       atrium-info --hosts A,B,C [--agent COMMAND] [--remote-oshrun PATH]\n\n"
    "Prints what this build of Atrium is and what it chooses on this machine.\n\n"
    "  -n PES                for a job of PES PEs (default: the usable CPUs)\n"
    "  --json                the same for programs; a variable that is not set has the value null\n"
    "  --variables           only the table of environment variables\n"
    "  --fabric              how this host would reach other nodes, and why\n"
    "  --hosts A,B,C         whether a job over these hosts runs, over which network, and why not\n"
    "  --agent COMMAND       what reaches another host, as for oshrun\n"
    "  --remote-oshrun PATH  where oshrun is on the other hosts, as for oshrun\n"
    "  -V, --version         print the version\n"
    "  -h, --help            print this text\n";

std::string standard_text() {
  return "OpenSHMEM " + std::to_string(SHMEM_MAJOR_VERSION) + "." + std::to_string(SHMEM_MINOR_VERSION);
}

void report_build(Report& report) {
  report.section("build", "Atrium");
  report.row("version", SHMEM_VENDOR_STRING);
  report.row("standard", standard_text());
  report.row("build", ATRIUM_BUILD);
  report.row("PMIx", probe_pmix());
  report.row("hwloc", probe_hwloc());
  report.row("OTF2", probe_otf2());
  report.row("documentation", documentation());
}

std::string cpus_text() {
  const auto allowed = static_cast<int>(allowed_cpus().size());
  const int usable = usable_cpus();
  std::string text = std::to_string(usable) + " usable";
  if (usable < allowed)
    text += " (the cgroup's quota is less than the " + std::to_string(allowed) + " of the affinity mask)";
  return text;
}

std::string parts_text() {
  auto cores = cores_of(allowed_cpus());
  if (!cores)
    return "unknown (" + cores.error().because + "): the node counts as one part, PEs are not bound";
  std::set<int> packages, nodes, caches;
  for (const Core& core : *cores)
    packages.insert(core.package), nodes.insert(core.node), caches.insert(core.cache);
  return counted(cores->size(), "core") + ", " + counted(packages.size(), "package") + ", " +
         counted(nodes.size(), "NUMA node") + ", " + counted(caches.size(), "last cache");
}

void report_machine(Report& report) {
  utsname name{};
  uname(&name);
  report.section("machine", "This machine");
  report.row("kernel", std::string(name.sysname) + " " + name.release + " " + name.machine);
  report.row("CPUs", cpus_text());
  report.row("parts", parts_text());
  report.row("memory", format_size(memory_of_node()));
  const size_t left = address_space_left();
  report.row("address space", left == SIZE_MAX ? "not limited" : format_size(left) + " left (ulimit -v)");
  for (const SegmentKind& kind : segment_kinds())
    report.row("segment " + std::string(kind.name), probe_segment(kind));
  report.row("2 MiB pages", probe_huge_pages());
}

std::string copy_text() {
  if (auto selected = select_copy(); !selected) fatal(selected.error());
  const std::string plan = describe(chosen_copy_plan()), model = measured_copy_plan(this_processor()).model;
  const std::string why = given("ATRIUM_COPY") ? "ATRIUM_COPY"
                          : model.empty()      ? "nobody has measured this processor"
                                               : model;
  return (plan.empty() ? "libc" : plan) + " (" + why + ")";
}

std::string kernels_text() {
  std::string text;
  for (const CopyKernel& kernel : copy_kernels())
    if (kernel.runs_on(this_processor())) text += std::string(text.empty() ? "" : " ") + kernel.name;
  return text;
}

std::string heap_text(int pes) {
  if (given("SHMEM_SYMMETRIC_SIZE")) {
    auto size = size_setting("SHMEM_SYMMETRIC_SIZE");
    if (!size) fatal(size.error());
    return format_size(*size) + " per PE (SHMEM_SYMMETRIC_SIZE)";
  }
  const Placement here = Placement::on_one_node(0, pes);
  const size_t left = address_space_left(),
               heap = automatic_heap(here, pes, system_area_bytes(1), false, left);
  return "about " + format_size(heap) + " per PE (" +
         (left == SIZE_MAX ? "the memory" : "what ulimit -v leaves") +
         " shared among the PEs; used as it is touched)";
}

void report_choices(Report& report, int pes) {
  const int cpus = usable_cpus();
  if (auto decided = configure_waiting(pes, cpus); !decided) fatal(decided.error());
  report.section("job", "A job of " + counted(static_cast<uint64_t>(pes), "PE") + " here");
  report.row("segment", setting("ATRIUM_SEGMENT"));
  report.row("heap", heap_text(pes));
  report.row("waiting", std::string(wait_policy().name) + " (" + std::to_string(pes) + " PEs, " +
                            std::to_string(cpus) + " CPUs)");
  report.row("inline fast path", writers_must_call()             ? "shut: writers must wake those that sleep"
                                 : flag_setting("ATRIUM_INLINE") ? "open"
                                                                 : "shut: ATRIUM_INLINE");
  report.row("large copies", copy_text());
  report.row("copy kernels here", kernels_text());
}

int refuse(const char* word, const char* because = "is no option of this program") {
  std::fprintf(stderr, "atrium-info: '%s' %s\n%s", word, because, usage);
  return 2;
}

// What can be said of hosts: `words` behind "--hosts".
int run_for_hosts(int count, char** words) {
  HostsToTry wanted;
  for (int i = 0; i < count; i += 2) {
    const std::string word = words[i];
    std::string* value = word == "--hosts"           ? &wanted.hosts
                         : word == "--agent"         ? &wanted.agent
                         : word == "--remote-oshrun" ? &wanted.remote_oshrun
                                                     : nullptr;
    if (!value) return refuse(words[i]);
    if (i + 1 == count || *words[i + 1] == '\0') return refuse(words[i], "needs a word behind it");
    *value = words[i + 1];
  }
  return wanted.hosts.empty() ? refuse(words[0], "needs --hosts, too") : try_hosts(wanted);
}

bool is_about_hosts(const std::string& word) {
  return word == "--hosts" || word == "--agent" || word == "--remote-oshrun";
}

int run(int count, char** words) {
  if (count == 2 && !std::strcmp(words[1], "--as-host")) return be_on_host();
  if (count == 3 && !std::strcmp(words[1], "--as-pes")) return be_across_hosts(words[2]);
  if (count > 1 && is_about_hosts(words[1])) return run_for_hosts(count - 1, words + 1);
  int pes = usable_cpus();
  bool variables_only = false, json = false;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--help" || word == "-h") return std::fputs(usage, stdout) < 0;
    if (word == "--version" || word == "-V") return std::puts("atrium-info (" SHMEM_VENDOR_STRING ")") < 0;
    if (word == "--fabric") return print_fabric();
    if (word == "--variables")
      variables_only = true;
    else if (word == "--json")
      json = true;
    else if (word == "-n" && i + 1 == count)
      return refuse(words[i], "needs a number behind it");
    else if (word != "-n")
      return refuse(words[i]);
    else if (const auto number = parse_number(words[++i], 1))
      pes = *number;
    else
      return refuse(words[i], "is no number of PEs");
  }
  Report report;
  if (!variables_only) report_build(report), report_machine(report), report_choices(report, pes);
  if (json) return report.print_json(), 0;
  report.print_text();
  print_variables();
  return 0;
}

}  // namespace
}  // namespace atrium

int main(int count, char** words) {
  atrium::set_speaker("atrium-info");
  const int status = atrium::run(count, words);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  atrium::report(atrium::system_error("some output is lost", "write").try_this("more room where it goes"));
  return 1;
}
