// Builds the operator from a grid, though nothing below the building knows of the grid: the levels come from
// the matrix.
// SPDX-License-Identifier: BSD-3-Clause
#include "matrix.hpp"

#include <algorithm>
#include <numeric>

namespace {

bool step(std::size_t& at, std::size_t from, int by, std::size_t limit) {
  if ((by < 0 && from == 0) || (by > 0 && from + 1 == limit)) return false;
  at = from + static_cast<std::size_t>(by);
  return true;
}

void add_row(Matrix& matrix, std::size_t row, std::size_t shift, const Grid& grid) {
  const std::size_t i = row % grid.x, j = row / grid.x % grid.y, k = row / grid.plane();
  for (int dk = -1; dk <= 1; dk++)
    for (int dj = -1; dj <= 1; dj++)
      for (int di = -1; di <= 1; di++) {
        std::size_t x, y, z;
        if (!step(x, i, di, grid.x) || !step(y, j, dj, grid.y) || !step(z, k, dk, grid.z)) continue;
        matrix.columns.push_back((z * grid.y + y) * grid.x + x + shift);
        matrix.values.push_back(di == 0 && dj == 0 && dk == 0 ? 26 : -1);
      }
  matrix.diagonal.push_back(26);
  matrix.starts.push_back(matrix.columns.size());
}

void trade_plane(double* out, double* in, int count, int peer, MPI_Comm comm) {
  MPI_Sendrecv(out, count, MPI_DOUBLE, peer, 0, in, count, MPI_DOUBLE, peer, 0, comm, MPI_STATUS_IGNORE);
}

}  // namespace

// Row g of the grid is at position g - begin + plane; unsigned arithmetic wraps to the same.
Matrix make_matrix(const Domain& domain, const Grid& grid) {
  Matrix matrix;
  matrix.starts.push_back(0);
  for (std::size_t row = domain.mine_begin; row < domain.mine_end; row++)
    add_row(matrix, row, grid.plane() - domain.begin, grid);
  return matrix;
}

void fill_ghosts(Array<double>& array, Domain& domain, const Grid& grid) {
  const int count = static_cast<int>(grid.plane());
  const int before = domain.rank - 1, after = domain.rank + 1;
  if (before >= 0 && !domain.holds(before))
    trade_plane(array.row(domain.mine_begin), array.row(domain.mine_begin) - count, count, before,
                domain.comm);
  if (after < domain.ranks && !domain.holds(after))
    trade_plane(array.row(domain.mine_end) - count, array.row(domain.mine_end), count, after, domain.comm);
}

void multiply(const Matrix& matrix, Array<double>& vector, Domain& domain, const Grid& grid,
              std::vector<double>& result) {
  meet_neighbours(domain);
  fill_ghosts(vector, domain, grid);
  const double* from = vector.data();
  for (std::size_t row = 0; row < result.size(); row++) {
    double sum = 0;
    for (std::size_t at = matrix.starts[row]; at < matrix.starts[row + 1]; at++)
      sum += matrix.values[at] * from[matrix.columns[at]];
    result[row] = sum;
  }
}

// A row's level is one more than the highest of the rows before it that it refers to. Those may be of the
// rank before, so the ranks of a domain take turns.
Preconditioner::Preconditioner(const Matrix& matrix, Domain& domain, const Grid& grid)
    : matrix_(matrix),
      domain_(domain),
      low_(grid.plane()),
      high_(grid.plane() + domain.end - domain.begin),
      shift_(grid.plane() + domain.mine_begin - domain.begin) {
  Array<int> levels(domain, grid);
  int highest = 0;
  if (domain.holds(domain.rank - 1)) domain.flags->wait(domain.flags->rank_of(domain.rank - 1));
  for (std::size_t row = 0; row < domain.mine(); row++) {
    int level = 0;
    for (std::size_t at = matrix.starts[row]; at < matrix.starts[row + 1]; at++)
      if (const std::size_t column = matrix.columns[at]; column >= low_ && column < row + shift_)
        level = std::max(level, levels.data()[column] + 1);
    levels.data()[row + shift_] = level;
    highest = std::max(highest, level);
  }
  if (domain.holds(domain.rank + 1)) domain.flags->post(domain.flags->rank_of(domain.rank + 1));
  if (domain.flags != nullptr)
    MPI_Allreduce(MPI_IN_PLACE, &highest, 1, MPI_INT, MPI_MAX, domain.flags->comm());

  const int* mine = levels.data() + shift_;
  rows_.resize(domain.mine());
  std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  std::stable_sort(rows_.begin(), rows_.end(),
                   [mine](std::size_t a, std::size_t b) { return mine[a] < mine[b]; });
  starts_.assign(static_cast<std::size_t>(highest) + 2, 0);
  for (std::size_t row = 0; row < domain.mine(); row++) starts_[static_cast<std::size_t>(mine[row]) + 1]++;
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
}

void Preconditioner::relax_level(std::size_t level, const std::vector<double>& residual,
                                 double* result) const {
  for (std::size_t at = starts_[level]; at < starts_[level + 1]; at++) {
    const std::size_t row = rows_[at];
    double sum = residual[row];
    for (std::size_t entry = matrix_.starts[row]; entry < matrix_.starts[row + 1]; entry++)
      if (const std::size_t column = matrix_.columns[entry];
          column != row + shift_ && column >= low_ && column < high_)
        sum -= matrix_.values[entry] * result[column];
    result[row + shift_] = sum / matrix_.diagonal[row];
  }
}

void Preconditioner::apply(const std::vector<double>& residual, Array<double>& result) {
  std::fill_n(result.data() + shift_, domain_.mine(), 0.0);
  meet_neighbours(domain_);
  for (std::size_t level = 0; level < levels(); level++) {
    relax_level(level, residual, result.data());
    meet_neighbours(domain_);
  }
  for (std::size_t level = levels(); level-- > 0;) {
    relax_level(level, residual, result.data());
    meet_neighbours(domain_);
  }
}
