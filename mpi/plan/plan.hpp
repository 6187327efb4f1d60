// What is known of a communicator: made at its first all-to-all, cached on it, freed with it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety: MPI allows one collective call at a time on a communicator, so a plan has one user at a
// time; the list of all plans has a lock.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "choice/choice.hpp"
#include "plan/nodes.hpp"
#include "plan/room.hpp"
#include "settings/settings.hpp"
#include "wait/wait.hpp"

namespace atrium::mpi {

// What the report says of the calls of one size class.
struct Tally {
  std::uint64_t calls = 0, own_calls = 0, bytes = 0;
};

// The class of alltoallv and alltoallw calls whose sizes the ranks have not told each other.
inline constexpr int any_size = size_classes;

struct Record {
  Choice choice;
  Tally tally;
};

class Plan {
 public:
  explicit Plan(MPI_Comm comm);  // collective, as all that follows from it
  ~Plan();                       // collective over the communicator
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // An inter-communicator or a communicator of one: always the MPI's routine.
  bool is_bypassed() const { return bypassed_; }

  // The same on all ranks.
  const Settings& settings() const { return settings_; }

  // Finds the nodes, and shared memory with a share of at least so many bytes for each rank. Collective over
  // the communicator, and the answer is the same on all ranks. Cheap once there is enough.
  bool prepare(std::size_t share) { return (room_ && share <= room_->share_bytes()) || make_room_for(share); }
  // The same for shared memory of any size: who is where must be known before the wanted share is.
  bool find_nodes() {
    if (!found_) look_around();
    return trouble_.empty();
  }

  // The largest of all ranks, for each of at most `offers` numbers. Collective.
  void agree(double* values, int count);

  bool has_room() const { return room_ != nullptr; }
  Room& room() { return *room_; }
  const Nodes& nodes() const { return nodes_; }
  MPI_Comm leaders() const { return leaders_; }
  MPI_Comm comm() const { return comm_; }
  MPI_Comm quiet() const { return node_; }  // to pack and unpack: it returns errors
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool on_one_node() const { return nodes_.count() == 1; }
  const std::string& trouble() const { return trouble_; }

  Record& uniform(int size_class) { return record(uniform_[size_class]); }
  Record& varying(int size_class) { return record(varying_[size_class]); }
  // Null if there was no such call; makes no record, for a class that not all ranks know of.
  const Record* find_varying(int size_class) const { return varying_[size_class].get(); }
  // Calls f(routine's name, class, record) for every record that was used.
  template <class F>
  void for_each_record(F f) const;

  // Of alltoallv and alltoallw; the same on all ranks.
  int last_varying_class = 0;
  int unasked_calls = 0;  // between nodes: so many go the MPI's way without a question of how large they are
  int mpi_calls = 0;      // that have gone the MPI's way one after the other, and were asked for

  void abandon();  // at the end of a program with threads: frees nothing collectively

 private:
  static Record& record(std::unique_ptr<Record>& place) {
    if (!place) place = std::make_unique<Record>();
    return *place;
  }
  void look_around();
  void split_node();
  void number_nodes();
  void learn_patience(MPI_Comm node);
  bool make_room_for(std::size_t share);
  bool make_room(std::size_t share);
  std::size_t affordable_share(std::size_t wanted) const;

  MPI_Comm comm_, node_ = MPI_COMM_NULL, leaders_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 0;
  bool bypassed_ = false, found_ = false;
  Settings settings_;
  Nodes nodes_;
  Patience patience_;
  std::unique_ptr<Room> room_;
  std::string trouble_;
  std::array<std::unique_ptr<Record>, size_classes + 1> uniform_, varying_;
};

template <class F>
void Plan::for_each_record(F f) const {
  for (int kind = 0; kind <= any_size; ++kind) {
    if (uniform_[kind]) f("alltoall", kind, *uniform_[kind]);
    if (varying_[kind]) f("alltoallv/w", kind, *varying_[kind]);
  }
}

// The communicator's plan; null if it has none yet.
Plan* find_plan(MPI_Comm comm);
// Collective over the communicator. Null once MPI_Finalize has begun.
Plan* make_plan(MPI_Comm comm);

// How many ranks a rank of this communicator exchanges with, which is the other group's size if there are two; 0 if it
// is none.
int count_peers(MPI_Comm comm);

}  // namespace atrium::mpi
