// Which type of C++ a predefined type is, and which operations the standard allows on its kind (section "Predefined
// Reduction Operations").
// SPDX-License-Identifier: BSD-3-Clause
#include "operation/operation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "operation/combine.hpp"
#include "settings/settings.hpp"

namespace atrium::mpi {
namespace {

// ---- Operations by kind of type ----

// What the standard allows on kinds of types. On Fortran's integers nothing logical is defined.
enum Allowed : unsigned { sums = 1, order = 2, bits = 4, truths = 8 };
constexpr unsigned complexes = sums, reals = sums | order, fortran_integers = reals | bits,
                   integers = fortran_integers | truths;

template <unsigned allowed, class T>
Candidate find(MPI_Op op) {
  if constexpr ((allowed & sums) != 0) {
    if (op == MPI_SUM) return candidate<T>(add);
    if (op == MPI_PROD) return candidate<T>(multiply);
  }
  if constexpr ((allowed & order) != 0) {
    if (op == MPI_MAX) return candidate<T>(greatest);
    if (op == MPI_MIN) return candidate<T>(least);
  }
  if constexpr ((allowed & bits) != 0) {
    if (op == MPI_BAND) return candidate<T>(bit_and);
    if (op == MPI_BOR) return candidate<T>(bit_or);
    if (op == MPI_BXOR) return candidate<T>(bit_xor);
  }
  if constexpr ((allowed & truths) != 0) {
    if (op == MPI_LAND) return candidate<T>(logical_and);
    if (op == MPI_LOR) return candidate<T>(logical_or);
    if (op == MPI_LXOR) return candidate<T>(logical_xor);
  }
  return {};
}

template <class T>
Candidate find_located(MPI_Op op) {
  if (op == MPI_MAXLOC) return candidate<T>(greatest_with_place);
  if (op == MPI_MINLOC) return candidate<T>(least_with_place);
  return {};
}

// ---- Types ----

using Find = Candidate (*)(MPI_Op op);

// A type of another size than ours, and one that the MPI lacks, is not known: it has no function.
struct TypeRow {
  MPI_Datatype type;
  Find find;
};

bool has_size(MPI_Datatype type, std::size_t wanted) {
  int bytes = 0;
  return type != MPI_DATATYPE_NULL && PMPI_Type_size(type, &bytes) == MPI_SUCCESS &&
         static_cast<std::size_t>(bytes) == wanted;
}

template <unsigned allowed, class T>
TypeRow row(MPI_Datatype type) {
  return {type, has_size(type, sizeof(T)) ? find<allowed, T> : nullptr};
}

// Its size is without gaps.
template <class Value, class Place = int>
TypeRow located(MPI_Datatype type) {
  using T = Located<Value, Place>;
  MPI_Aint low = 0, extent = 0;
  PMPI_Type_get_extent(type, &low, &extent);
  const bool fits = low == 0 && extent == static_cast<MPI_Aint>(sizeof(T));
  return {type, fits && has_size(type, sizeof(Value) + sizeof(Place)) ? find_located<T> : nullptr};
}

const std::vector<TypeRow>& known_types() {
  static const std::vector<TypeRow> rows = {
      row<reals, double>(MPI_DOUBLE),
      row<integers, int>(MPI_INT),
      row<reals, float>(MPI_FLOAT),
      row<reals, double>(MPI_DOUBLE_PRECISION),
      row<reals, float>(MPI_REAL),
      row<fortran_integers, std::int32_t>(MPI_INTEGER),
      row<truths, std::int32_t>(MPI_LOGICAL),
      row<integers, signed char>(MPI_SIGNED_CHAR),
      row<integers, unsigned char>(MPI_UNSIGNED_CHAR),
      row<integers, short>(MPI_SHORT),
      row<integers, unsigned short>(MPI_UNSIGNED_SHORT),
      row<integers, unsigned>(MPI_UNSIGNED),
      row<integers, long>(MPI_LONG),
      row<integers, unsigned long>(MPI_UNSIGNED_LONG),
      row<integers, long long>(MPI_LONG_LONG_INT),
      row<integers, unsigned long long>(MPI_UNSIGNED_LONG_LONG),
      row<integers, std::int8_t>(MPI_INT8_T),
      row<integers, std::int16_t>(MPI_INT16_T),
      row<integers, std::int32_t>(MPI_INT32_T),
      row<integers, std::int64_t>(MPI_INT64_T),
      row<integers, std::uint8_t>(MPI_UINT8_T),
      row<integers, std::uint16_t>(MPI_UINT16_T),
      row<integers, std::uint32_t>(MPI_UINT32_T),
      row<integers, std::uint64_t>(MPI_UINT64_T),
      row<fortran_integers, MPI_Aint>(MPI_AINT),
      row<fortran_integers, MPI_Offset>(MPI_OFFSET),
      row<fortran_integers, MPI_Count>(MPI_COUNT),
      row<truths, unsigned char>(MPI_C_BOOL),
      row<bits, unsigned char>(MPI_BYTE),
      row<reals, long double>(MPI_LONG_DOUBLE),
      row<complexes, std::complex<double>>(MPI_DOUBLE_COMPLEX),
      row<complexes, std::complex<float>>(MPI_COMPLEX),
      row<complexes, std::complex<float>>(MPI_C_FLOAT_COMPLEX),
      row<complexes, std::complex<double>>(MPI_C_DOUBLE_COMPLEX),
      row<complexes, std::complex<long double>>(MPI_C_LONG_DOUBLE_COMPLEX),
#ifdef MPI_INTEGER1
      row<fortran_integers, std::int8_t>(MPI_INTEGER1),
#endif
#ifdef MPI_INTEGER2
      row<fortran_integers, std::int16_t>(MPI_INTEGER2),
#endif
#ifdef MPI_INTEGER4
      row<fortran_integers, std::int32_t>(MPI_INTEGER4),
#endif
#ifdef MPI_INTEGER8
      row<fortran_integers, std::int64_t>(MPI_INTEGER8),
#endif
#ifdef MPI_REAL4
      row<reals, float>(MPI_REAL4),
#endif
#ifdef MPI_REAL8
      row<reals, double>(MPI_REAL8),
#endif
#ifdef MPI_COMPLEX8
      row<complexes, std::complex<float>>(MPI_COMPLEX8),
#endif
#ifdef MPI_COMPLEX16
      row<complexes, std::complex<double>>(MPI_COMPLEX16),
#endif
      located<int>(MPI_2INT),
      located<float>(MPI_FLOAT_INT),
      located<double>(MPI_DOUBLE_INT),
      located<long>(MPI_LONG_INT),
      located<short>(MPI_SHORT_INT),
      located<long double>(MPI_LONG_DOUBLE_INT),
      located<std::int32_t, std::int32_t>(MPI_2INTEGER),
      located<float, float>(MPI_2REAL),
      located<double, double>(MPI_2DOUBLE_PRECISION),
  };
  return rows;
}

// ---- Numbers ----

constexpr std::size_t op_count = 12;

const std::array<MPI_Op, op_count>& known_ops() {
  static const std::array<MPI_Op, op_count> ops = {MPI_MAX,  MPI_MIN,  MPI_SUM,    MPI_PROD,
                                                   MPI_LAND, MPI_BAND, MPI_LOR,    MPI_BOR,
                                                   MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  return ops;
}

int number_of(std::size_t row, MPI_Op op) {
  const auto& ops = known_ops();
  const auto place = std::find(ops.begin(), ops.end(), op) - ops.begin();
  return static_cast<int>(row * op_count) + static_cast<int>(place);
}

// ---- What the MPI makes of it ----

// An MPI's loops have flaws: MPICH 4.0.2 compares unsigned integers as signed ones, Open MPI 4.1.4 ends a sum of short
// integers at the largest one. What goes either way must have one result. As many values as the widest registers have,
// and some more.
bool agrees_with_mpi(MPI_Op op, MPI_Datatype type, const Candidate& candidate) {
  constexpr int count = 200;
  const std::size_t bytes = count * candidate.operation.element_bytes;
  std::vector<std::byte> left(bytes), right(bytes);
  candidate.draw(left.data(), count, 1, candidate.is_logical);
  candidate.draw(right.data(), count, 2, candidate.is_logical);
  std::vector<std::byte> ours = left, expected = right;
  if (PMPI_Reduce_local(left.data(), expected.data(), count, type, op) != MPI_SUCCESS) return false;
  candidate.operation.combine(ours.data(), right.data(), count);
  return candidate.are_equal(ours.data(), expected.data(), count);
}

// Open MPI 5 dereferences what it has not made yet in a program that has opened a session and has not called MPI_Init.
bool can_be_asked() {
#ifdef OPEN_MPI
  return has_world();
#else
  return true;
#endif
}

// All of them where the MPI cannot be asked.
OperationSet try_all() {
  OperationSet differing{};
  if (!can_be_asked()) return differing.fill(~std::uint64_t{0}), differing;
  const std::vector<TypeRow>& rows = known_types();
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (MPI_Op op : known_ops()) {
      const Candidate found = rows[row].find ? rows[row].find(op) : Candidate{};
      const auto number = static_cast<std::size_t>(number_of(row, op));
      if (found && !agrees_with_mpi(op, rows[row].type, found))
        differing.at(number / 64) |= std::uint64_t{1} << number % 64;
    }
  return differing;
}

}  // namespace

const OperationSet& operations_that_differ() {
  static const OperationSet differing = try_all();
  return differing;
}

ReduceOperation find_operation(MPI_Op op, MPI_Datatype type) {
  const std::vector<TypeRow>& rows = known_types();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].type != type || !rows[row].find) continue;
    ReduceOperation found = rows[row].find(op).operation;
    if (found) found.number = number_of(row, op);
    return found;
  }
  return {};
}

}  // namespace atrium::mpi
