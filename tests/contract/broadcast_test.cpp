// What every broadcast algorithm must do.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/broadcast/broadcast.hpp"

#include <cstring>

#include "test_job.hpp"

namespace atrium {
namespace {

constexpr size_t room = 70000;  // bytes per buffer
constexpr size_t sizes[] = {1, 8, 119, 120, 121, 2048, 5001, room};

unsigned char byte_at(int root, long round, size_t i) {
  return static_cast<unsigned char>(root * 31 + round * 7 + static_cast<long>(i % 251));
}

void fill(unsigned char* data, size_t bytes, int root, long round) {
  for (size_t i = 0; i < bytes; ++i) data[i] = byte_at(root, round, i);
}

bool holds(const unsigned char* data, size_t bytes, int root, long round) {
  for (size_t i = 0; i < bytes; ++i) {
    if (data[i] != byte_at(root, round, i)) return false;
  }
  return true;
}

class Broadcast : public testing::TestWithParam<std::string> {
 protected:
  void force() { (void)broadcasts.force(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(broadcast, Broadcast, testing::ValuesIn(names_of(broadcasts)), name_of_parameter);

TEST_P(Broadcast, everybody_gets_the_source_of_any_root) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<unsigned char>(room);
      auto* dest = pe.allocate<unsigned char>(room + 1);
      long round = 0;
      for (size_t bytes : sizes) {
        for (int root = 0; root < size; ++root, ++round) {
          if (pe.me == root) fill(source, bytes, root, round);
          dest[bytes] = 0xee;
          sync(world_team);
          broadcast(world_team, dest, source, bytes, root);
          pe.expect(holds(dest, bytes, root, round), "wrong data of " + std::to_string(bytes) + " bytes");
          pe.expect(dest[bytes] == 0xee, "wrote past the end");
        }
      }
    });
  }
}

TEST_P(Broadcast, the_source_may_be_changed_and_the_next_begun_at_once) {
  constexpr int buffers = 32;
  constexpr size_t bytes = 300;
  for (int size : job_sizes) {
    for (size_t length : {size_t{24}, bytes}) {
      TestJob(size).run([&](TestPe& pe) {
        force();
        auto* source = pe.allocate<unsigned char>(bytes);
        auto* dest = pe.allocate<unsigned char>(bytes * buffers);
        for (long round = 0; round < 320; ++round) {
          if (round % buffers == 0) sync(world_team);  // the dests are ready again
          const int root = static_cast<int>(round / 50) % size;
          unsigned char* mine = dest + static_cast<size_t>(round % buffers) * bytes;
          if (pe.me == root) fill(source, length, root, round);
          broadcast(world_team, mine, source, length, root);
          std::memset(source, 0xff, bytes);
          pe.expect(holds(mine, length, root, round), "wrong data in round " + std::to_string(round));
        }
      });
    }
  }
}

TEST_P(Broadcast, the_one_to_others_leaves_the_dest_of_the_root_alone) {
  TestJob(4).run([&](TestPe& pe) {
    force();
    auto* source = pe.allocate<long>(300);
    auto* dest = pe.allocate<long>(300);
    for (size_t n : {size_t{1}, size_t{300}}) {
      for (int root = 0; root < 4; ++root) {
        source[0] = pe.me + 100;
        dest[0] = -1;
        sync(world_team);
        broadcast_others(world_team, dest, source, n, root);
        pe.expect(dest[0] == (pe.me == root ? -1 : root + 100), "wrong dest");
        sync(world_team);
      }
    }
  });
}

TEST_P(Broadcast, no_bytes_need_no_pointers) {
  TestJob(3).run([&](TestPe&) {
    force();
    broadcast<long>(world_team, nullptr, nullptr, 0, 1);
    sync(world_team);
  });
}

}  // namespace
}  // namespace atrium
