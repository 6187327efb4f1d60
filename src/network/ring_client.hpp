// A client's side of the command rings: a neighbour's endpoint carries out its operations (network/endpoint.hpp).
// SPDX-License-Identifier: BSD-3-Clause
//
// Puts up to 8 KiB are copied into the ring. Larger data in this PE's symmetric memory is moved from or to where it lies. Other data
// goes through staging buffers, which the owner's process maps too, and so do blocking puts up to 64 KiB, which then need not wait.
// A large nonblocking put from private memory is a blocking one. The results of nonblocking fetches and small gets for private
// memory stay in a buffer of results until the next quiet.
//
// Progress.   None by this PE: the owner executes, in its own waits or by its threads, and wakes the threads that wait here.
// Thread safety: any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lobby/traffic.hpp"
#include "network/issuer.hpp"
#include "network/progress_lock.hpp"
#include "network/ring_block.hpp"
#include "wire/pending.hpp"

namespace atrium {

class WaitStages;

struct RingClientPlan {
  RingBlock* mine = nullptr;
  uint64_t mine_at = 0;      // offset of it in my node's segment
  Doorbell* bell = nullptr;  // the owner's
  Traffic* traffic = nullptr;
  // The offset in my node's segment of memory that is symmetric and mine, or not_symmetric.
  uint64_t (*offset_of)(void* subject, const void* address, size_t bytes) = nullptr;
  void* subject = nullptr;
  void (*idle)(void* subject) = nullptr;  // called instead of resting, if given (tests)
  static constexpr uint64_t not_symmetric = ~uint64_t{0};
};

class RingClient final : public Issuer {
 public:
  explicit RingClient(const RingClientPlan& plan) : plan_(plan), block_(*plan.mine) {}
  RingClient(const RingClient&) = delete;
  RingClient& operator=(const RingClient&) = delete;

  // `pending` belongs to a context, which stays until a quiet of it.
  void issue_one(Request& request, bool later) override;
  void issue_blocks(Request& first, ptrdiff_t step, ptrdiff_t here_step, size_t count, bool later) override;
  void fence() override;
  void quiet(Pending* pending) override;
  // The same, whatever the nodes: the ring counts by context.
  void quiet_nodes(Pending* pending, const int*, size_t) override { quiet(pending); }
  void quiet_all();

 private:
  // What a context has issued up to a quiet. Erased when the quiet has found all of it complete.
  struct Account {
    uint64_t id;
    Pending* pending;  // the context's word: what it has issued, which only quiet takes back
    uint16_t counter;  // in the block: what is not complete
    uint64_t issued = 0, settled = 0;
    bool has_results = false;  // in the buffer of results, not collected yet
    bool is_closed = false;    // a quiet waits for its counter: what the context issues now counts elsewhere
  };
  struct Result {  // lies in the buffer of results, and is for private memory
    void* dest;
    const char* from;
    size_t bytes;
  };
  enum class Buffer : uint8_t { free, held, lent };  // lent: until its counter is down
  class Waiter;
  class Held;

  // Requires of these: the lock is held. Others may hold it while append() and take_result() wait.
  Account* count(Pending* pending);
  static uint16_t counter_of(const Account* account) {
    return account ? account->counter : RingBlock::uncounted;
  }
  uint16_t counter_for_another() const;
  void append(Command command, const void* data = nullptr);
  Command* take_room(const uint32_t& size, uint64_t& before);
  char* take_result(size_t bytes);
  bool collect_results();
  bool has_results(uint64_t account) const;
  int find_buffer();
  Account* open_account_of(const Pending* pending);
  const Account* account_before(uint64_t id, const Pending* pending) const;
  void close(uint16_t counter);
  void settle(uint64_t account, uint64_t issued);
  void settle_closed();

  void put_large(Pending* pending, const Command& put, const char* source, bool later);
  void put_staged(Pending* pending, const Command& put, const char* source);
  void fetch_later(Pending* pending, Command fetch, void* dest, size_t bytes);
  void fetch_now(Command fetch, void* dest, size_t bytes);
  void get_private(char* dest, const Place& from, size_t bytes);
  void get_packed(char* dest, const Place& from, ptrdiff_t dest_step, ptrdiff_t from_step, size_t block,
                  size_t count);
  int take_buffer();
  void lend(int buffer);
  void give_back(int buffer);
  void await(uint16_t counter, bool asks);
  void await_buffer(int buffer) { await(counter_of(buffer), false); }
  template <class Ready>
  void wait(Ready ready, bool asks, Doorbell& bell);
  template <class Ready>
  void wait_holding(Ready ready, bool asks, Doorbell& bell);
  bool may_look_again(WaitStages& stages);

  static uint16_t counter_of(int buffer) { return static_cast<uint16_t>(RingBlock::first_staging + buffer); }

  uint64_t symmetric(const void* address, size_t bytes) const {
    return plan_.offset_of(plan_.subject, address, bytes);
  }
  uint64_t offset_in_block(const void* address) const {
    return plan_.mine_at +
           static_cast<uint64_t>(static_cast<const char*>(address) - reinterpret_cast<const char*>(&block_));
  }

  RingClientPlan plan_;
  RingBlock& block_;
  ProgressLock lock_;  // of this process: no thread waits for the owner while holding it
  std::vector<const uint32_t*> room_wanted_;  // by the threads that wait for it, in order
  std::vector<Account> accounts_;
  uint64_t next_account_ = 0;
  std::vector<Result> results_;
  size_t results_used_ = 0;
  Buffer buffers_[RingBlock::staging_buffers] = {};
};

}  // namespace atrium
