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

template <class T>
Candidate of_numbers(MPI_Op op) {
  if (op == MPI_SUM) return candidate<T, Sum>();
  if (op == MPI_PROD) return candidate<T, Product>();
  return {};
}

template <class T>
Candidate of_ordered(MPI_Op op) {
  if (op == MPI_MAX) return candidate<T, Greatest>();
  if (op == MPI_MIN) return candidate<T, Least>();
  return of_numbers<T>(op);
}

template <class T>
Candidate of_bits(MPI_Op op) {
  if (op == MPI_BAND) return candidate<T, BitAnd>();
  if (op == MPI_BOR) return candidate<T, BitOr>();
  if (op == MPI_BXOR) return candidate<T, BitXor>();
  return {};
}

template <class T>
Candidate of_truths(MPI_Op op) {
  if (op == MPI_LAND) return candidate<T, LogicalAnd>();
  if (op == MPI_LOR) return candidate<T, LogicalOr>();
  if (op == MPI_LXOR) return candidate<T, LogicalXor>();
  return {};
}

// Of C, and those of Fortran, on which nothing logical is defined.
template <class T>
Candidate of_fortran_integers(MPI_Op op) {
  const Candidate found = of_ordered<T>(op);
  return found ? found : of_bits<T>(op);
}

template <class T>
Candidate of_integers(MPI_Op op) {
  const Candidate found = of_fortran_integers<T>(op);
  return found ? found : of_truths<T>(op);
}

template <class Value, class Place = int>
Candidate of_located(MPI_Op op) {
  if (op == MPI_MAXLOC) return candidate<Located<Value, Place>, GreatestWithPlace>();
  if (op == MPI_MINLOC) return candidate<Located<Value, Place>, LeastWithPlace>();
  return {};
}

// ---- Types ----

using Find = Candidate (*)(MPI_Op op);

struct TypeRow {
  MPI_Datatype type;
  Find find;
};

// `bytes`: that the MPI says the type has. A type of another size than ours, and one that the MPI lacks, is not known.
Find sized(std::size_t wanted, Find find, MPI_Datatype type) {
  int bytes = 0;
  if (type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &bytes) != MPI_SUCCESS) return nullptr;
  return static_cast<std::size_t>(bytes) == wanted ? find : nullptr;
}

template <class T>
TypeRow integers(MPI_Datatype type) {
  return {type, sized(sizeof(T), of_integers<T>, type)};
}

template <class T>
TypeRow fortran_integers(MPI_Datatype type) {
  return {type, sized(sizeof(T), of_fortran_integers<T>, type)};
}

template <class T>
TypeRow reals(MPI_Datatype type) {
  return {type, sized(sizeof(T), of_ordered<T>, type)};
}

template <class T>
TypeRow complexes(MPI_Datatype type) {
  return {type, sized(sizeof(T), of_numbers<T>, type)};
}

template <class T>
TypeRow truths(MPI_Datatype type) {
  return {type, sized(sizeof(T), of_truths<T>, type)};
}

// Its size is without gaps.
template <class Value, class Place = int>
TypeRow located(MPI_Datatype type) {
  MPI_Aint low = 0, extent = 0;
  PMPI_Type_get_extent(type, &low, &extent);
  const bool fits = low == 0 && extent == static_cast<MPI_Aint>(sizeof(Located<Value, Place>));
  return {type, fits ? sized(sizeof(Value) + sizeof(Place), of_located<Value, Place>, type) : nullptr};
}

const std::vector<TypeRow>& known_types() {
  static const std::vector<TypeRow> rows = {
      reals<double>(MPI_DOUBLE),
      integers<int>(MPI_INT),
      reals<float>(MPI_FLOAT),
      reals<double>(MPI_DOUBLE_PRECISION),
      reals<float>(MPI_REAL),
      fortran_integers<std::int32_t>(MPI_INTEGER),
      truths<std::int32_t>(MPI_LOGICAL),
      integers<signed char>(MPI_SIGNED_CHAR),
      integers<unsigned char>(MPI_UNSIGNED_CHAR),
      integers<short>(MPI_SHORT),
      integers<unsigned short>(MPI_UNSIGNED_SHORT),
      integers<unsigned>(MPI_UNSIGNED),
      integers<long>(MPI_LONG),
      integers<unsigned long>(MPI_UNSIGNED_LONG),
      integers<long long>(MPI_LONG_LONG_INT),
      integers<unsigned long long>(MPI_UNSIGNED_LONG_LONG),
      integers<std::int8_t>(MPI_INT8_T),
      integers<std::int16_t>(MPI_INT16_T),
      integers<std::int32_t>(MPI_INT32_T),
      integers<std::int64_t>(MPI_INT64_T),
      integers<std::uint8_t>(MPI_UINT8_T),
      integers<std::uint16_t>(MPI_UINT16_T),
      integers<std::uint32_t>(MPI_UINT32_T),
      integers<std::uint64_t>(MPI_UINT64_T),
      fortran_integers<MPI_Aint>(MPI_AINT),
      fortran_integers<MPI_Offset>(MPI_OFFSET),
      fortran_integers<MPI_Count>(MPI_COUNT),
      truths<unsigned char>(MPI_C_BOOL),
      {MPI_BYTE, of_bits<unsigned char>},
      reals<long double>(MPI_LONG_DOUBLE),
      complexes<std::complex<double>>(MPI_DOUBLE_COMPLEX),
      complexes<std::complex<float>>(MPI_COMPLEX),
      complexes<std::complex<float>>(MPI_C_FLOAT_COMPLEX),
      complexes<std::complex<double>>(MPI_C_DOUBLE_COMPLEX),
      complexes<std::complex<long double>>(MPI_C_LONG_DOUBLE_COMPLEX),
#ifdef MPI_INTEGER1
      fortran_integers<std::int8_t>(MPI_INTEGER1),
#endif
#ifdef MPI_INTEGER2
      fortran_integers<std::int16_t>(MPI_INTEGER2),
#endif
#ifdef MPI_INTEGER4
      fortran_integers<std::int32_t>(MPI_INTEGER4),
#endif
#ifdef MPI_INTEGER8
      fortran_integers<std::int64_t>(MPI_INTEGER8),
#endif
#ifdef MPI_REAL4
      reals<float>(MPI_REAL4),
#endif
#ifdef MPI_REAL8
      reals<double>(MPI_REAL8),
#endif
#ifdef MPI_COMPLEX8
      complexes<std::complex<float>>(MPI_COMPLEX8),
#endif
#ifdef MPI_COMPLEX16
      complexes<std::complex<double>>(MPI_COMPLEX16),
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
