// Describes datatypes, packs and unpacks blocks of them.
// SPDX-License-Identifier: BSD-3-Clause
#include "datatype/shape.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "settings/errors_return.hpp"
#include "settings/job.hpp"
#include "settings/which_mpi.hpp"

namespace atrium::mpi {
namespace {

struct Envelope {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
};

#if MPI_VERSION < 4
Envelope open_envelope(MPI_Datatype type) {
  Envelope found;
  PMPI_Type_get_envelope(type, &found.integers, &found.addresses, &found.types, &found.combiner);
  return found;
}
#else
// The older function is an error for types that were made with large counts; their contents are not looked at.
Envelope open_envelope(MPI_Datatype type) {
  MPI_Count integers = 0, addresses = 0, large = 0, types = 0;
  int combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner);
  if (large > 0) return {0, 0, 0, MPI_COMBINER_STRUCT};
  return {static_cast<int>(integers), static_cast<int>(addresses), static_cast<int>(types), combiner};
}
#endif

// Nobody frees these. Those that Fortran's kinds are, MPI_Type_create_f90_real and its like, have no name.
bool is_predefined(const Envelope& envelope) {
  return envelope.combiner == MPI_COMBINER_NAMED || envelope.combiner == MPI_COMBINER_F90_REAL ||
         envelope.combiner == MPI_COMBINER_F90_COMPLEX || envelope.combiner == MPI_COMBINER_F90_INTEGER;
}

// The type that a duplicate or a contiguous type is made of; the caller frees it unless it is a predefined one.
MPI_Datatype base_of(MPI_Datatype type, const Envelope& envelope) {
  std::vector<int> integers(envelope.integers + 1);
  std::vector<MPI_Aint> addresses(envelope.addresses + 1);
  MPI_Datatype base = MPI_DATATYPE_NULL;
  PMPI_Type_get_contents(type, envelope.integers, envelope.addresses, 1, integers.data(), addresses.data(),
                         &base);
  return base;
}

// A predefined type without gaps, duplicates of it and contiguous ones made of it. Every other type is packed by
// the MPI: even one without gaps may list its parts in another order than memory does.
bool is_contiguous(MPI_Datatype type, const Envelope& envelope) {
  if (is_predefined(envelope)) {
    int size = 0;
    MPI_Aint low = 0, extent = 0;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &low, &extent);
    return low == 0 && extent == size;
  }
  if (envelope.combiner != MPI_COMBINER_DUP && envelope.combiner != MPI_COMBINER_CONTIGUOUS) return false;
  MPI_Datatype base = base_of(type, envelope);
  const Envelope inner = open_envelope(base);
  const bool contiguous = is_contiguous(base, inner);
  if (!is_predefined(inner)) PMPI_Type_free(&base);
  return contiguous;
}

// MPICH's pack refuses a null pointer, though MPI_BOTTOM is one and the type may hold addresses. So such a
// block is described from the address 1 on, with a type that begins a byte earlier.
class Anchored {
 public:
  explicit Anchored(const Block& block) : at_(block.at), type_(block.shape->type) {
    if (at_) return;
    const MPI_Aint earlier = -1;
    PMPI_Type_create_hindexed_block(1, 1, &earlier, block.shape->type, &type_);
    PMPI_Type_commit(&type_);
    at_ = reinterpret_cast<char*>(1);
    is_own_ = true;
  }
  ~Anchored() {
    if (is_own_) PMPI_Type_free(&type_);
  }
  Anchored(const Anchored&) = delete;
  Anchored& operator=(const Anchored&) = delete;

  char* at() const { return at_; }
  MPI_Datatype type() const { return type_; }

 private:
  char* at_;
  MPI_Datatype type_;
  bool is_own_ = false;
};

// What the MPI packs or unpacks in one call: as many elements as an int can count the bytes of.
MPI_Aint elements_at_once(const TypeShape& shape) {
  return static_cast<MPI_Aint>(
      std::max<std::size_t>(1, largest_block / std::max<std::size_t>(1, shape.size)));
}

MPI_Comm make_packing_comm() {
  const ErrorsReturn here(MPI_COMM_SELF);
  MPI_Group me = MPI_GROUP_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  PMPI_Comm_group(MPI_COMM_SELF, &me);
  if (PMPI_Comm_create(MPI_COMM_SELF, me, &made) != MPI_SUCCESS) made = MPI_COMM_NULL;
  PMPI_Group_free(&me);
  if (made != MPI_COMM_NULL) PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  return made;
}

// Where errors of a pack are codes. It is made when a type first has to be packed, and the MPI frees it at its end. (A duplicate
// would call what the program has told the MPI of duplicates.) Where there is none, errors go to the program's handler.
MPI_Comm packing_comm(MPI_Comm program) {
  if (!has_world()) return program;
  static std::mutex lock;
  static MPI_Comm made = MPI_COMM_NULL;
  const std::lock_guard guard(lock);
  if (made == MPI_COMM_NULL) made = make_packing_comm();
  return made != MPI_COMM_NULL ? made : MPI_COMM_SELF;
}

}  // namespace

TypeShape find_shape(MPI_Datatype type) {
  TypeShape shape;
  shape.type = type;
  if (type == MPI_DATATYPE_NULL) return shape;  // of no elements
  MPI_Count size = 0;
  MPI_Aint low = 0;
  PMPI_Type_size_x(type, &size);
  PMPI_Type_get_extent(type, &low, &shape.extent);
  shape.size = static_cast<std::size_t>(size);
  const Envelope envelope = open_envelope(type);
  shape.contiguous = is_contiguous(type, envelope);
  if (envelope.combiner == MPI_COMBINER_NAMED) named_shapes[handle_place(type)] = shape;
  return shape;
}

// Not to a type that holds addresses.
bool lacks_memory(const void* buffer, MPI_Aint count, MPI_Datatype type) {
  if (!is_mpich() || buffer || count <= 0 || describe(type).size == 0) return false;
  MPI_Aint low = 0, extent = 0;
  PMPI_Type_get_true_extent(type, &low, &extent);
  return low == 0;
}

int pack_by_mpi(const Block& block, std::byte* to, MPI_Comm program) {
  const TypeShape& shape = *block.shape;
  if (block.bytes() == 0) return MPI_SUCCESS;
  const MPI_Comm comm = packing_comm(program);
  const Anchored anchored(block);
  const MPI_Aint step = elements_at_once(shape);
  for (MPI_Aint done = 0; done < block.count; done += step) {
    const int count = static_cast<int>(std::min(step, block.count - done));
    int position = 0;
    const int error =
        PMPI_Pack(anchored.at() + done * shape.extent, count, anchored.type(), to + done * shape.size,
                  static_cast<int>(count * shape.size), &position, comm);
    if (error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int unpack_by_mpi(const std::byte* from, std::size_t bytes, const Block& block, MPI_Comm program) {
  const TypeShape& shape = *block.shape;
  if (bytes == 0) return MPI_SUCCESS;
  const MPI_Comm comm = packing_comm(program);
  const Anchored anchored(block);
  const MPI_Aint step = elements_at_once(shape), whole = static_cast<MPI_Aint>(bytes / shape.size);
  for (MPI_Aint done = 0; done < whole; done += step) {
    const int count = static_cast<int>(std::min(step, whole - done));
    int position = 0;
    const int error = PMPI_Unpack(from + done * shape.size, static_cast<int>(count * shape.size), &position,
                                  anchored.at() + done * shape.extent, count, anchored.type(), comm);
    if (error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace atrium::mpi
