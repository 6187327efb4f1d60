// Layout of what one node sends to another (drawn in between_nodes.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/comm_state.hpp"

namespace atrium::mpi {

// Travels in front of the data, so that all nodes learn from the exchange itself whether it holds.
struct alignas(16) NodeHeader {
  Verdict verdict;
  std::uint64_t need, widest;
};

// The areas of this node for one call: a region for each node, one behind the other.
struct Regions {
  std::vector<std::size_t> send_at, receive_at;        // by node: where its region begins in the area
  std::vector<std::size_t> send_bytes, receive_bytes;  // by node
  std::size_t need = 0;                                // of the larger area, as a share for each rank
  std::size_t widest = 0;                              // bytes per pair of the rank here that sends most
};

// All blocks of the same size.
Regions regions_of_uniform(const CommState& state, std::size_t block_bytes);
// From the notices of all ranks here.
Regions regions_of_notices(CommState& state);

// One region, of `from` to `to`; block_bytes 0 means that the table tells.
class Region {
 public:
  Region(std::byte* begin, const Node& from, const Node& to, std::size_t block_bytes)
      : begin_(begin), rows_(from.size()), columns_(to.size()), block_bytes_(block_bytes) {}

  NodeHeader& header() const { return *reinterpret_cast<NodeHeader*>(begin_); }
  std::uint64_t* table_row(int row) const;
  std::byte* data() const;
  // Calls f(row, place, bytes) for the blocks of one column.
  template <class F>
  void for_each_in_column(int column, F f) const;

 private:
  std::byte* begin_;
  int rows_, columns_;
  std::size_t block_bytes_;
};

// What a region has in front of its data.
std::size_t region_head(int rows, int columns, bool has_table);

inline std::uint64_t* Region::table_row(int row) const {
  return reinterpret_cast<std::uint64_t*>(begin_ + sizeof(NodeHeader)) +
         static_cast<std::size_t>(row) * columns_;
}

inline std::byte* Region::data() const { return begin_ + region_head(rows_, columns_, block_bytes_ == 0); }

template <class F>
void Region::for_each_in_column(int column, F f) const {
  std::byte* place = data();
  for (int row = 0; row < rows_; ++row) {
    if (block_bytes_) {
      f(row, place + (static_cast<std::size_t>(row) * columns_ + column) * block_bytes_, block_bytes_);
      continue;
    }
    const std::uint64_t* sizes = table_row(row);
    for (int other = 0; other < columns_; place += sizes[other++])
      if (other == column) f(row, place, static_cast<std::size_t>(sizes[other]));
  }
}

}  // namespace atrium::mpi
