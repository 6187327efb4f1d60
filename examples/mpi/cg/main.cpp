// Conjugate gradients with a symmetric Gauss-Seidel preconditioner: on each rank's subdomain, where every
// added rank costs iterations, and on the node's whole domain through a shared window, where the count stays
// that of one rank.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: cg [--small] [--size N]      a grid of N x N x N, 27 entries a row
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "matrix.hpp"

namespace {

constexpr int kMostIterations = 500;
constexpr long kMostPoints = 1000;  // along each axis
constexpr double kTolerance = 1e-9;

struct Outcome {
  int iterations;
  double residual, seconds;
  std::size_t levels;
};

// Plane by plane, and the planes in order: the same bits for any number of ranks.
class Dot {
 public:
  Dot(const Domain& domain, const Grid& grid) : domain_(domain), plane_(grid.plane()), planes_(grid.z) {
    int mine = static_cast<int>(domain.mine() / plane_);
    counts_.resize(static_cast<std::size_t>(domain.ranks));
    MPI_Allgather(&mine, 1, MPI_INT, counts_.data(), 1, MPI_INT, domain.comm);
    starts_.assign(counts_.size(), 0);
    for (std::size_t rank = 1; rank < counts_.size(); rank++)
      starts_[rank] = starts_[rank - 1] + counts_[rank - 1];
  }

  double operator()(const double* one, const double* other) {
    double* mine = planes_.data() + starts_[static_cast<std::size_t>(domain_.rank)];
    for (std::size_t at = 0; at < domain_.mine(); at++) {
      if (at % plane_ == 0) mine[at / plane_] = 0;
      mine[at / plane_] += one[at] * other[at];
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, planes_.data(), counts_.data(), starts_.data(),
                   MPI_DOUBLE, domain_.comm);
    double sum = 0;
    for (const double plane : planes_) sum += plane;
    return sum;
  }

 private:
  const Domain& domain_;
  std::size_t plane_;
  std::vector<double> planes_;
  std::vector<int> counts_, starts_;
};

// The right-hand side belongs to the solution of all ones.
std::vector<double> right_side(const Matrix& matrix, std::size_t rows) {
  std::vector<double> side(rows);
  for (std::size_t row = 0; row < rows; row++)
    for (std::size_t at = matrix.starts[row]; at < matrix.starts[row + 1]; at++)
      side[row] += matrix.values[at];
  return side;
}

Outcome solve(MPI_Comm comm, const Grid& grid, bool shared) {
  Domain domain = make_domain(comm, grid, shared);
  const Matrix matrix = make_matrix(domain, grid);
  Preconditioner precondition(matrix, domain, grid);
  Dot dot(domain, grid);
  Array<double> direction(domain, grid), improved(domain, grid);
  const std::size_t rows = domain.mine();
  std::vector<double> residual = right_side(matrix, rows), solution(rows), product(rows);
  double *p = direction.row(domain.mine_begin), *z = improved.row(domain.mine_begin);

  MPI_Barrier(comm);
  const double before = MPI_Wtime(), target = kTolerance * std::sqrt(dot(residual.data(), residual.data()));
  precondition.apply(residual, improved);
  std::copy_n(z, rows, p);
  double rho = dot(residual.data(), z), norm = target + 1;
  int iterations = 0;
  while (norm > target && iterations < kMostIterations) {
    iterations++;
    multiply(matrix, direction, domain, grid, product);
    const double alpha = rho / dot(p, product.data());
    for (std::size_t at = 0; at < rows; at++) {
      solution[at] += alpha * p[at];
      residual[at] -= alpha * product[at];
    }
    norm = std::sqrt(dot(residual.data(), residual.data()));
    precondition.apply(residual, improved);
    const double next = dot(residual.data(), z), beta = next / rho;
    rho = next;
    for (std::size_t at = 0; at < rows; at++) p[at] = z[at] + beta * p[at];
  }
  return {iterations, norm / target * kTolerance, MPI_Wtime() - before, precondition.levels()};
}

Grid parse(int argc, char** argv) {
  std::size_t size = 48;
  for (int at = 1; at < argc; at++) {
    const long value = at + 1 < argc ? std::strtol(argv[at + 1], nullptr, 10) : 0;
    if (std::strcmp(argv[at], "--small") == 0)
      size = 16;
    else if (std::strcmp(argv[at], "--size") == 0 && value > 0 && value <= kMostPoints && ++at)
      size = static_cast<std::size_t>(value);
    else
      throw std::runtime_error("usage: cg [--small] [--size N], N up to 1000");
  }
  return {size, size, size};
}

void print(const char* name, const Outcome& outcome) {
  std::printf("%-34s %4d iterations, residual %.1e, %8.3f s, %4zu levels\n", name, outcome.iterations,
              outcome.residual, outcome.seconds, outcome.levels);
}

int run(const Grid& grid) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Outcome by_rank = solve(MPI_COMM_WORLD, grid, false), by_node = solve(MPI_COMM_WORLD, grid, true);
  Outcome alone{};
  if (rank == 0) alone = solve(MPI_COMM_SELF, grid, false);
  MPI_Bcast(&alone.iterations, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("cg: %zu x %zu x %zu, %d ranks\n", grid.x, grid.y, grid.z, ranks);
    print("messages, each rank's subdomain", by_rank);
    print("window, the node's whole domain", by_node);
    std::printf("%-34s %4d iterations\n", "one rank", alone.iterations);
  }
  const bool converged = by_rank.iterations < kMostIterations && by_node.iterations < kMostIterations;
  return converged && (std::getenv("ATRIUM_NODE_RANKS") != nullptr || by_node.iterations == alone.iterations)
             ? 0
             : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 1, ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    const Grid grid = parse(argc, argv);
    if (grid.z < static_cast<std::size_t>(ranks)) throw std::runtime_error("cg: more ranks than planes");
    status = run(grid);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
