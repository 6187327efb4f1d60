// Makes what an exchange needs: communicators of the node and of the leaders, and shared memory that grows.
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/comm_state.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "choice/experience_book.hpp"
#include "comm/shape.hpp"
#include "segment/exported_memory.hpp"
#include "segment/segment.hpp"
#include "settings/errors_return.hpp"
#include "settings/obstacles.hpp"

namespace atrium::mpi {
namespace {

constexpr std::size_t smallest_share = 16 << 10;
// Of floating-point numbers: up to this size one copy in and one out cost less than messages on every machine we know.
constexpr std::size_t largest_sum = 1 << 20;
constexpr std::uint64_t sums_by_mpi = 4;  // first, of each class of sizes
// What the nodes cost is three percent of so many small calls.
constexpr std::size_t calls_before_setup = 64;
// MPICH has 2,000 communicators, the system 4,096 segments; most are the program's.
constexpr int most_states_with_nodes = 128;
std::atomic<int> states_with_nodes{0};

void free_comm(MPI_Comm& comm) {
  if (comm != MPI_COMM_NULL) PMPI_Comm_free(&comm);
}

// False where the MPI has no communicator left. `comm` answers errors.
bool split(MPI_Comm comm, int color, int key, MPI_Comm& part) {
  const bool done = PMPI_Comm_split(comm, color, key, &part) == MPI_SUCCESS;
  if (!done) part = MPI_COMM_NULL;
  if (part != MPI_COMM_NULL) PMPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
  return done;
}

// Smaller ones are the MPI's where nobody asks for ours. In a row of broadcasts its root runs ahead by many of them, ours by one,
// and trials of a few calls do not see that.
constexpr std::size_t fewest_measured_bytes = 1 << 10;

std::size_t fewest_bytes_of_ours(Mode bcast) {
  if (bcast == Mode::never) return SIZE_MAX;
  return bcast == Mode::always ? 1 : fewest_measured_bytes;
}

constexpr const char* no_communicator_left = "the MPI has no communicator left for it";
constexpr const char* nothing_to_share = "each of its nodes has one rank, so that nothing can be shared";

bool asks_for_ours(const Settings& settings) {
  return settings.alltoall == Mode::always || settings.allreduce == Mode::always ||
         settings.bcast == Mode::always || settings.barrier == Mode::always || settings.limit > 0;
}

// In a new communicator, from its first call on.
bool asks_for_more(const Settings& settings) { return asks_for_ours(settings) || settings.report; }

void read_experience() {
  [[maybe_unused]] static const bool has_read = [] {
    if (const char* path = my_settings().file) experience_book().read(path);
    return true;
  }();
}

}  // namespace

int count_peers(MPI_Comm comm) {
  int two_groups = 0, peers = 0;
  if (!may_ask_about(comm)) return 0;
  if (PMPI_Comm_test_inter(comm, &two_groups) != MPI_SUCCESS) return 0;
  two_groups ? PMPI_Comm_remote_size(comm, &peers) : PMPI_Comm_size(comm, &peers);
  return peers;
}

CommState::CommState(MPI_Comm comm, int peers) : comm_(comm), size_(peers) {
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  PMPI_Comm_rank(comm, &rank_);
  bypassed_ = is_inter || size_ == 1;
  if (bypassed_) return;
  set_rules();
  chooser_.leave_first_calls(calls_before_setup);
  if (!may_settle_later()) settle();
}

// In the first calls nothing depends on what the job has agreed on, if that asks for nothing at once; all its ranks know whether it
// does. Ranks of several jobs cannot know it of each other.
bool CommState::may_settle_later() const {
  const std::optional<Settings> known = settings_of_job();
  if (known && !asks_for_more(*known)) return true;
  return has_world() && ranks_in_job(comm_).empty();
}

// The first communicator of a job has no first calls: what it pays for is there for the others.
bool CommState::settle() {
  if (settled_) return false;
  settled_ = true;
  const bool is_known = settings_of_job().has_value();
  job_ranks_ = ranks_in_job(comm_);
  const AgreedSettings agreed = agree_on_settings(comm_, job_ranks_);
  settings_ = agreed.settings;
  if (!is_known && static_cast<int>(job_ranks_.size()) == ranks_of_job()) chooser_.leave_first_calls(0);
  if (!agreed.are_of_job) job_ranks_.clear();
  set_rules();
  return true;
}

// Sums of floating-point numbers have the same result in every run: which way they go depends on no time.
void CommState::set_rules() {
  fewest_broadcast_bytes_ = fewest_bytes_of_ours(settings_.bcast);
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
  if (group_) --states_with_nodes;
  if (buffer_ && !job_ranks_.empty()) keep_buffer(job_ranks_, std::move(buffer_));
  buffer_.reset();
  free_comm(leaders_);
  free_comm(node_);
}

void CommState::leave_comm() {
  if (group_ && group_->wait_policy.progress == comm_) group_->wait_policy.progress = MPI_COMM_NULL;
}

void CommState::abandon() {
  if (buffer_) buffer_->segment().abandon();
  leaders_ = node_ = MPI_COMM_NULL;
}

// ---- Who is where ----

void CommState::look_around() {
  found_ = true;
  const ErrorsReturn here(comm_);
  trouble_ = find_group();
  if (trouble_.empty()) trouble_ = split_for_nodes();
  if (trouble_.empty()) return void(++states_with_nodes);  // only now: one that has none is not counted
  bypassed_ = !settings_.report;
  group_.reset();
  buffer_.reset();
  free_comm(leaders_);
  free_comm(node_);
}

// What all ranks say in one reduction, a bitwise or.
struct GroupAgreement {
  // The same on all ranks, and not 0.
  struct Common {
    explicit Common(std::uint64_t mine = 0) : value(mine), inverse(~mine) {}
    bool is_one() const { return value != 0 && (value & inverse) == 0; }
    std::uint64_t value, inverse;
  };
  Common group;   // what is known of these ranks from another communicator (group_book.hpp)
  Common buffer;  // that no communicator of theirs uses
  std::uint64_t obstacles = 0, lacks_room = 0, lacks_exported_memory = 0, cannot_read_processes = 0;
  std::uint64_t new_number = 0;  // rank 0's
  OperationSet differing{};
  Experience experience[2];  // of its shapes: blocks are copied, or read
};

// `group`: what this rank has found out alone, or offers from another communicator; of a shape there are two, and which one it is is
// known only then.
GroupAgreement CommState::agree_on_group(const RankGroup* group, std::uint64_t buffer) const {
  GroupAgreement together;
  together.group = GroupAgreement::Common(group ? group->number : 0);
  together.buffer = GroupAgreement::Common(buffer);
  together.obstacles = obstacles_here();
  together.lacks_room = states_with_nodes >= most_states_with_nodes;
  together.lacks_exported_memory = !has_exported_memory();
  if (rank_ == 0) together.new_number = next_mark();
  if (group) {
    together.cannot_read_processes = group->processes.empty();
    together.differing = group->differing;
    if (chooser_.measures_any())
      for (const bool reads : {false, true})
        together.experience[reads] = experience_book().of(group->shapes[reads]);
  }
  static_assert(sizeof together % sizeof(std::uint64_t) == 0, "nothing but words");
  PMPI_Allreduce(MPI_IN_PLACE, &together, sizeof together / sizeof(std::uint64_t), MPI_UINT64_T, MPI_BOR,
                 comm_);
  return together;
}

// Answers what prevents it, the same on all ranks. Ranks that know each other need one reduction.
std::string CommState::find_group() {
  read_experience();
  KnownGroup known = job_ranks_.empty() ? KnownGroup{} : take_known_group(job_ranks_);
  GroupAgreement agreed = agree_on_group(known.group.get(), known.buffer_number());
  const bool is_known = agreed.group.is_one();
  if (is_known && agreed.buffer.is_one()) buffer_ = std::move(known.buffer);
  if (known.buffer) keep_buffer(job_ranks_, std::move(known.buffer));
  // Who asks for our way knows where the program's buffers are.
  const std::uint64_t obstacles = agreed.obstacles & ~(asks_for_ours(settings_) ? uses_gpu : 0);
  if (obstacles) return describe_obstacles(obstacles);
  if (agreed.lacks_room) return std::to_string(most_states_with_nodes) + " others have it";
  group_ = std::move(known.group);
  if (!is_known) {
    make_group(meet(comm_));
    agreed = agree_on_group(group_.get(), 0);
    adopt_new_group(agreed);
  }
  // Trials would show no more than that.
  if (nodes().widest == 1 && !asks_for_ours(settings_)) return nothing_to_share;
  // Where processes may not be read, all buffers have to be memory that can be mapped, and it is worth a try only if ranks have such
  // memory.
  const bool may_read = settings_.read != Mode::never && on_one_node();
  can_read_ = may_read && (reads_processes() || !agreed.lacks_exported_memory);
  if (chooser_.measures_any())
    chooser_.inherit(agreed.experience[can_read_], on_one_node() ? Way::own : Way::mpi);
  return {};
}

// What this rank finds out alone; adopt_new_group() completes it.
void CommState::make_group(const std::vector<RankRecord>& ranks) {
  group_ = std::make_shared<RankGroup>();
  group_->nodes = arrange(node_roots(ranks, settings_.node_ranks), rank_, settings_.leaders);
  group_->wait_policy = wait_policy_for(processes_beside(ranks, rank_));
  group_->differing = operations_that_differ();
  for (const bool reads : {false, true})
    group_->shapes[reads] = describe_shape(nodes(), settings_, group_->wait_policy.spins > 0, reads);
  const bool in_job = ranks_of_job() > 1;
  group_->wait_policy.progress = in_job ? MPI_COMM_WORLD : comm_;
  PMPI_Comm_rank(group_->wait_policy.progress, &group_->wait_policy.rank);
  for (int local : nodes().here().ranks) {
    const ProcessMark& process = ranks[static_cast<std::size_t>(local)].process;
    if (settings_.read == Mode::never || !on_one_node() || !atrium::mpi::can_read(process))
      return group_->processes.clear();
    group_->processes.push_back(static_cast<pid_t>(process.process));
  }
}

void CommState::adopt_new_group(const GroupAgreement& agreed) {
  group_->number = agreed.new_number;
  group_->differing = agreed.differing;
  if (agreed.cannot_read_processes) group_->processes.clear();
  if (!job_ranks_.empty()) keep_group(job_ranks_, group_);
}

// Communicators of ours, where some are needed: of the leaders, and of the node for its windows.
std::string CommState::split_for_nodes() {
  bool done = true;
  if (settings_.segment == NodeSegmentKind::window) done = split(comm_, nodes().mine, rank_, node_);
  if (!on_one_node()) done = split(comm_, nodes().i_lead() ? 0 : MPI_UNDEFINED, rank_, leaders_) && done;
  const bool is_needless = on_one_node() && settings_.segment != NodeSegmentKind::window;
  return is_needless || all_of(comm_, done) ? "" : no_communicator_left;
}

Experience CommState::experience_of_shape() const { return experience_book().of(group_->shapes[can_read_]); }
void CommState::share_experience() const {
  experience_book().note(group_->shapes[can_read_], chooser_.experience());
}

// A power of two, so that growing is rare; what is really wanted if that is too much; 0 if that is too much
// as well.
std::size_t CommState::affordable_share(std::size_t wanted) const {
  if (wanted > settings_.buffer) return 0;
  const auto fits = [&](std::size_t share) {
    const BufferSize size{share, nodes().count()};
    return share <= settings_.buffer / nodes().widest && size.bytes(nodes().widest) <= settings_.buffer &&
           (nodes().count() == 1 || share * nodes().widest <= largest_message);
  };
  const std::size_t generous = std::max(smallest_share, std::bit_ceil(wanted));
  if (fits(generous)) return generous;
  const std::size_t exact = whole_pages(wanted);
  return fits(exact) ? exact : 0;
}

std::unique_ptr<NodeBuffer> CommState::make_buffer_of(std::size_t share, std::string& because) {
  const BufferSize size{share, nodes().count()};
  const SegmentRanks ranks{comm_, nodes().first_here(), on_one_node(), node_};
  std::unique_ptr<NodeBuffer> buffer;
  Created segment = create_segment(settings_.segment, ranks, size.bytes(nodes().here().size()), because);
  if (segment) buffer = std::make_unique<NodeBuffer>(std::move(segment), size, nodes(), group_->wait_policy);
  // Also the barrier after which the slots are ready.
  if (!all_of(comm_, buffer != nullptr)) buffer.reset();
  return buffer;
}

std::unique_ptr<NodeBuffer> CommState::make_separate_buffer(std::size_t share) {
  std::string because;
  return make_buffer_of(share, because);
}

bool CommState::make_buffer_for(std::size_t share) {
  const std::size_t affordable = find_nodes() ? affordable_share(share) : 0;
  if (!affordable) return false;
  std::string because;
  buffer_.reset();
  buffer_ = make_buffer_of(affordable, because);
  if (buffer_) return true;
  trouble_ = because.empty() ? "another rank could not get shared memory" : because;
  bypassed_ = !settings_.report;
  return false;
}

void CommState::agree(double* values, int count) {
  buffer_->begin();
  std::copy(values, values + count, buffer_->offered(nodes().local));
  buffer_->arrive();
  buffer_->await_all();
  buffer_->take_largest(values, count);
  if (on_one_node()) return;
  if (nodes().i_lead()) {
    PMPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, leaders_);
    if (nodes().local == 0) std::copy(values, values + count, buffer_->agreed());
    buffer_->deliver(CallHeader{});
  }
  buffer_->await_leaders(nodes().here().leaders);
  std::copy(buffer_->agreed(), buffer_->agreed() + count, values);
}

}  // namespace atrium::mpi
