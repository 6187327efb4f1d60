// What other nodes tell while a job starts, through PMIx or the launcher, with any bytes in it: where their memory is, the pieces
// of a text, plans, traits, addresses. A PE learns who is where, or is told why not.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <unistd.h>

#include "bootstrap/introduction.hpp"
#include "engine/engines.hpp"
#include "input.hpp"
#include "job/agreement.hpp"
#include "job/node_facts.hpp"
#include "job/watch_notice.hpp"
#include "topology/placement.hpp"

using namespace atrium;

// Instead of the order of the engines' providers, whose libraries are not linked here: any order serves, and some names have no place.
int atrium::place_of_provider(std::string_view name) { return static_cast<int>(name.size() % 8) - 1; }

namespace {

// Each node's first PE tells the next line of the input.
void place(Input& input) {
  const int pes = 1 + input.up_to(20), me = input.up_to(pes - 1);
  const std::vector<std::string> lines = input.words();
  size_t asked = 0;
  const auto next_line = [&](int) -> Result<std::string> { return lines[asked++ % lines.size()]; };
  if (auto found = place_by_introductions(me, pes, next_line))
    MUST(found->is_valid() && found->me() == me && found->pes() == pes, "who has a place knows which");
  if (auto read = Introduction::read(lines[0])) {
    auto again = Introduction::read(read->text());
    MUST(again && again->pes == read->pes && again->owner == read->owner &&
             again->descriptor == read->descriptor,
         "an introduction survives being told");
  }
  const WatchNotice notice = WatchNotice::read(lines[0]);
  MUST(notice.networks.size() == notice.names.size(), "each network has a name");
  names_in_common({notice, WatchNotice::read(lines.back())});
}

// The other nodes say what mine says, but for the bytes that the input writes over.
class Hearsay final : public Bootstrap {
 public:
  Hearsay(const Placement& pes, int memory, Input& input) : Bootstrap(pes, memory), input_(input) {}
  const char* kind() const override { return "hearsay"; }
  bool is_true() const { return is_true_; }

 protected:
  Result<void> exchange(LobbyVisit& visit) override {
    NodeBlob* blobs = visit.lobby().blobs();
    for (int node = 1; node < placement().nodes(); ++node) {
      blobs[node] = blobs[0];
      for (int changes = input_.up_to(3); changes > 0; --changes) damage(blobs[node]);
    }
    return {};
  }

 private:
  void damage(NodeBlob& blob) {
    is_true_ = false;
    if (input_.up_to(3) == 0) {
      blob.bytes = input_.take<uint16_t>();
    } else {
      const size_t at = input_.take<uint8_t>();
      blob.data[at] = static_cast<char>(input_.take<uint8_t>());
    }
  }

  Input& input_;
  bool is_true_ = true;
};

void agree(Hearsay& others, LobbyVisit& lobby) {
  const SegmentPlan mine{1 << 20, 42, 7, 1 << 30, 1 << 16, 0, 1, 3, 0.0};
  if (auto plan = agree_on_plan(others, lobby, mine, {"tcp", {"10.1.2.3/16", "10.77.0.1/24"}}))
    MUST(plan->segment.heap_size <= mine.heap_size && plan->segment.system_size == mine.system_size &&
             (!others.is_true() || (plan->network.address.empty() && !plan->network.difference)),
         "all can hold the heap, and one address is not several hosts'");
  else
    MUST(!others.is_true(), "nodes that agree may start");
  if (auto traits = agree_on_traits(others, lobby, {.threaded = true, .cpus = 8}))
    MUST(traits->threaded && traits->cpus >= 0 && traits->cpus <= 8, "something is known of every PE");
  else
    MUST(!others.is_true(), "nodes that agree may start");
}

// `endpoints` is more than fits into one piece.
void tell_addresses(Hearsay& others, LobbyVisit& lobby) {
  constexpr size_t endpoints = 60;
  NodeFacts facts{{77},   true,
                  "host", "10.77.0.1:80",
                  "tcp",  std::vector<EndpointAddress>(endpoints, {std::string(100, 'a'), {4, 5}})};
  auto texts = others.allgather(lobby, pack(facts));
  MUST(texts || !others.is_true(), "true texts come");
  if (!texts) return;
  for (const std::string& text : *texts) {
    NodeFacts heard;
    if (unpack(text, endpoints, heard))
      MUST(heard.endpoints.size() == endpoints && pack(heard).size() == text.size(),
           "all bytes are understood");
    else
      MUST(!others.is_true(), "true facts are understood");
  }
}

void hear(Input& input) {
  set_placement(Placement(0, {0, 0, 1, 1, 2, 2}));
  const int memory = memfd_create("lobby", 0);
  auto lobby = create_lobby(memory, Placement(0, {0, 1, 2}), {});
  MUST(lobby, "a lobby can be made");
  munmap(*lobby, lobby_bytes(Placement(0, {0, 1, 2})));
  auto visit = LobbyVisit::enter(memory, Placement(0, {0, 1, 2}));
  MUST(visit, "and entered");
  Hearsay others(placement, memory, input);
  input.up_to(1) == 0 ? agree(others, *visit) : tell_addresses(others, *visit);
  munmap(&visit->lobby(), lobby_bytes(Placement(0, {0, 1, 2})));
  close(memory);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  input.up_to(1) == 0 ? place(input) : hear(input);
  return 0;
}
