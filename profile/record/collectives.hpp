// Collectives: each member shows when it came, and sees who came last.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/groups.hpp"
#include "profile/record/call.hpp"

namespace atrium::profile {

struct ProfiledTeam;

// Whose data a member waits for.
enum class DataFlow { all, from_root, lower };

// One collective, made when this PE comes to it. When it is over, the call learns how long it waited.
class RecordedCollective {
 public:
  RecordedCollective(Call& call, const interpose::PeGroup& group, DataFlow flow, int root);
  ~RecordedCollective();
  RecordedCollective(const RecordedCollective&) = delete;
  RecordedCollective& operator=(const RecordedCollective&) = delete;

 private:
  Call& call_;
  ProfiledTeam* team_;
  DataFlow flow_;
  int root_;
  uint64_t number_ = 0, came_ = 0;
};

}  // namespace atrium::profile
