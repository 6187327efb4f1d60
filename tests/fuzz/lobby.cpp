// Job memory that begins with any bytes: a PE joins, or is told why it cannot. It never reads outside of it.
//
// Tests: SYNC lobby
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <unistd.h>

#include "input.hpp"
#include "lobby/visit.hpp"

using namespace atrium;

namespace {

// A good lobby of some PEs, which may be cut off, and of which the input then writes over some bytes.
int damaged_lobby(Input& input, int pes) {
  const int memory = memfd_create("lobby", 0);
  const Placement placement = Placement::on_one_node(0, pes);
  auto lobby = create_lobby(memory, placement, {});
  MUST(lobby, "a lobby can be made");
  auto* bytes = reinterpret_cast<char*>(*lobby);
  const size_t all = lobby_bytes(placement);
  if (input.up_to(3) == 0)
    if (ftruncate(memory, static_cast<off_t>(input.take<std::uint32_t>() % (all + 1))) != 0) std::abort();
  off_t end = lseek(memory, 0, SEEK_END);
  while (input.left() > 0) {
    const size_t at = input.take<std::uint16_t>() % (sizeof(Lobby) + 512);
    const auto value = input.take<std::uint8_t>();
    if (static_cast<off_t>(at) < end) bytes[at] = static_cast<char>(value);
  }
  munmap(bytes, all);
  return memory;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const int pes = 1 + input.up_to(100), me = input.up_to(pes + 1) - 1;
  const int memory = damaged_lobby(input, pes);
  if (auto placement = read_placement(memory, me)) {
    MUST(placement->me() == me && placement->is_valid(), "who has a place knows which");
    const size_t bytes = lobby_bytes(*placement);
    if (auto visit = LobbyVisit::enter(memory, *placement)) {
      visit->count_cpus();
      visit->domains();
      visit->traits_of_any();
      munmap(&visit->lobby(), bytes);
    }
  }
  close(memory);
  return 0;
}
