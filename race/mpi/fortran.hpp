// Arguments of Fortran's routines, as those of C: handles are numbers there, and places in arrays begin with 1.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

#ifdef RACE_HAS_F08_STATUSES  // this MPI's header declares them
// In the MPI's library for Fortran, which programs in C are not linked with since MPICH 4.2.
#pragma weak MPI_F08_STATUS_IGNORE
#pragma weak MPI_F08_STATUSES_IGNORE
#endif

namespace atrium::race {

// The requests of a call. Until they are looked at, they are zeros.
class FortranRequests {
 public:
  FortranRequests(void* numbers, int count)
      : numbers_(static_cast<MPI_Fint*>(numbers)), handles_(count > 0 ? static_cast<size_t>(count) : 0) {}
  const MPI_Request* data() const { return handles_.data(); }
  int size() const { return static_cast<int>(handles_.size()); }
  void look_again() {
    for (size_t each = 0; each < handles_.size(); ++each) handles_[each] = PMPI_Request_f2c(numbers_[each]);
  }

 private:
  MPI_Fint* numbers_;
  std::vector<MPI_Request> handles_;
};

// The statuses of a call, also where the program ignores them. Those of mpi_f08 are laid out as those of mpif.h.
class FortranStatuses {
 public:
  FortranStatuses(void* given, int count)
      : given_(static_cast<MPI_Fint*>(given)), seen_(count > 0 ? static_cast<size_t>(count) : 1) {
    if (!is_ignored()) return;
    own_.resize(seen_.size() * numbers_in_one);
    given_ = own_.data();
  }
  void* given() { return given_; }
  const MPI_Status* data() const { return seen_.data(); }
  void look(int count) {
    for (size_t each = 0; each < seen_.size() && static_cast<int>(each) < count; ++each)
      PMPI_Status_f2c(given_ + each * numbers_in_one, &seen_[each]);
  }

 private:
  static constexpr size_t numbers_in_one = sizeof(MPI_Status) / sizeof(MPI_Fint);  // MPI_STATUS_SIZE
  // `variable`: null where the program has none.
  template <class Status>
  bool is_given(Status* const* variable) const {
    return variable && static_cast<const void*>(given_) == *variable;
  }
  bool is_ignored() const {
#ifdef RACE_HAS_F08_STATUSES
    if (is_given(&MPI_F08_STATUS_IGNORE) || is_given(&MPI_F08_STATUSES_IGNORE)) return true;
#endif
    return given_ == MPI_F_STATUS_IGNORE || given_ == MPI_F_STATUSES_IGNORE;
  }

  MPI_Fint* given_;
  std::vector<MPI_Fint> own_;
  std::vector<MPI_Status> seen_;
};

// Places of requests, from 0 on, and their number, as they are when the call has returned.
class FortranPlaces {
 public:
  explicit FortranPlaces(int most) : places_(most > 0 ? static_cast<size_t>(most) : 1) {}
  const int* data() const { return places_.data(); }
  const int* count() const { return &count_; }
  void look(const void* places, int count) {
    count_ = count;
    for (int each = 0; each < count && each < static_cast<int>(places_.size()); ++each) {
      const MPI_Fint place = static_cast<const MPI_Fint*>(places)[each];
      places_[static_cast<size_t>(each)] = place == MPI_UNDEFINED ? MPI_UNDEFINED : place - 1;
    }
  }

 private:
  std::vector<int> places_;
  int count_ = 0;
};

}  // namespace atrium::race
