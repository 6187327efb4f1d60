// Who works on which rows: the ranks that share one vector (a domain), and arrays that a domain sees as one.
// SPDX-License-Identifier: BSD-3-Clause
//
// The grid's planes are dealt out to the ranks in order. A domain is one rank, or the ranks of a node. Its
// arrays are
//
//     | ghost plane | rows of its first rank | rows of the next | ... | ghost plane |
//
// and the ghost planes are filled by messages from the ranks beyond.
#pragma once

#include <mpi.h>

#include <atrium/node_window.hpp>
#include <cstddef>
#include <memory>
#include <vector>

struct Grid {
  std::size_t x, y, z;
  std::size_t plane() const { return x * y; }
  std::size_t rows() const { return plane() * z; }
};

struct Domain {
  MPI_Comm comm;
  int rank, ranks;                                    // in comm
  int first, last;                                    // ranks of the domain
  std::size_t begin, end;                             // its rows
  std::size_t mine_begin, mine_end;                   // those of this rank
  std::unique_ptr<atrium::NodeWindow<double>> flags;  // for post and wait; none when the rank is alone

  bool holds(int peer) const { return peer >= first && peer <= last; }
  std::size_t mine() const { return mine_end - mine_begin; }
};

Domain make_domain(MPI_Comm comm, const Grid& grid, bool shared);

// Both neighbours in the domain have come as far as this rank.
void meet_neighbours(Domain& domain);

inline atrium_window_options without_gaps() {
  atrium_window_options options{};
  options.layout = ATRIUM_CONTIGUOUS;
  options.name = "cg";
  return options;
}

template <class T>
class Array {
 public:
  Array(const Domain& domain, const Grid& grid) : begin_(domain.begin), ghost_(grid.plane()) {
    if (domain.flags == nullptr) {
      own_.resize(domain.mine() + 2 * ghost_);
      base_ = own_.data();
    } else {
      const std::size_t ghosts = ghost_ * ((domain.rank == domain.first) + (domain.rank == domain.last));
      window_ = std::make_unique<atrium::NodeWindow<T>>(domain.comm, domain.mine() + ghosts, without_gaps());
      base_ = window_->beginning().data();
    }
  }

  // By position in the domain, ghosts included; row(g) by row of the grid.
  T* data() { return base_; }
  T* row(std::size_t row) { return base_ + (row - begin_) + ghost_; }

 private:
  std::size_t begin_, ghost_;
  std::vector<T> own_;
  std::unique_ptr<atrium::NodeWindow<T>> window_;
  T* base_ = nullptr;
};
