// Makes what an exchange needs: communicators of the node and of the leaders, and shared memory that grows.
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/comm_state.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "atrium_waiting.h"
#include "choice/experience_book.hpp"
#include "comm/shape.hpp"
#include "segment/lent_memory.hpp"
#include "segment/other_process.hpp"

namespace atrium::mpi {
namespace {

constexpr std::size_t smallest_share = 16 << 10;
// Of floating-point numbers: up to this size one copy in and one out cost less than messages on every machine we know.
constexpr std::size_t largest_sum = 1 << 20;
constexpr std::uint64_t sums_by_mpi = 4;  // first, of each class of sizes
// MPICH has 2,000 communicators, the system 4,096 segments; most are the program's.
constexpr int most_states_with_nodes = 128;
std::atomic<int> states_with_nodes{0};

void free_comm(MPI_Comm& comm) {
  if (comm != MPI_COMM_NULL) PMPI_Comm_free(&comm);
}

// While it lives, the MPI answers errors on a communicator of the program as codes: the program has not asked for what
// we ask, and its handler may end it.
class ErrorsReturn {
 public:
  explicit ErrorsReturn(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_get_errhandler(comm_, &handler_);
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturn() {
    PMPI_Comm_set_errhandler(comm_, handler_);
    PMPI_Errhandler_free(&handler_);
  }
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler handler_{};
};

// False where the MPI has no communicator left. `comm` answers errors.
bool split(MPI_Comm comm, int color, int key, MPI_Comm& part) {
  const bool done = PMPI_Comm_split(comm, color, key, &part) == MPI_SUCCESS;
  if (!done) part = MPI_COMM_NULL;
  if (part != MPI_COMM_NULL) PMPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
  return done;
}

}  // namespace

int count_peers(MPI_Comm comm) {
  int two_groups = 0, peers = 0;
  if (!may_ask_about(comm)) return 0;
  if (PMPI_Comm_test_inter(comm, &two_groups) != MPI_SUCCESS) return 0;
  two_groups ? PMPI_Comm_remote_size(comm, &peers) : PMPI_Comm_size(comm, &peers);
  return peers;
}

CommState::CommState(MPI_Comm comm) : comm_(comm), size_(count_peers(comm)) {
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  PMPI_Comm_rank(comm, &rank_);
  bypassed_ = is_inter || size_ == 1;
  if (bypassed_) return;
  settings_ = agree_on_settings(comm);
  set_rules();
}

// Sums of floating-point numbers have the same result in every run: which way they go depends on no time.
void CommState::set_rules() {
  const ChoiceRule exchange{settings_.alltoall == Mode::always, settings_.limit};
  const ChoiceRule reduction{settings_.allreduce == Mode::always};
  chooser_.set_rule(equal_blocks, exchange);
  chooser_.set_rule(different_blocks, exchange);
  chooser_.set_rule(reads_of_equal, {settings_.read == Mode::always});
  chooser_.set_rule(reads_of_different, {settings_.read == Mode::always});
  chooser_.set_rule(reductions, reduction);
  chooser_.set_rule(float_sums, reduction.always ? reduction : ChoiceRule{false, largest_sum, sums_by_mpi});
  chooser_.set_rule(broadcasts, {settings_.bcast == Mode::always});
  chooser_.set_rule(barriers, {settings_.barrier == Mode::always});
}

CommState::~CommState() {
  states_with_nodes -= nodes_.count() > 0;
  buffer_.reset();
  free_comm(leaders_);
  free_comm(node_);
}

void CommState::abandon() {
  if (buffer_) buffer_->segment().abandon();
  leaders_ = node_ = MPI_COMM_NULL;
}

// Ranks may be bound to one CPU each: what counts is how many CPUs they have together. Ranks of the job that are not of this
// communicator may want them, too.
void CommState::learn_of_node(MPI_Comm node) {
  struct {
    atrium_cpu_mask cpus;
    OperationSet differing;
  } together{{}, operations_that_differ()};
  atrium_allowed_cpus(&together.cpus);
  PMPI_Allreduce(MPI_IN_PLACE, &together, sizeof together, MPI_BYTE, MPI_BOR, node);
  differing_ = together.differing;
  int ranks = 0;
  PMPI_Comm_size(node, &ranks);
  const int cpus = atrium_limit_to_quota(atrium_count_cpus(&together.cpus), atrium_cgroup_quota());
  const bool alone = std::max(ranks, ranks_started_here()) <= cpus;
  const int spins = atrium_spins_that_take(alone ? atrium_spin_ns_alone : atrium_spin_ns_shared);
  wait_policy_.spins = alone ? spins : 0;
  wait_policy_.spins_elsewhere = spins;
}

void CommState::split_node() {
  if (PMPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node_) != MPI_SUCCESS)
    return void(node_ = MPI_COMM_NULL);
  PMPI_Comm_set_errhandler(node_, MPI_ERRORS_RETURN);
  learn_of_node(node_);
  if (settings_.node_ranks) cut_node();
  wait_policy_.progress = node_;
}

void CommState::cut_node() {
  MPI_Comm real = node_;
  int local = 0;
  PMPI_Comm_rank(real, &local);
  split(real, local / settings_.node_ranks, local, node_);
  free_comm(real);
}

// False on all ranks if one has no communicator of its node, or of its leaders.
bool CommState::number_nodes() {
  constexpr int nobody = -1;
  int root = node_ == MPI_COMM_NULL ? nobody : rank_;
  if (node_ != MPI_COMM_NULL) PMPI_Bcast(&root, 1, MPI_INT, 0, node_);
  std::vector<int> roots(size_);
  PMPI_Allgather(&root, 1, MPI_INT, roots.data(), 1, MPI_INT, comm_);
  if (std::ranges::find(roots, nobody) != roots.end()) return false;
  nodes_ = arrange(roots, rank_, settings_.leaders);
  return on_one_node() || all_of(comm_, split(comm_, nodes_.i_lead() ? 0 : MPI_UNDEFINED, rank_, leaders_));
}

void CommState::look_around() {
  found_ = true;
  if (!all_of(comm_, states_with_nodes < most_states_with_nodes))
    return void(trouble_ = std::to_string(most_states_with_nodes) + " others have it");
  const ErrorsReturn here(comm_);
  split_node();
  if (number_nodes()) {
    ++states_with_nodes;  // only now: who gets none takes no place from others
    if (!on_one_node())
      PMPI_Allreduce(MPI_IN_PLACE, &differing_, sizeof differing_, MPI_BYTE, MPI_BOR, comm_);
    learn_to_read();
    return inherit_experience();
  }
  trouble_ = "the MPI has no communicator left for it";
  nodes_ = Nodes{};
  free_comm(leaders_);
  free_comm(node_);
}

// Where processes may not be read, all buffers have to be memory that can be mapped, and it is worth a try only if ranks
// have such memory.
void CommState::learn_to_read() {
  if (settings_.read == Mode::never || !on_one_node()) return;
  processes_ = find_readable_processes(node_);
  can_read_ = reads_processes() || all_of(comm_, has_lent_memory());
}

// Others may have been on other communicators of this shape, or have no file: what one of them knows, all get to know.
void CommState::inherit_experience() {
  if (!chooser_.measures_any()) return;
  [[maybe_unused]] static const bool has_read = [] {
    if (const char* path = my_settings().file) experience_book().read(path);
    return true;
  }();
  shape_ = describe_shape(nodes_, settings_, wait_policy_.spins > 0, can_read_);
  Experience all = experience_of_shape();
  PMPI_Allreduce(MPI_IN_PLACE, &all, sizeof all / sizeof(std::uint64_t), MPI_UINT64_T, MPI_BOR, comm_);
  chooser_.inherit(all, on_one_node() ? Way::own : Way::mpi);
}

Experience CommState::experience_of_shape() const { return experience_book().of(shape_); }
void CommState::share_experience() const { experience_book().note(shape_, chooser_.experience()); }

// A power of two, so that growing is rare; what is really wanted if that is too much; 0 if that is too much
// as well.
std::size_t CommState::affordable_share(std::size_t wanted) const {
  if (wanted > settings_.buffer) return 0;
  const auto fits = [&](std::size_t share) {
    const BufferSize size{share, nodes_.count()};
    return share <= settings_.buffer / nodes_.widest && size.bytes(nodes_.widest) <= settings_.buffer &&
           (nodes_.count() == 1 || share * nodes_.widest <= largest_message);
  };
  const std::size_t generous = std::max(smallest_share, std::bit_ceil(wanted));
  if (fits(generous)) return generous;
  const std::size_t exact = (wanted + 4095) & ~std::size_t{4095};
  return fits(exact) ? exact : 0;
}

std::unique_ptr<NodeBuffer> CommState::make_buffer_of(std::size_t share, std::string& because) {
  const BufferSize size{share, nodes_.count()};
  std::unique_ptr<NodeBuffer> buffer;
  Created segment = create_segment(settings_.segment, node_, size.bytes(nodes_.here().size()), because);
  if (segment) buffer = std::make_unique<NodeBuffer>(std::move(segment), size, nodes_, wait_policy_);
  // Also the barrier after which the slots are ready.
  if (!all_of(comm_, buffer != nullptr)) buffer.reset();
  return buffer;
}

bool CommState::make_buffer(std::size_t share) {
  buffer_.reset();
  std::string because;
  buffer_ = make_buffer_of(share, because);
  if (!buffer_) trouble_ = because.empty() ? "another rank could not get shared memory" : because;
  return buffer_ != nullptr;
}

std::unique_ptr<NodeBuffer> CommState::make_separate_buffer(std::size_t share) {
  std::string because;
  return make_buffer_of(share, because);
}

bool CommState::make_buffer_for(std::size_t share) {
  if (!find_nodes()) return false;
  const std::size_t affordable = affordable_share(share);
  return affordable && make_buffer(affordable);
}

void CommState::agree(double* values, int count) {
  buffer_->begin();
  std::copy(values, values + count, buffer_->offered(nodes_.local));
  buffer_->arrive();
  buffer_->await_all();
  for (int other = 0; other < buffer_->ranks(); ++other)
    for (int item = 0; item < count; ++item)
      values[item] = std::max(values[item], buffer_->offered(other)[item]);
  if (on_one_node()) return;
  if (nodes_.i_lead()) {
    PMPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, leaders_);
    if (nodes_.local == 0) std::copy(values, values + count, buffer_->agreed());
    buffer_->deliver(CallHeader{});
  }
  buffer_->await_leaders(nodes_.here().leaders);
  std::copy(buffer_->agreed(), buffer_->agreed() + count, values);
}

}  // namespace atrium::mpi
