// What the table of settings says about algorithms must be what the rules list.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/alltoall/alltoall.hpp"
#include "coll/barrier/barrier.hpp"
#include "coll/broadcast/broadcast.hpp"
#include "coll/collect/collect.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/scan/scan.hpp"
#include "test_job.hpp"

namespace atrium {
namespace {

Setting setting_of(std::string_view variable) {
  for (const Setting& setting : all_settings()) {
    if (variable == setting.name) return setting;
  }
  return {"", "no such setting", "", ""};
}

template <class Family>
void expect_same_names(const Family& family) {
  std::string names = "auto";
  for (const auto* algorithm : family.list()) names += std::string("|") + algorithm->name;
  const Setting setting = setting_of(family.variable());
  EXPECT_EQ(setting.kind, names) << "core/settings.table and coll/select/rules.cpp differ";
  EXPECT_TRUE(setting.is_common) << "members would choose different algorithms of " << setting.name;
}

TEST(AlgorithmNames, the_settings_list_the_algorithms_that_exist) {
  expect_same_names(barriers);
  expect_same_names(broadcasts);
  expect_same_names(fcollects);
  expect_same_names(collects);
  expect_same_names(alltoall_family);
  expect_same_names(reductions);
  expect_same_names(scans);
}

TEST(AlgorithmNames, an_unknown_one_is_an_error_that_lists_the_others) {
  Result<void> forced = barriers.force("fast");
  ASSERT_FALSE(forced);
  EXPECT_NE(forced.error().because.find("auto, dissemination, central, tree"), std::string::npos);
  EXPECT_TRUE(barriers.force("auto"));
}

TEST(AlgorithmNames, those_of_earlier_versions_are_still_understood) {
  EXPECT_TRUE(broadcasts.force("letter"));
  EXPECT_TRUE(reductions.force("mail"));
  EXPECT_FALSE(barriers.force("mail"));
  for (auto force_auto : {broadcasts.force("auto"), reductions.force("auto")}) EXPECT_TRUE(force_auto);
}

}  // namespace
}  // namespace atrium
