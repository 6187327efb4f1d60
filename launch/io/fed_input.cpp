// Writes each piece into one pipe for each reader, and acknowledges it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/fed_input.hpp"

#include <fcntl.h>

#include <algorithm>

namespace atrium {
namespace {

// What ends at once when it is read. A root without /dev/null has a pipe into which nobody writes. -1: errno says why.
int open_nothing() {
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  Pipe pipe;
  return null < 0 && pipe.open() ? pipe.take_to_read() : null;
}

}  // namespace

FedInput::FedInput(Loop& loop, const PeSet& readers, std::function<void()> on_change)
    : loop_(loop), readers_(readers), on_change_(std::move(on_change)) {}

int FedInput::stream_of(int pe) {
  if (!readers_.has(pe)) {
    if (nothing_ < 0) nothing_ = open_nothing();
    return nothing_;
  }
  Reader& reader = fed_.emplace_back(pe, loop_, on_change_);
  if (reader.pipe.open()) reader.writer.open(reader.pipe.take_to_write());
  return reader.pipe.to_read();
}

void FedInput::start() {
  for (Reader& reader : fed_) reader.pipe.close_to_read();
  on_change_();
}

void FedInput::drop(int pe) {
  for (Reader& reader : fed_)
    if (reader.pe == pe) reader.writer.close();
  on_change_();
}

void FedInput::put(std::string_view bytes) {
  for (Reader& reader : fed_) bytes.empty() ? reader.writer.finish() : reader.writer.put(bytes);
  on_change_();
}

bool FedInput::is_wanted() const {
  return std::any_of(fed_.begin(), fed_.end(), [](const Reader& reader) { return !reader.writer.closed(); });
}

bool FedInput::is_pending() const {
  return std::any_of(fed_.begin(), fed_.end(), [](const Reader& reader) { return reader.writer.kept() > 0; });
}

}  // namespace atrium
