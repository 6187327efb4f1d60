// Who am I, who else is there, and where do we meet: what a PE must learn before there is shared memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Kind*: launcher (oshrun), pmix (another launcher that we can join), single (none).
//             *Job memory*: a descriptor of my node's memory, which begins with its lobby (lobby/lobby.hpp).
// A new kind gives its placement and job memory to the constructor and overrides exchange(), unless it knows one
// node only: all that a library of one-sided communication needs to start is an allgather and a barrier.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "lobby/visit.hpp"
#include "topology/placement.hpp"

namespace atrium {

class Bootstrap {
 public:
  virtual ~Bootstrap() = default;
  virtual const char* kind() const = 0;
  // The nodes are groups of PEs on one machine.
  virtual bool pretends_nodes() const { return false; }
  // This host's address in the network that all hosts share, if the launcher knows it; else empty.
  virtual std::string interface() const { return {}; }
  // The launcher watches all hosts, and ends the job everywhere when one is lost, or the network between two.
  virtual bool watches_hosts() const { return true; }
  // The notice that each node published while it joined (JoinNotice); empty where none was asked for.
  const std::vector<std::string>& notices() const { return notices_; }
  const Placement& placement() const { return placement_; }
  int job_memory() const { return job_memory_; }

  // Between nodes, as long as the job lives. Collective over all PEs, in the same order everywhere. All PEs get what the first
  // PE of each node contributes, by node.
  Result<std::vector<std::string>> allgather(LobbyVisit& lobby, std::string_view mine);
  // Returns when every PE of every node has called it.
  Result<void> barrier(LobbyVisit& lobby);

  // This PE ends in good order, which another launcher has to be told.
  virtual void leave() {}
  // Ends the whole job with `status`; returns where only ending this process can do so.
  virtual void abort_job([[maybe_unused]] int status) {}

 protected:
  // Called by every PE of a job of several nodes. When the first PE of a node calls it, its lobby's blobs() hold its
  // own blob; when it returns, those of all nodes. The others need not wait.
  virtual Result<void> exchange([[maybe_unused]] LobbyVisit& lobby) { return {}; }
  Bootstrap(Placement placement, int job_memory, std::vector<std::string> notices = {})
      : placement_(std::move(placement)), job_memory_(job_memory), notices_(std::move(notices)) {}

 private:
  Placement placement_;
  int job_memory_;
  std::vector<std::string> notices_;
};

// What a node has published makes no sense. `doing`: what it was published for.
Error strange_node(size_t node, const char* doing);

// Makes the notice that the first PE of a node publishes for the other nodes while it joins. Called only in a job of several nodes
// that was not started by a launcher of ours.
using JoinNotice = std::string (*)();

using BootstrapResult = Result<std::unique_ptr<Bootstrap>>;

// Reads the environment and joins the job that it describes. A launcher that has started several tasks but cannot be
// joined is an Error with the command to use: never silently N jobs of one.
BootstrapResult join_job(JoinNotice notice);

// The kinds.
bool launcher_is_there();
// The oshrun, or a script under it, that has started this process as one of several PEs, if somebody has removed the variables that say
// which one.
std::optional<pid_t> launcher_of_lost_variables();
// The name of the MPI's launcher that is this process's parent, as with `mpirun env -i PROGRAM`; empty where there is none.
std::string mpi_launcher_above();
Error lost_variables();
BootstrapResult join_launcher();
BootstrapResult join_pmix(JoinNotice notice);
BootstrapResult be_single();

}  // namespace atrium
