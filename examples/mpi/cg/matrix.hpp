// The 27-point operator in compressed rows, and the symmetric Gauss-Seidel preconditioner by level sets.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "domain.hpp"

// My rows; columns are positions in the domain's arrays.
struct Matrix {
  std::vector<std::size_t> starts, columns;
  std::vector<double> values, diagonal;
};

Matrix make_matrix(const Domain& domain, const Grid& grid);
void fill_ghosts(Array<double>& array, Domain& domain, const Grid& grid);
void multiply(const Matrix& matrix, Array<double>& vector, Domain& domain, const Grid& grid,
              std::vector<double>& result);

// Rows of one level do not depend on each other, so the ranks of a domain do a level together and then meet.
// What is computed is what one rank alone would compute, in the order of the rows: the number of ranks cannot
// be seen in it.
class Preconditioner {
 public:
  Preconditioner(const Matrix& matrix, Domain& domain, const Grid& grid);
  void apply(const std::vector<double>& residual, Array<double>& result);
  std::size_t levels() const { return starts_.size() - 1; }

 private:
  void relax_level(std::size_t level, const std::vector<double>& residual, double* result) const;

  const Matrix& matrix_;
  Domain& domain_;
  std::size_t low_, high_, shift_;          // positions inside the domain; position of my first row
  std::vector<std::size_t> starts_, rows_;  // my rows by level
};
