// A host of the job, or several that one agent reaches: the orders that the job gives to it, and the events that it reports to the
// job, which decides.
// SPDX-License-Identifier: BSD-3-Clause
//
// Two kinds: LocalHost starts PEs on this machine; RemoteHost talks to an oshrun on another one (agent.hpp), which has
// a LocalHost, and RemoteHosts for the hosts below it. PEs are known by their numbers in the job.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "launch/report/endings.hpp"
#include "launch/report/standstill.hpp"
#include "launch/report/wait_places.hpp"
#include "launch/report/wait_report.hpp"

namespace atrium {

// A PE that receives nothing from the endpoint of another one.
struct SilentPeer {
  int pe;
  std::string host;  // of that PE
  int silent_pe;
};

// The data that nodes exchange, of those that have contributed.
using NodeBlobs = std::vector<std::pair<int, std::string>>;

class Host {
 public:
  virtual void start() = 0;
  // A child of this process has ended.
  virtual void reap() = 0;
  // Of its PEs, how many have not ended.
  virtual int running() const = 0;
  virtual bool is_running(int pe) const = 0;
  // It runs, but has called exit(), and waits for no other PE there. Not known of PEs on other machines.
  virtual bool is_at_exit(int) const { return false; }
  virtual void signal_all(int signal) = 0;
  // Only to PEs that take it.
  virtual void signal_prepared(int signal) = 0;
  // Answers with on_samples: within that time, with what is known by then.
  virtual void sample(std::chrono::milliseconds within) = 0;
  // Do all its PEs wait? Answers with on_waits.
  virtual void sample_waits() = 0;
  // Where in the program they wait. Answers with on_places, perhaps after some seconds.
  virtual void find_places() = 0;
  // A PE, perhaps of this host, is silent to another one: if it would answer, the network is cut. Answers with
  // on_failure, or not at all.
  virtual void compare_silence(const SilentPeer& silent) = 0;
  // A PE has called shmem_global_exit: what others have printed is to go out before they are ended.
  virtual void announce_exit() = 0;
  // The outcome is known: PEs that still run get SIGTERM, then SIGKILL.
  virtual void end() = 0;
  // No PE runs anywhere: what PEs have started goes the same way, in peace where all ended well. Answers with on_over.
  virtual void sweep(bool in_peace) = 0;
  // The user does not want to wait for that.
  virtual void hurry() = 0;
  // What all nodes have contributed.
  virtual void deliver(const NodeBlobs& blobs) = 0;
  // oshrun itself was stopped with its PEs, and received nothing in that time.
  virtual void after_suspension() {}

 protected:
  ~Host() = default;
};

// May be called from within any function of Host but running(), is_running() and is_at_exit().
class HostEvents {
 public:
  virtual void on_pe_end(const EndedPe& ended) = 0;
  // The program of a PE has gone, and the script around it goes on.
  virtual void on_program_end(const EndedPe& ended) = 0;
  virtual void on_exit_request(int status) = 0;
  // A PE has entered shmem_init. Once.
  virtual void on_use() = 0;
  // PEs could not be started, or the host is lost.
  virtual void on_failure(int status, const Error& error) = 0;
  // A line for users who want to see what happens (--verbose).
  virtual void on_verbose(Host& host, const std::string& text) = 0;
  // A line for all users but those who want quiet.
  virtual void on_note(const std::string& text) = 0;
  virtual void on_samples(Host& host, std::vector<PeSample> samples) = 0;
  virtual void on_waits(Host& host, const WaitSample& sample) = 0;
  virtual void on_places(Host& host, std::vector<PlacedWait> placed) = 0;
  // Again and again while it lasts.
  virtual void on_silence(const SilentPeer& silent) = 0;
  // So many more nodes have contributed, each once until all nodes' are delivered.
  virtual void on_contributions(size_t nodes, NodeBlobs blobs) = 0;
  virtual void on_over(Host& host) = 0;

 protected:
  ~HostEvents() = default;
};

}  // namespace atrium
