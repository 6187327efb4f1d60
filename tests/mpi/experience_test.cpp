// What communicators learn from each other, and the file in which it is kept.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "choice/chooser.hpp"
#include "choice/experience_book.hpp"
#include "chooser_parts.hpp"

namespace atrium::mpi {
namespace {

TEST(Experience, of_a_class_counts_more_than_that_of_its_neighbours) {
  Experience known;
  known.note(0, 10, Way::own);
  EXPECT_TRUE(known.findings(0, 9).are_of_one_opinion());
  EXPECT_EQ(known.findings(0, 11).opinion(), Way::own);
  EXPECT_FALSE(known.findings(0, 12).are_of_one_opinion()) << "too far away";
  EXPECT_FALSE(known.findings(1, 10).are_of_one_opinion()) << "another routine";
  known.note(0, 12, Way::mpi);
  EXPECT_FALSE(known.findings(0, 11).are_of_one_opinion()) << "its neighbours differ";
  known.note(0, 11, Way::mpi);
  EXPECT_EQ(known.findings(0, 11).opinion(), Way::mpi);
}

TEST(Experience, that_is_newer_replaces_what_was_known) {
  Experience known, later;
  known.note(0, 3, Way::own);
  known.note(1, 3, Way::own);
  later.note(0, 3, Way::mpi);
  known.note(later);
  EXPECT_EQ(known.findings(0, 3).opinion(), Way::mpi);
  EXPECT_EQ(known.findings(1, 3).opinion(), Way::own);
}

// ---- Choosers that share it ----

// One call of equal blocks on one node, of which ours costs half; answers whether it went our way.
bool call(Chooser& chooser, std::size_t bytes, ExperienceBook& book, bool is_first) {
  bool own = false;
  for (NextStep step = chooser.begin_uniform(bytes, bytes); step != NextStep::done;) switch (step) {
      case NextStep::grow:
        if (is_first) chooser.inherit(book.of("shape"), Way::mpi);
        step = chooser.grown(true);
        break;
      case NextStep::exchange:
        own = true;
        time_ns += 500;
        step = chooser.exchanged({CallVerdict::go, 0, 0});
        break;
      case NextStep::agree: {
        const Bursts bursts = chooser.measured();
        step = chooser.agreed(bursts, chooser.findings(book.of("shape")));
        book.note("shape", chooser.experience());
        break;
      }
      default:
        time_ns += 1000;
        step = chooser.called_mpi();
    }
  return own;
}

TEST(Choosers, of_equal_shape_that_take_turns_learn_once) {
  ExperienceBook book;
  std::vector<Chooser> choosers;
  for (int each = 0; each < 8; ++each) choosers.emplace_back(ChoiceRule{}, read_clock);
  std::vector<bool> is_first(8, true);
  int calls_by_mpi = 0;
  for (int round = 0; round < 100; ++round)
    for (int each = 0; each < 8; ++each) {
      const bool own = call(choosers[each], 64, book, is_first[each]);
      if (own) is_first[each] = false;
      calls_by_mpi += !own;
    }
  EXPECT_LE(calls_by_mpi, 8 * 15) << "nobody learns for longer than the first one did";
  for (const Chooser& chooser : choosers)
    chooser.for_each_record(
        [](const char*, int, const ChoiceRecord& record) { EXPECT_EQ(record.choice.chosen(), Way::own); });
}

TEST(Choosers, begin_with_what_one_of_their_shape_has_learned) {
  ExperienceBook book;
  Chooser first({}, read_clock), second({}, read_clock);
  for (int each = 0; each < 100; ++each) call(first, 64, book, each == 3);
  int by_mpi = 0;
  bool is_first = true;
  for (int each = 0; each < 60; ++each) {
    const bool own = call(second, 64, book, is_first);
    if (own) is_first = false;
    by_mpi += !own;
  }
  EXPECT_EQ(by_mpi, 3) << "a burst, and then nothing but our way";
}

// Twenty-nine classes of a few calls each, as in an application with many sizes.
TEST(Choosers, decide_on_many_sizes_within_a_hundred_calls) {
  ExperienceBook book;
  Chooser chooser({}, read_clock);
  int calls = 0, undecided = 1;
  for (bool is_first = true; undecided > 0 && calls < 1000; ++calls) {
    if (call(chooser, std::size_t{1} << (4 + calls % 29 / 2), book, is_first)) is_first = false;
    if (calls < 29) continue;
    undecided = 0;
    chooser.for_each_record(
        [&](const char*, int, const ChoiceRecord& record) { undecided += !record.choice.is_settled(); });
  }
  EXPECT_LE(calls, 29 * 18);
}

// ---- The file ----

class File : public testing::Test {
 protected:
  File() {
    char name[] = "/tmp/atrium-experience-XXXXXX";
    folder_ = mkdtemp(name);
    path_ = folder_ + "/file";
  }
  ~File() override { std::filesystem::remove_all(folder_); }
  std::string text() const {
    std::stringstream all;
    all << std::ifstream(path_).rdbuf();
    return all.str();
  }
  std::string folder_, path_;
};

Experience of_class(int size_class, Way way) {
  Experience experience;
  experience.note(0, size_class, way);
  return experience;
}

TEST_F(File, gives_back_what_was_written_for_each_shape) {
  ExperienceBook written, read;
  written.note("4 ranks", of_class(8, Way::own));
  written.note("8 ranks", of_class(8, Way::mpi));
  ASSERT_TRUE(written.write(path_));
  read.read(path_);
  EXPECT_EQ(read.of("4 ranks").findings(0, 8).opinion(), Way::own);
  EXPECT_EQ(read.of("8 ranks").findings(0, 8).opinion(), Way::mpi);
  EXPECT_FALSE(read.of("2 ranks").findings(0, 8).are_of_one_opinion());
}

TEST_F(File, keeps_what_other_jobs_have_written_meanwhile) {
  ExperienceBook mine, others, both;
  mine.note("shape", of_class(8, Way::own));
  others.note("shape", of_class(20, Way::mpi));
  others.note("another", of_class(1, Way::own));
  ASSERT_TRUE(others.write(path_));
  ASSERT_TRUE(mine.write(path_));
  both.read(path_);
  EXPECT_EQ(both.of("shape").findings(0, 8).opinion(), Way::own);
  EXPECT_EQ(both.of("shape").findings(0, 20).opinion(), Way::mpi);
  EXPECT_EQ(both.of("another").findings(0, 1).opinion(), Way::own);
}

TEST_F(File, with_lines_that_make_no_sense_is_read_as_far_as_it_does) {
  std::ofstream(path_)
      << "# words\n\nshape\nshape\tx y\n\t1 2 3 4\ngood\t0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nshape\t1 2";
  ExperienceBook book;
  book.read(path_);
  EXPECT_EQ(book.of("good").findings(0, 8).opinion(), Way::own);
  EXPECT_FALSE(book.of("shape").findings(0, 0).are_of_one_opinion());
}

TEST_F(File, that_cannot_be_written_is_left_as_it_was) {
  ExperienceBook book;
  book.note("shape", of_class(8, Way::own));
  EXPECT_FALSE(book.write(folder_ + "/no such folder/file"));
  ASSERT_TRUE(book.write(path_));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "nothing else is left";
  EXPECT_NE(text().find("shape\t"), std::string::npos);
}

TEST_F(File, that_is_shared_stays_so) {
  ExperienceBook book;
  book.note("shape", of_class(8, Way::own));
  const std::string shared = folder_ + "/shared";
  std::ofstream(shared).close();
  std::filesystem::permissions(shared, std::filesystem::perms(0664));
  std::filesystem::create_symlink(shared, path_);
  ASSERT_TRUE(book.write(path_));
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(std::filesystem::status(shared).permissions(), std::filesystem::perms(0664));
  EXPECT_NE(text().find("shape\t"), std::string::npos);
}

TEST_F(File, that_is_not_there_says_nothing) {
  ExperienceBook book;
  book.read(path_);
  EXPECT_FALSE(book.of("shape").findings(0, 8).are_of_one_opinion());
}

}  // namespace
}  // namespace atrium::mpi
