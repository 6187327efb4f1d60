// Teams and active sets, and which of their collectives are recorded whole.
// SPDX-License-Identifier: BSD-3-Clause
//
// Viewers match the collectives of a team by counting them on each member. Of one that a member's page has lost, or did not
// record, none may therefore be written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/trace/time_line.hpp"

namespace atrium::profile {

class Otf2Teams {
 public:
  struct NamedTeam {
    std::vector<int> members;  // sorted
    std::string name;
  };
  struct Collective {
    uint32_t team = 0, root = UINT32_MAX;  // a member, counted in the team; UINT32_MAX: there is none
    uint64_t bytes = 0;                    // that all members give
    size_t came = 0;
  };

  explicit Otf2Teams(const TimeLine& line);

  const std::vector<NamedTeam>& teams() const { return teams_; }  // that of all PEs is number 0
  // Null: not all members' records are there.
  const Collective* find(const Happening& one) const;

 private:
  using Number = std::pair<uint64_t, uint64_t>;  // the team's key, and which of its collectives
  struct Hash {
    size_t operator()(const Number& number) const {
      return (number.first ^ number.second * 0x9e3779b97f4a7c15) * 0x9e3779b97f4a7c15;
    }
  };
  struct Found {
    std::vector<int> members;  // whose pages know it
    int size = 0;
    uint32_t number = UINT32_MAX;  // in teams_; UINT32_MAX: it is not there yet
  };
  uint32_t team_of(uint64_t key);
  Number number_of(int pe, const Event& event) const;
  void find_teams();
  void count_collectives();

  const TimeLine& line_;
  std::vector<NamedTeam> teams_;
  std::map<uint64_t, Found> by_key_;
  std::unordered_map<Number, Collective, Hash> collectives_;
};

}  // namespace atrium::profile
