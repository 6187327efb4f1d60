// What sealing and opening a message costs, by each way that this processor has: cycles (of the time-stamp counter; elsewhere
// nanoseconds), the least of many short tries that take turns, so that it can be repeated on a machine that does other things.
// SPDX-License-Identifier: BSD-3-Clause
//
//     build/bench/seal_costs [TRIES [BYTES...]]        (20000; 40 48 64 96 256 1024 4160 8416)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "cipher/aes_128_gcm.hpp"
#include "clock.h"

namespace atrium {
namespace {

constexpr size_t beside_bytes = 16;  // so much of a message stays readable

double ticks() {
#if defined(__x86_64__)
  return static_cast<double>(__rdtsc());
#else
  return now_ns();
#endif
}

class TimedMethod {
 public:
  TimedMethod(const char* name, const SealMethod& method, size_t bytes)
      : name_(name), method_(method), message_(bytes, 'm'), calls_(std::clamp<size_t>(4096 / bytes, 2, 50)) {
    const unsigned char secret[seal_key_bytes] = {1};
    method.prepare(key_, secret);
  }

  void attempt() {
    const SealedText text{message_.data(), beside_bytes, message_.data() + beside_bytes,
                          message_.size() - beside_bytes};
    const double begin = ticks();
    for (size_t i = 0; i < calls_; ++i) method_.seal(key_, {i, 0}, text, tag_);
    const double middle = ticks();
    for (size_t i = 0; i < calls_; ++i) opened_ += method_.open(key_, {i, 0}, text, tag_);
    seal_ = std::min(seal_, middle - begin), open_ = std::min(open_, ticks() - middle);
  }

  void print() const {
    const auto calls = static_cast<double>(calls_);
    std::printf("%-18s %6zu %8.0f %8.0f %16.2f\n", name_, message_.size(), seal_ / calls, open_ / calls,
                (seal_ + open_) / calls / static_cast<double>(message_.size()));
  }

 private:
  const char* name_;
  const SealMethod& method_;
  std::string message_;
  size_t calls_, opened_ = 0;
  SealKey key_;
  char tag_[seal_tag_bytes] = {};
  double seal_ = 1e18, open_ = 1e18;
};

void measure(size_t tries, size_t bytes) {
  std::vector<TimedMethod> ways;
  for (const AesWay& timed : aes_128_gcm_ways())
    if (timed.runs_on(this_processor())) ways.emplace_back(timed.name, *timed.method, bytes);
  ways.emplace_back("chacha20_poly1305", chacha20_poly1305, bytes);
  for (size_t i = 0; i < tries; ++i)
    for (TimedMethod& timed : ways) timed.attempt();
  for (const TimedMethod& timed : ways) timed.print();
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  const size_t tries = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20000;
  std::vector<size_t> sizes;
  for (int i = 2; i < argc; ++i)
    sizes.push_back(std::max(atrium::beside_bytes, std::strtoul(argv[i], nullptr, 10)));
  if (sizes.empty()) sizes = {40, 48, 64, 96, 256, 1024, 4160, 8416};
  std::printf("%-18s %6s %8s %8s %16s\n", "way", "bytes", "seal", "open", "both, per byte");
  for (const size_t bytes : sizes) atrium::measure(tries, bytes);
}
