// Words by which PEs synchronise: what was released with the value that is there, and acquiring it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/access.hpp"

namespace atrium::race {

// The record of a word, locked: the value and what belongs to it change together.
class Word {
 public:
  explicit Word(ShadowAddress shadow);
  ~Word();
  Word(const Word&) = delete;
  Word& operator=(const Word&) = delete;

  // The strand has seen the value.
  void acquire(Strand& strand, Origin origin);
  // A new value (replace), or a change of it (merge). `own`: the operation itself, which has arrived when the value has;
  // its context's fenced operations to that PE have, too.
  enum class Release { replace, merge };
  void release(Strand& strand, Release how, Origin origin, const ToolContext* context, int target,
               const ArrivedTick* own);
  // By a relaxed atomic of C11: `left` is what its strand knew at its last release fence; null: it has had none.
  void release_relaxed(Release how, Origin origin, const VectorClock* left);
  // What a reader of the value acquires; null: nothing.
  const VectorClock* released() const;
  void remember_polled(Strand& strand) const;
  // Whether the value came by a put, which the standard does not allow for what is waited for, and by which.
  bool came_by_put(Origin& origin, int& pe) const;
  void mark_put() { record_.by_put = 1; }

 private:
  WordRecord& record_;
  uint64_t key_;
};

// What volatile loads may have seen since they were announced. False: there were none.
bool acquire_polled(Strand& strand);
// The same, for good: before the strand leaves what it knows for others. The loads are over, so it need not be asked again.
void settle_polled(Strand& strand);
// What else may have changed a word that is polled, where a checker follows it apart from words; null: nothing.
extern void (*acquire_with_polled)(Strand& strand);

}  // namespace atrium::race
