// Atomic operations, signals, waits, fences and locks: what orders PEs without a meeting of all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/operation.hpp"
#include "race/model/word.hpp"

namespace atrium::race {

using interpose::RoutineCall;

// The record of a word, held while the routine runs that changes the word, so that both change together.
class HeldWord {
 public:
  // What the operation does in its lane, if it is in one: an atomic that fetches is complete when the routine returns.
  struct Change {
    OperationStream* stream;  // null: complete at once
    Word::Release how;
    bool releases;
    bool by_put = false;
  };
  HeldWord(const RoutineCall& operation, const ShadowAddress& shadow, Origin origin, const Change& change);
  ~HeldWord();
  HeldWord(const HeldWord&) = delete;
  HeldWord& operator=(const HeldWord&) = delete;

  Word word;

 private:
  const ToolContext& context_;
  int pe_;
  Origin origin_;
  Change change_;
};

// Before the routine runs. Each makes a HeldWord in the operation's scratch, or does not and answers false: the word is not
// symmetric.
bool begin_atomic(RoutineCall& atomic);
bool begin_flag_put(RoutineCall& put);  // of one element, which programs use to set flags
bool begin_signal_put(RoutineCall& put);

// When it has run.
void note_seen(const RoutineCall& wait, uint64_t result);
void note_pe_quiet(const RoutineCall& quiet);
void note_lock(const RoutineCall& lock);
void note_unlock(const RoutineCall& lock);  // before

}  // namespace atrium::race
