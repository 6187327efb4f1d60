// Collectives: each member shows when it came, and sees who came last.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/record/call.hpp"

namespace atrium::profile {

struct Team;

// A team or an active set; empty where this PE is no member, or nothing is recorded.
struct Group {
  Team* team = nullptr;
  static Group of_team(shmem_team_t team);
  static Group of_set(int start, int log_stride, int size);
  static Group world() { return of_team(SHMEM_TEAM_WORLD); }
};

// Whose data a member waits for.
enum class DataFlow { all, from_root, lower };

// One collective, made when this PE comes to it. When it is over, the call learns how long it waited.
class Gathered {
 public:
  Gathered(Call& call, const Group& group, DataFlow flow, int root);
  ~Gathered();
  Gathered(const Gathered&) = delete;
  Gathered& operator=(const Gathered&) = delete;

 private:
  Call& call_;
  Team* team_;
  DataFlow flow_;
  int root_;
  uint64_t number_ = 0, came_ = 0;
};

// Teams come and go.
void add_team(shmem_team_t team);
void remove_team(shmem_team_t team);
void forget_teams();
int members_of_group(const Group& group);

}  // namespace atrium::profile
