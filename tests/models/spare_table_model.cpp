// The table of deltas that is kept for the next team (src/arena/delta_table): one thread has it at a time, and finds in it
// what the one before has left there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC spare-table
#include "arena/delta_table.cpp"
#include "model.hpp"

namespace atrium {

size_t address_space_left() { return SIZE_MAX; }
// There is memory, and no table is long.
Error system_error(std::string_view, const char*) { model::never_called(); }
Result<int> create_memfd() { model::never_called(); }

namespace {

struct Shared {
  // Each execution begins with an empty place.
  Shared() { new (&spare) std::atomic<ptrdiff_t*>(nullptr); }
};

// One entry stands for the whole table: writing it is what the next owner must see.
template <int times>
void make_and_give_back(Shared&, int thread) {
  for (int time = 0; time < times; ++time) {
    ptrdiff_t* table = *create_delta_table(4);
    model::plain_read(table, sizeof *table);
    MODEL_REQUIRE(*table == ATRIUM_AWAY);
    model::plain_write(table, sizeof *table);
    *table = thread;
    destroy_delta_table(table, 4);
  }
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  return model::explore_all({model::scenario<Shared>("two threads, twice each", 2, make_and_give_back<2>),
                             model::scenario<Shared>("three threads", 3, make_and_give_back<1>)},
                            {}, argc, argv);
}
