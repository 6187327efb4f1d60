// What a communicator knows of its calls, by kind and size.
// SPDX-License-Identifier: BSD-3-Clause
//
// Programs make many communicators and call each with few sizes: an empty table is small, and made and destroyed in few steps.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "choice/call_kind.hpp"
#include "choice/choice.hpp"

namespace atrium::mpi {

// What the report says of the calls of one size class.
struct Tally {
  std::uint64_t calls = 0, own_calls = 0, bytes = 0;
};

// The class of alltoallv and alltoallw calls whose sizes the ranks have not exchanged.
inline constexpr int any_size = size_classes;

struct ChoiceRecord {
  CallKind kind = equal_blocks;
  int size_class = 0;
  Choice choice{};
  Tally tally;
};

class ChoiceRecords {
 public:
  // Null if there is none yet. Records stay where they are.
  ChoiceRecord* find(CallKind kind, int size_class) const {
    if (!places_) return nullptr;
    const std::uint16_t place = (*places_)[kind][size_class];
    return place ? records_[place - 1].get() : nullptr;
  }
  ChoiceRecord& add(CallKind kind, int size_class, Choice choice) {
    records_.push_back(std::make_unique<ChoiceRecord>(ChoiceRecord{kind, size_class, choice, {}}));
    if (!places_) places_ = std::make_unique<Places>();
    (*places_)[kind][size_class] = static_cast<std::uint16_t>(records_.size());
    return *records_.back();
  }

  // In the order in which calls met them, which is the same on all ranks.
  auto begin() const { return records_.begin(); }
  auto end() const { return records_.end(); }

 private:
  using Places = std::array<std::array<std::uint16_t, size_classes + 1>, call_kinds>;

  std::unique_ptr<Places> places_;  // from 1 on; 0: none. Null: there is no record
  std::vector<std::unique_ptr<ChoiceRecord>> records_;
};

}  // namespace atrium::mpi
