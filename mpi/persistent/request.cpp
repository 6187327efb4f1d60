// Starts and completes a persistent exchange, and chooses its way.
// SPDX-License-Identifier: BSD-3-Clause
#include "persistent/request.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "exchange/run.hpp"
#include "report/report.hpp"

namespace atrium::mpi {
namespace {

// The system has 4,096 segments; most are the program's.
constexpr int most_with_memory = 128;
std::atomic<int> with_memory{0};

constexpr std::size_t preferred_up_to = 64 << 10;  // bytes of a block: as MPI_Alltoall on one node

// Of windows the MPI's free is collective, which MPI_Request_free must not be. A request may outlive its communicator, and what then packs
// and drives the MPI is MPI_COMM_SELF and MPI_COMM_WORLD.
bool may_have_buffer(const Settings& settings, std::size_t share, int ranks) {
  return has_world() && settings.segment == NodeSegmentKind::sysv && with_memory < most_with_memory &&
         BufferSize{share, 1}.bytes(ranks) <= settings.buffer;
}

}  // namespace

std::unique_ptr<PersistentExchange> PersistentExchange::make(std::shared_ptr<CommState> state,
                                                             const Exchange& exchange,
                                                             const Partners& partners, MPI_Request handle) {
  if (!state->find_nodes() || !state->on_one_node()) return nullptr;
  auto plan = std::make_unique<Plan>(*state, exchange, partners);
  const std::size_t share = whole_pages(plan->share());
  const bool wanted = plan->is_possible() && may_have_buffer(state->settings(), share, state->size());
  if (!all_of(state->comm(), wanted)) return nullptr;
  std::unique_ptr<NodeBuffer> buffer = state->make_separate_buffer(share);
  if (!buffer) return nullptr;
  return std::unique_ptr<PersistentExchange>(
      new PersistentExchange(std::move(state), std::move(plan), std::move(buffer), handle));
}

PersistentExchange::PersistentExchange(std::shared_ptr<CommState> state, std::unique_ptr<Plan> plan,
                                       std::unique_ptr<NodeBuffer> buffer, MPI_Request handle)
    : state_(std::move(state)),
      plan_(std::move(plan)),
      buffer_(std::move(buffer)),
      handle_(handle),
      choice_(plan_->share() / state_->size() <= preferred_up_to ? Way::own : Way::mpi) {
  ++with_memory;
}

PersistentExchange::~PersistentExchange() { --with_memory; }

bool PersistentExchange::measures() const { return state_->chooser().measures(equal_blocks); }

// Once bursts are complete, the next start says what they cost: one our way, with whose arrivals the costs travel.
Way PersistentExchange::choose() {
  const Settings& settings = state_->settings();
  if (settings.alltoall == Mode::always) return Way::own;
  if (settings.limit > 0) return plan_->share() / state_->size() <= settings.limit ? Way::own : Way::mpi;
  sends_costs_ = choice_.is_complete();
  return sends_costs_ ? Way::own : choice_.next();
}

int PersistentExchange::start() {
  if (is_started_) return raise(state_->comm(), MPI_ERR_REQUEST);
  way_ = choose();
  is_started_ = true;
  spent_ns_ = 0;
  ++started_tally().starts;
  const std::int64_t begin = atrium_now_ns();
  if (way_ == Way::own) {
    put_down();
  } else if (const int error = PMPI_Start(&handle_); error != MPI_SUCCESS) {
    is_started_ = false;
    return error;
  }
  spent(atrium_now_ns() - begin);
  return way_ == Way::own ? raise(state_->comm(), error_) : MPI_SUCCESS;
}

// A rank that cannot pack says so to the others, which then have an error as well: they wait for nothing more.
void PersistentExchange::put_down() {
  ++started_tally().own_starts;
  error_ = MPI_SUCCESS;
  taken_ = 0;
  buffer_->begin();
  std::byte* share = place(state_->rank());
  for (const PackedBlock& block : plan_->sent())
    if (const int failed = pack(block.elements(), share + block.place, state_->comm()); failed != MPI_SUCCESS)
      error_ = failed;
  buffer_->header(state_->rank()) = {error_ == MPI_SUCCESS ? CallVerdict::go : CallVerdict::fallback, 0, 0};
  if (sends_costs_) {
    const Bursts& bursts = choice_.measured();
    std::copy_n(bursts.cost.begin(), bursts.count, buffer_->offered(state_->rank()));
  }
  buffer_->arrive();
  if (const OwnBlock& own = plan_->own(); own.bytes > 0) std::memcpy(own.to, own.from, own.bytes);
}

void PersistentExchange::take(const PackedBlock& block) {
  const int failed =
      buffer_->header(block.rank).verdict == CallVerdict::go
          ? unpack(place(block.rank) + block.place, block.bytes, block.elements(), state_->comm())
          : MPI_ERR_OTHER;
  if (failed != MPI_SUCCESS) error_ = failed;
}

bool PersistentExchange::have_all_arrived() const {
  for (int other = 0; other < state_->size(); ++other)
    if (!buffer_->has_arrived(other)) return false;
  return true;
}

bool PersistentExchange::poll() {
  if (!is_ours()) return true;
  for (const auto& blocks = plan_->received(); taken_ < blocks.size(); ++taken_) {
    if (!buffer_->has_arrived(blocks[taken_].rank)) return false;
    take(blocks[taken_]);
  }
  return have_all_arrived();
}

void PersistentExchange::finish() {
  if (!is_ours()) return;
  for (const auto& blocks = plan_->received(); taken_ < blocks.size(); ++taken_) {
    const PackedBlock& next = blocks[taken_];
    buffer_->await(next.rank, place(next.rank) + next.place, next.bytes);
    take(next);
  }
  buffer_->await_all();
}

// The largest costs of all ranks; every rank has arrived with its own.
void PersistentExchange::learn() {
  Bursts slowest = choice_.measured();
  buffer_->take_largest(slowest.cost.data(), slowest.count);
  choice_.decide(slowest);
}

int PersistentExchange::retire() {
  const bool was_ours = is_ours();
  is_started_ = false;
  if (sends_costs_)
    learn();
  else if (measures())
    choice_.took(spent_ns_);
  sends_costs_ = false;
  return was_ours ? raise(state_->comm(), error_) : MPI_SUCCESS;
}

}  // namespace atrium::mpi
