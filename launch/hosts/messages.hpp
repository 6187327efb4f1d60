// The frames between oshrun and its agents, and between agents and the agents below them, kind by kind.
// SPDX-License-Identifier: BSD-3-Clause
//
// Version.  The greeting of a link (io/link.hpp) carries agent_version(); only equals talk, so there is no other rule
//           of compatibility.
// Secrets.  The job's secret is in the blobs of nodes (`contributions`, `deliver`): it is on no command line and in no
//           environment.
#pragma once

#include <string>
#include <vector>

#include "launch/hosts/host.hpp"
#include "launch/io/frame.hpp"

namespace atrium {

enum class HostMessage : uint8_t {
  // to the agent
  start = 1,  // Order; after Subtree and all greetings
  signal,     // number: to all PEs
  prepared,   // number: to PEs that take it
  sample,     // number: milliseconds for the answer
  end,
  sweep,  // number: 1 in peace
  hurry,
  deliver,  // NodeBlobs
  input,    // text: of standard input; empty: its end
  mute,     // 1 for standard error: the reader of that stream has gone
  ping,
  ask_waits,
  ask_places,
  silence,  // SilentPeer, in both directions
  exits,    // a PE of another host has called shmem_global_exit
  caller,   // texts: "10.77.0.1/24" of each interface of the other oshrun's host
  subtree,  // Subtree
  // from the agent
  hello = 64,    // which of the hosts in Subtree, or 0: its own; Hello
  output,        // PE, 1 for standard error, text
  verbose,       // text, for --verbose
  pe_end,        // EndedPe
  program_end,   // EndedPe
  exit_request,  // status
  use,
  failure,        // status, Error, number of PEs that run
  samples,        // PeSample...
  contributions,  // number of nodes, NodeBlobs
  waits,          // WaitSample without the waits' details
  over,
  input_taken,     // all readers have it
  input_unwanted,  // no reader is left
  pong,
  places,     // PlacedWait...
  note,       // text
  unreached,  // HostRange: another oshrun has to reach these hosts
};

struct Hello {
  std::string host;  // as it calls itself
  int cpus;
  std::vector<std::string> networks;  // "10.77.0.1/24" of each interface that is up, but for loopback
};

// The hosts that an agent and those below it stand for, and how to reach them.
struct Subtree {
  std::vector<std::string> hosts;      // the agent's own first
  std::vector<std::string> variables;  // "NAME=VALUE" to set before
  std::string agent;                   // the command that reaches a host
  std::string remote_oshrun;           // where oshrun is there
  int width;                           // of the tree: how many of them each one reaches itself
};

// Neighbours among them, by their places.
struct HostRange {
  size_t first, count;
};

// What a host shall be in the job.
struct HostPart {
  std::string name;
  std::string interface;  // whose address other hosts reach; empty: unknown
  int node;               // -1: it has no PE
};

// What an agent, and those below it, shall run.
struct Order {
  std::vector<std::string> words;      // of oshrun's command line
  std::vector<std::string> variables;  // "NAME=VALUE" to set before
  std::string directory;
  std::vector<int> node_of;     // each PE
  std::vector<HostPart> hosts;  // as in Subtree
};

std::string agent_version();

// Whether this is a whole message of that kind: what the functions below read of it has values of their types.
bool is_message(HostMessage kind, FrameReader frame);

FrameWriter frame(HostMessage kind);
FrameWriter frame_of(size_t place, const Hello& hello);
FrameWriter frame_of(const Subtree& subtree);
FrameWriter frame_of(const HostRange& unreached);
FrameWriter frame_of(const Order& order);
FrameWriter frame_of(const NodeBlobs& blobs);                // to be delivered
FrameWriter frame_of(size_t nodes, const NodeBlobs& blobs);  // contributed
FrameWriter frame_of(HostMessage kind, const EndedPe& ended);
FrameWriter frame_of(int status, const Error& error);
FrameWriter frame_of(const std::vector<PeSample>& samples);
FrameWriter frame_of(const WaitSample& sample);
FrameWriter frame_of(const std::vector<PlacedWait>& placed);
FrameWriter frame_of(const SilentPeer& silent);

Hello read_hello(FrameReader& frame);
Subtree read_subtree(FrameReader& frame);
HostRange read_host_range(FrameReader& frame);
Order read_order(FrameReader& frame);
NodeBlobs read_blobs(FrameReader& frame);
EndedPe read_ended(FrameReader& frame);
Error read_error(FrameReader& frame);
std::vector<PeSample> read_samples(FrameReader& frame);
WaitSample read_waits(FrameReader& frame);
std::vector<PlacedWait> read_places(FrameReader& frame);
SilentPeer read_silent(FrameReader& frame);

}  // namespace atrium
