// What leaders receive from other nodes, and what ranks find in each other's shares: tables with any sizes in them.
// Nothing is read outside the memory in which they lie, and what was written well is read well.
// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "exchange/layout.hpp"
#include "input.hpp"

using namespace atrium::mpi;

namespace {

// A copy of its own, so that the address sanitizer knows where it ends.
std::unique_ptr<std::byte[]> copy_of(std::string_view bytes, std::size_t size) {
  auto copy = std::make_unique<std::byte[]>(size);
  std::copy_n(bytes.data(), std::min(bytes.size(), size), reinterpret_cast<char*>(copy.get()));
  return copy;
}

unsigned touch(const std::byte* at, std::size_t bytes) {
  return bytes ? static_cast<unsigned>(at[0]) + static_cast<unsigned>(at[bytes - 1]) : 0;
}

void read_region(Input input) {
  const int rows = 1 + input.up_to(7), columns = 1 + input.up_to(7), column = input.up_to(columns - 1);
  const std::size_t head = region_head(rows, columns, true), length = std::max(head, input.left());
  const auto memory = copy_of(input.rest(), length);
  const ExchangeRegion region(memory.get(), rows, columns, 0);
  int blocks = 0;
  volatile unsigned sum = 0;
  const bool whole =
      region.for_each_in_column(column, length, [&](int row, std::byte* at, std::size_t bytes) {
        MUST(row == blocks, "one block for each row, in their order");
        MUST(at >= memory.get() + head && bytes <= static_cast<std::size_t>(memory.get() + length - at),
             "inside");
        sum = sum + touch(at, bytes);
        ++blocks;
      });
  MUST(!whole || blocks == rows, "a whole region has a block in each row");
  const CallHeader header = read_header(*reinterpret_cast<const NodeHeader*>(memory.get()));
  MUST(is_known(header.verdict), "no verdict comes out that nobody knows");
}

// Blocks of drawn sizes, put down as senders do it.
void write_and_read_region(Input input) {
  const int rows = 1 + input.up_to(5), columns = 1 + input.up_to(5);
  std::vector<std::size_t> sizes;
  std::size_t length = region_head(rows, columns, true);
  for (int block = 0; block < rows * columns; ++block) length += sizes.emplace_back(input.up_to(20));
  const auto memory = copy_of({}, length);
  const ExchangeRegion region(memory.get(), rows, columns, 0);
  std::byte* place = region.data();
  for (int block = 0; block < rows * columns; ++block) {
    region.table_row(block / columns)[block % columns] = sizes[block];
    std::memset(place, block, sizes[block]);
    place += sizes[block];
  }
  for (int column = 0; column < columns; ++column) {
    const bool whole =
        region.for_each_in_column(column, length, [&](int row, std::byte* at, std::size_t bytes) {
          const int block = row * columns + column;
          MUST(bytes == sizes[block], "each block has its size");
          MUST(std::all_of(at, at + bytes, [&](std::byte b) { return b == std::byte(block); }),
               "and its data");
        });
    MUST(whole, "what was put down well is whole");
  }
}

void read_share(Input input) {
  const int ranks = 1 + input.up_to(15), peer = input.up_to(ranks - 1);
  const std::size_t bytes = std::max(BlockTable::bytes_of(ranks), input.left());
  const auto memory = copy_of(input.rest(), bytes);
  if (const auto found = BlockTable(memory.get(), ranks).block(peer, ranks, bytes)) {
    volatile unsigned sum = touch(found->at, found->bytes);
    (void)sum;
    MUST(found->bytes <= bytes, "a block is no longer than its share");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  switch (input.up_to(2)) {
    case 0:
      read_region(input);
      break;
    case 1:
      write_and_read_region(input);
      break;
    default:
      read_share(input);
  }
  return 0;
}
