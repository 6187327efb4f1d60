// The file has one line for each shape: the shape, a tab, and for each kind of call two bit masks in hexadecimal, one of the
// classes in which the MPI is faster and one of those in which Atrium is.
// SPDX-License-Identifier: BSD-3-Clause
#include "choice/experience_book.hpp"

#include <fstream>
#include <sstream>

#include "atrium_whole_file.hpp"

namespace atrium::mpi {
namespace {

constexpr const char* first_line =
    "# What ways Atrium for MPI found faster (ATRIUM_ALLTOALL_FILE). It may be deleted.";

bool parse(const std::string& line, std::string& shape, Experience& found) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string::npos || line[0] == '#') return false;
  shape = line.substr(0, tab);
  std::istringstream words(line.substr(tab));
  words >> std::hex;
  for (int kind = 0; kind < call_kinds; ++kind) words >> found.mpi[kind] >> found.own[kind];
  return !words.fail();
}

std::string format(const std::string& shape, const Experience& known) {
  std::ostringstream line;
  line << shape << '\t' << std::hex;
  for (int kind = 0; kind < call_kinds; ++kind)
    line << (kind ? " " : "") << known.mpi[kind] << ' ' << known.own[kind];
  line << '\n';
  return line.str();
}

}  // namespace

void ExperienceBook::note(const std::string& shape, const Experience& experience) {
  const std::lock_guard guard(lock_);
  by_shape_[shape].note(experience);
}

Experience ExperienceBook::of(const std::string& shape) const {
  const std::lock_guard guard(lock_);
  const auto found = by_shape_.find(shape);
  return found == by_shape_.end() ? Experience{} : found->second;
}

void ExperienceBook::read(const std::string& path) {
  std::ifstream file(path);
  std::string shape;
  const std::lock_guard guard(lock_);
  for (std::string line; std::getline(file, line);) {
    Experience known;
    if (!parse(line, shape, known)) continue;
    known.note(by_shape_[shape]);
    by_shape_[shape] = known;
  }
}

bool ExperienceBook::write(const std::string& path) const {
  ExperienceBook all;
  all.read(path);
  {
    const std::lock_guard guard(lock_);
    for (const auto& [shape, known] : by_shape_) all.note(shape, known);
  }
  WholeFile file(path);
  file.write(std::string(first_line) + "\n");
  for (const auto& [shape, known] : all.by_shape_) file.write(format(shape, known));
  return file.close() == 0;
}

ExperienceBook& experience_book() {
  static auto* book = new ExperienceBook;  // outlives every destructor
  return *book;
}

}  // namespace atrium::mpi
