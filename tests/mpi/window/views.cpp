// The C++ face: spans, rows with a stride, the whole in every layout, moves, and errors as exceptions.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atrium/node_window.hpp>
#include <limits>
#include <utility>

#include "expect.h"

namespace {

using Window = atrium::NodeWindow<int>;

atrium_window_options with(atrium_window_layout layout) {
  atrium_window_options options{};
  options.layout = layout;
  options.name = "views";
  return options;
}

// Rank r has 10 + r elements, numbered through.
void the_whole_counts_through_all_parts(atrium_window_layout layout) {
  Window window(MPI_COMM_WORLD, 10 + static_cast<std::size_t>(world_rank()), with(layout));
  int first = 0;
  for (int rank = 0; rank < window.rank(); rank++) first += 10 + rank;
  for (int& element : window.mine()) element = first++;
  window.fence();
  const auto whole = window.whole();
  for (std::size_t at = 0; at < whole.size(); at++) EXPECT(whole[at] == static_cast<int>(at));
  EXPECT(whole.parts().size() == static_cast<std::size_t>(window.size()));
  EXPECT(window.beginning().data() == window.part(0).data());
}

bool is_refused(const Window& window, std::size_t rows, std::size_t columns, std::size_t stride) {
  try {
    window.rows_of(0, rows, columns, stride);
  } catch (const std::out_of_range&) {
    return true;
  }
  return false;
}

void rows_have_a_stride() {
  Window window(MPI_COMM_WORLD, 4 * 8);
  const auto mine = window.rows_of(window.rank(), 4, 6, 8);
  for (std::size_t row = 0; row < mine.rows(); row++)
    for (std::size_t column = 0; column < mine.columns(); column++)
      mine(row, column) = static_cast<int>(10 * row + column);
  window.barrier();
  const auto peer = window.rows_of((window.rank() + 1) % window.size(), 4, 6, 8);
  EXPECT(peer(3, 5) == 35 && peer[2].size() == 6 && peer[2][4] == 24);
  const auto block = peer.block(1, 2, 2, 3);
  EXPECT(block(1, 2) == 24 && block.rows() == 2 && block.columns() == 3 && block.stride() == 8);
  EXPECT(window.mine()[6] == 0);
  EXPECT(window.rows_of(0, 8).rows() == 4);
  EXPECT(window.rows_of(0, 1, 32, 1000).rows() == 1 && window.rows_of(0, 0, 8, 8).rows() == 0);
  EXPECT(is_refused(window, 5, 8, 8) && is_refused(window, 4, 9, 8) && is_refused(window, 1, 33, 33));
  EXPECT(is_refused(window, (std::numeric_limits<std::size_t>::max() >> 3) + 2, 1, 8));  // its product is 8
  window.barrier();
}

// Each rank writes its columns of every row.
void rows_may_span_all_parts() {
  Window window(MPI_COMM_WORLD, 6, with(ATRIUM_CONTIGUOUS));
  const auto ranks = static_cast<std::size_t>(window.size()), mine = static_cast<std::size_t>(window.rank());
  const auto rows = atrium::as_rows(window.array(), 6, ranks, ranks);
  for (std::size_t row = 0; row < 6; row++) rows(row, mine) = static_cast<int>(row * ranks + mine);
  window.barrier();
  for (std::size_t at = 0; at < 6 * ranks; at++) EXPECT(window.whole()[at] == static_cast<int>(at));
  window.barrier();
}

void one_table_per_node_is_filled_once() {
  Window table = Window::per_node(MPI_COMM_WORLD, 1000);
  if (table.rank() == 0) std::fill(table.mine().begin(), table.mine().end(), 7);
  table.freeze();
  EXPECT(table.beginning().size() == 1000 && table.beginning()[999] == 7);
}

void windows_move() {
  Window window(MPI_COMM_WORLD, 1), other = std::move(window);
  EXPECT(window.handle() == nullptr && other.mine().size() == 1);
  for (int rank = 0; rank < other.size(); rank++) other.post(rank);
  for (int rank = 0; rank < other.size(); rank++) other.wait(rank);
  EXPECT(!other.test(0));
  other.free();
}

void errors_are_exceptions() {
  int code = MPI_SUCCESS;
  try {
    Window window(MPI_COMM_WORLD, std::numeric_limits<std::size_t>::max() / 2);
  } catch (const atrium::WindowError& error) {
    code = error.code();
  }
  EXPECT(code == MPI_ERR_SIZE);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (const auto layout : {ATRIUM_PADDED, ATRIUM_CONTIGUOUS, ATRIUM_SEPARATE})
    the_whole_counts_through_all_parts(layout);
  rows_have_a_stride();
  rows_may_span_all_parts();
  one_table_per_node_is_filled_once();
  windows_move();
  errors_are_exceptions();
  return finish();
}
