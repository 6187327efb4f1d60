// What is known of a communicator: made at its first all-to-all, cached on it, freed with it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety: MPI allows one collective call at a time on a communicator, so a state has one user at a time.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "atrium_machine.h"
#include "choice/chooser.hpp"
#include "comm/group_book.hpp"
#include "comm/meeting.hpp"
#include "comm/node_buffer.hpp"
#include "comm/nodes.hpp"
#include "comm/rank_group.hpp"
#include "operation/operation.hpp"
#include "segment/scratch.hpp"
#include "settings/settings.hpp"
#include "wait/wait.hpp"

namespace atrium::mpi {

struct GroupAgreement;

class CommState {
 public:
  // Collective, as all that follows from it. `peers`: as count_peers() answers.
  CommState(MPI_Comm comm, int peers);
  ~CommState();  // collective over the communicator
  CommState(const CommState&) = delete;
  CommState& operator=(const CommState&) = delete;

  // Always the MPI's routine, and nothing is counted: an inter-communicator, a communicator of one or, where no report counts its
  // calls, one that is in trouble.
  bool is_bypassed() const { return bypassed_; }

  // Settings and what follows from them are not looked for before the first calls are over (Chooser::leave_first_calls). Until then the
  // settings are the defaults. Collective. False: it has been done before.
  bool settle();
  bool has_to_settle() const { return !settled_ && !chooser_.has_first_calls_left(); }

  // The same on all ranks.
  const Settings& settings() const { return settings_; }

  // Finds the nodes, and shared memory with a share of at least so many bytes for each rank. Collective over
  // the communicator, and the answer is the same on all ranks. Cheap once there is enough.
  bool prepare(std::size_t share) {
    return (buffer_ && share <= buffer_->share_bytes()) || make_buffer_for(share);
  }
  // A buffer of its own for a persistent request, which must not outlive this state. Collective, once the nodes are known;
  // null on all ranks if one gets no memory.
  std::unique_ptr<NodeBuffer> make_separate_buffer(std::size_t share);
  // Nodes whose first ranks, and no others, talk to each other by the MPI's collectives.
  bool find_nodes_of_one_leader() { return find_nodes() && (on_one_node() || settings_.leaders == 1); }
  // An operation that has to be left to the MPI, as is known when the nodes are: with some rank it has another result.
  bool leaves_to_mpi(const ReduceOperation& operation) const {
    return group_ && contains(group_->differing, operation);
  }
  // The same for shared memory of any size: who is where must be known before the wanted share is.
  bool find_nodes() {
    if (!found_) look_around();
    return trouble_.empty();
  }

  // Of fewer bytes than these, broadcasts are the MPI's.
  std::size_t fewest_broadcast_bytes() const { return fewest_broadcast_bytes_; }

  // Could a share be so large?
  bool affords(std::size_t share) const { return affordable_share(share) > 0; }

  // Can the ranks of a node, on all nodes, read each other's memory: that of the process, or what MPI_Alloc_mem gave?
  bool can_read() const { return can_read_; }
  bool reads_processes() const { return !group_->processes.empty(); }
  pid_t process(int local) const { return group_->processes[static_cast<std::size_t>(local)]; }
  Scratch& packed() { return packed_; }      // what others read
  Scratch& unpacked() { return unpacked_; }  // what was read

  // The largest of all ranks, for each of at most `offers` numbers. Collective.
  void agree(double* values, int count);

  bool has_buffer() const { return buffer_ != nullptr; }
  NodeBuffer& node_buffer() { return *buffer_; }
  const Nodes& nodes() const { return group_ ? group_->nodes : no_nodes; }
  MPI_Comm leaders() const { return leaders_; }
  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool on_one_node() const { return nodes().count() == 1; }
  const std::string& trouble() const { return trouble_; }

  // Which way its calls go.
  Chooser& chooser() { return chooser_; }
  const Chooser& chooser() const { return chooser_; }

  // What communicators of this shape have learned in this process, and what this one adds.
  Experience experience_of_shape() const;
  void share_experience() const;

  // The communicator is about to go; a persistent request may need the state for longer.
  void leave_comm();
  void abandon();  // at the end of a program with threads: frees nothing collectively

 private:
  bool may_settle_later() const;
  void set_rules();
  void look_around();
  std::string find_group();
  void make_group(const std::vector<RankRecord>& ranks);
  GroupAgreement agree_on_group(const RankGroup* group, std::uint64_t buffer) const;
  void adopt_new_group(const GroupAgreement& agreed);
  std::string split_for_nodes();
  bool make_buffer_for(std::size_t share);
  std::unique_ptr<NodeBuffer> make_buffer_of(std::size_t share, std::string& because);
  std::size_t affordable_share(std::size_t wanted) const;

  static inline const Nodes no_nodes;

  MPI_Comm comm_, leaders_ = MPI_COMM_NULL;
  MPI_Comm node_ = MPI_COMM_NULL;  // for windows
  int rank_ = 0, size_ = 0;
  bool bypassed_ = false, settled_ = false, found_ = false, can_read_ = false;
  std::vector<int> job_ranks_;  // of this communicator, where what is known of them is kept; else empty
  Settings settings_;
  std::size_t fewest_broadcast_bytes_ = SIZE_MAX;
  std::shared_ptr<RankGroup> group_;  // null until the nodes are known
  Scratch packed_, unpacked_;
  std::unique_ptr<NodeBuffer> buffer_;
  std::string trouble_;
  Chooser chooser_{{}, atrium_now_ns};
};

// How many ranks a rank of this communicator exchanges with, which is the other group's size if there are
// two; 0 if it is none.
int count_peers(MPI_Comm comm);

}  // namespace atrium::mpi
