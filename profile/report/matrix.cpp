// Writes an HTML table whose cells are darker the more bytes were sent.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/matrix.hpp"

#include <algorithm>

#include "profile/report/html.hpp"
#include "profile/report/words.hpp"

namespace atrium::profile {
namespace {

constexpr size_t most_cells = 32;  // rows and columns

}  // namespace

Matrix::Matrix(const Profile& profile)
    : pes_(profile.traffic.size()), fold_(std::max<size_t>((pes_ + most_cells - 1) / most_cells, 1)) {
  cells_ = (pes_ + fold_ - 1) / fold_;
  bytes_.resize(cells_ * cells_);
  for (size_t from = 0; from < pes_; ++from)
    for (size_t to = 0; to < profile.traffic[from].size(); ++to)
      at(from / fold_, to / fold_) +=
          profile.traffic[from][to].put_bytes + profile.traffic[from][to].got_bytes;
  for (const uint64_t bytes : bytes_) most_ = std::max(most_, bytes);
}

std::string Matrix::html() const {
  if (most_ == 0) return {};
  std::string table = "<table class=\"matrix\"><tr><th>from \\ to</th>";
  for (size_t to = 0; to < cells_; ++to) table += "<th>" + name(to) + "</th>";
  table += "</tr>\n";
  for (size_t from = 0; from < cells_; ++from) {
    table += "<tr><th>" + name(from) + "</th>";
    for (size_t to = 0; to < cells_; ++to) table += cell(from, to);
    table += "</tr>\n";
  }
  return table + "</table>";
}

std::string Matrix::name(size_t cell) const {
  const size_t last = std::min(pes_, (cell + 1) * fold_) - 1;
  return std::to_string(cell * fold_) + (fold_ == 1 ? "" : "-" + std::to_string(last));
}

std::string Matrix::cell(size_t from, size_t to) const {
  const uint64_t bytes = bytes_[from * cells_ + to];
  if (bytes == 0) return "<td></td>";
  const double share = static_cast<double>(bytes) / static_cast<double>(most_);
  return "<td style=\"background:rgba(var(--heat)," + fixed(0.08 + 0.6 * share, 2) + ")\">" +
         say_bytes(bytes) + "</td>";
}

}  // namespace atrium::profile
