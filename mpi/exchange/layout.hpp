// What ranks and nodes put down for each other, in shared memory and in messages, and how it is read.
// SPDX-License-Identifier: BSD-3-Clause
//
// A size that another rank or node wrote is never followed out of the memory in which it lies: the reader then answers that
// the region cannot be read. Nothing here calls MPI, so that tests can hand it any bytes (tests/fuzz/mpi_layout.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "choice/call_header.hpp"
#include "segment/exported_memory.hpp"

namespace atrium::mpi {

// Travels in front of the data, so that all nodes learn from the exchange itself whether it holds.
struct alignas(16) NodeHeader {
  CallVerdict verdict;
  std::uint64_t need, widest;
};

// What a header says; one that no node can have written is as a message that was cut off.
inline CallHeader read_header(const NodeHeader& header) {
  if (!is_known(header.verdict)) return {CallVerdict::truncated, 0, 0};
  return {header.verdict, header.need, header.widest};
}

// Regions begin where a header may.
inline std::size_t aligned(std::size_t bytes) {
  return (bytes + alignof(NodeHeader) - 1) & ~(alignof(NodeHeader) - 1);
}

// What a region has in front of its data.
inline std::size_t region_head(int rows, int columns, bool has_table) {
  const std::size_t table = has_table ? std::size_t(rows) * columns * sizeof(std::uint64_t) : 0;
  return sizeof(NodeHeader) + aligned(table);
}

// One region (drawn in between_nodes.hpp): a row for each rank that sends, a column for each that receives.
// block_bytes 0 means that the table has the sizes.
class ExchangeRegion {
 public:
  ExchangeRegion(std::byte* begin, int rows, int columns, std::size_t block_bytes)
      : begin_(begin), rows_(rows), columns_(columns), block_bytes_(block_bytes) {}

  std::uint64_t* table_row(int row) const {
    return reinterpret_cast<std::uint64_t*>(begin_ + sizeof(NodeHeader)) +
           static_cast<std::size_t>(row) * columns_;
  }
  std::byte* data() const { return begin_ + region_head(rows_, columns_, block_bytes_ == 0); }
  // Calls f(row, place, bytes) for the blocks of one column. `length`: of the region, its head at least. False, and no
  // more calls, where the table leads out of it.
  template <class F>
  bool for_each_in_column(int column, std::size_t length, F f) const;

 private:
  std::byte* begin_;
  int rows_, columns_;
  std::size_t block_bytes_;
};

template <class F>
bool ExchangeRegion::for_each_in_column(int column, std::size_t length, F f) const {
  std::byte* place = data();
  if (block_bytes_) {
    for (int row = 0; row < rows_; ++row)
      f(row, place + (static_cast<std::size_t>(row) * columns_ + column) * block_bytes_, block_bytes_);
    return true;
  }
  std::size_t left = length - static_cast<std::size_t>(place - begin_);
  for (int row = 0; row < rows_; ++row) {
    const std::uint64_t* sizes = table_row(row);
    for (int other = 0; other < columns_; ++other) {
      const std::uint64_t bytes = sizes[other];
      if (bytes > left) return false;
      if (other == column) f(row, place, static_cast<std::size_t>(bytes));
      place += bytes;
      left -= bytes;
    }
  }
  return true;
}

// On one node, where the blocks of a share are, if their sizes differ: a table of where each begins comes first.
class BlockTable {
 public:
  static std::size_t bytes_of(int ranks) {
    return ((ranks + 1) * sizeof(std::uint64_t) + 63) & ~std::size_t{63};
  }

  BlockTable(std::byte* share, int ranks)
      : begins(reinterpret_cast<std::uint64_t*>(share)), data(share + bytes_of(ranks)) {}

  struct FoundBlock {
    std::byte* at;
    std::size_t bytes;
  };
  // Nothing where the table leads out of the share, which is so long, and longer than a table.
  std::optional<FoundBlock> block(int peer, int ranks, std::size_t share_bytes) const {
    const std::uint64_t begin = begins[peer], end = begins[peer + 1];
    if (begin > end || end > share_bytes - bytes_of(ranks)) return {};
    return FoundBlock{data + begin, static_cast<std::size_t>(end - begin)};
  }

  std::uint64_t* begins;
  std::byte* data;
};

// On one node, where blocks are read straight out of the sender's memory: a share says where each of them is. The owner
// writes all of it; `has_failed` after the others may read the rest, and they read it when they have seen the owner arrive
// once more.
class ReadTable {
 public:
  struct Head {
    ExportedMemory exported;  // the piece that the blocks lie in, or some of them
    ExportedMemory packed;    // and that of what had to be copied
    std::uint64_t has_failed;
  };
  struct Place {
    std::uint64_t address, bytes;  // in the owner's process
  };
  static std::size_t bytes_of(int ranks) {
    return sizeof(Head) + static_cast<std::size_t>(ranks) * sizeof(Place);
  }

  explicit ReadTable(std::byte* share)
      : head(reinterpret_cast<Head*>(share)), places(reinterpret_cast<Place*>(share + sizeof(Head))) {}

  Head* head;
  Place* places;  // by rank that the block is for
};

}  // namespace atrium::mpi
