// The programs that run on the hosts that `atrium-info --hosts` tries.
// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "atrium-info/hosts.hpp"
#include "atrium_words.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "job/network.hpp"
#include "os/clock.hpp"
#include "os/memory_limits.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

constexpr int looks = 20;  // the quickest counts: the first ones open connections

double microseconds_to(const long* word, int pe) {
  double least = 1e9;
  for (int look = 0; look < looks; ++look) {
    const uint64_t begin = now_ns();
    shmem_long_g(word, pe);
    least = std::min(least, static_cast<double>(now_ns() - begin) / 1000);
  }
  return least;
}

// The PEs from which nothing has come.
std::string silent_ones(const long* from, const std::vector<std::string>& hosts) {
  std::string text;
  for (size_t pe = 0; pe < hosts.size(); ++pe)
    if (from[pe] != static_cast<long>(pe) + 1) text += " " + hosts[pe];
  return text;
}

}  // namespace

int be_on_host() {
  utsname name{};
  uname(&name);
  const int cpus = usable_cpus();
  std::printf("%s, %d CPU%s, %s, %s %s\n", SHMEM_VENDOR_STRING, cpus, cpus == 1 ? "" : "s",
              format_size(memory_of_node()).c_str(), name.sysname, name.machine);
  return 0;
}

int be_across_hosts(const std::string& list) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  std::vector<std::string> hosts = split_words(list, ",");
  hosts.resize(static_cast<size_t>(pes), "?");  // one that is named twice is one
  auto* from = static_cast<long*>(shmem_calloc(static_cast<size_t>(pes), sizeof(long)));
  if (!from)
    fatal(Error{"cannot try these hosts", "the symmetric heap has no room for a word of each",
                "making a job over them", "a larger SHMEM_SYMMETRIC_SIZE"});
  for (int pe = 0; pe < pes; ++pe) shmem_long_p(&from[me], me + 1, pe);
  shmem_barrier_all();
  const std::string silent = silent_ones(from, hosts);
  if (!silent.empty())
    std::printf("nothing has come to %s from%s\n", hosts[static_cast<size_t>(me)].c_str(), silent.c_str());
  if (me == 0) {
    std::printf("  %-22s %s\n", "network", pes == 1 ? "none is needed" : describe_network().c_str());
    for (int pe = 1; pe < pes; ++pe)
      std::printf("  %-22s %.1f us from %s and back\n", hosts[static_cast<size_t>(pe)].c_str(),
                  microseconds_to(from, pe), hosts[0].c_str());
  }
  shmem_free(from);
  shmem_finalize();
  return silent.empty() ? 0 : 1;
}

}  // namespace atrium
