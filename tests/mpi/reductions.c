// Every predefined operation on every predefined type by MPI_Allreduce, against the MPI's own, bit for bit; sums and
// products of floating-point numbers against what the order of the ranks of a node makes of them, and then the MPI's reduction
// of one rank for each node, on all ranks.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: reductions LARGEST_COUNT     ATRIUM_NODE_RANKS: ranks of a node
#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum Kind { integer, fortran_integer, real, complex_number, truth, bits, located };

static int rank, size, wrong;
static MPI_Comm node, leaders;

struct Type {
  const char* name;
  MPI_Datatype type;
  enum Kind kind;
  size_t bytes;  // from one element to the next
};

static uint64_t state = 1;
static uint64_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 24;
}

// ---- Values: such that roundings depend on the order, and that places decide between equal values ----

#define REAL_VALUE ((double)(int64_t)(draw() % 2001 - 1000) * (draw() % 3 ? 1.0 : 1e9) / 7.0)
#define FILL(ctype, value) \
  for (size_t i = 0; i < count; i++) ((ctype*)data)[i] = (ctype)(value)
#define FILL_LOCATED(value_type, place_type)                                                       \
  do {                                                                                             \
    struct pair {                                                                                  \
      value_type value;                                                                            \
      place_type place;                                                                            \
    }* pairs = data;                                                                               \
    for (size_t i = 0; i < count; i++) {                                                           \
      pairs[i].value = (value_type)(int)(draw() % 3), pairs[i].place = (place_type)(draw() % 100); \
    }                                                                                              \
  } while (0)

static void fill_reals(const struct Type* type, void* data, size_t count) {
  if (type->kind == complex_number) count *= 2;
  const size_t bytes = type->kind == complex_number ? type->bytes / 2 : type->bytes;
  if (bytes == sizeof(float)) FILL(float, REAL_VALUE);
  if (bytes == sizeof(double)) FILL(double, REAL_VALUE);
  if (bytes == sizeof(long double)) FILL(long double, REAL_VALUE);
}

static void fill_located(MPI_Datatype type, void* data, size_t count) {
  if (type == MPI_2INT || type == MPI_2INTEGER) FILL_LOCATED(int, int);
  if (type == MPI_FLOAT_INT) FILL_LOCATED(float, int);
  if (type == MPI_DOUBLE_INT) FILL_LOCATED(double, int);
  if (type == MPI_LONG_INT) FILL_LOCATED(long, int);
  if (type == MPI_SHORT_INT) FILL_LOCATED(short, int);
  if (type == MPI_LONG_DOUBLE_INT) FILL_LOCATED(long double, int);
  if (type == MPI_2REAL) FILL_LOCATED(float, float);
  if (type == MPI_2DOUBLE_PRECISION) FILL_LOCATED(double, double);
}

static void fill(const struct Type* type, void* data, size_t count) {
  memset(data, 0, type->bytes * count);
  if (type->kind == real || type->kind == complex_number)
    fill_reals(type, data, count);
  else if (type->kind == located)
    fill_located(type->type, data, count);
  else if (type->kind == truth && type->bytes == 1)
    FILL(bool, draw() % 2);
  else if (type->kind == truth)
    FILL(int, draw() % 2);
  else  // zeros among them, which operations of logic tell from others
    for (size_t i = 0; i < count; i++)
      if (draw() % 3)
        for (size_t byte = 0; byte < type->bytes; byte++)
          ((char*)data)[i * type->bytes + byte] = (char)draw();
}

// ---- What the order of the ranks makes of it ----

#define COMBINE(ctype)                                                             \
  for (size_t i = 0; i < count; i++)                                               \
  ((ctype*)left)[i] = op == MPI_SUM ? ((ctype*)left)[i] + ((const ctype*)right)[i] \
                                    : ((ctype*)left)[i] * ((const ctype*)right)[i]

static void combine(const struct Type* type, MPI_Op op, void* left, const void* right, size_t count) {
  if (type->kind == real && type->bytes == sizeof(float)) COMBINE(float);
  if (type->kind == real && type->bytes == sizeof(double)) COMBINE(double);
  if (type->kind == real && type->bytes == sizeof(long double)) COMBINE(long double);
  if (type->kind == complex_number && type->bytes == sizeof(float complex)) COMBINE(float complex);
  if (type->kind == complex_number && type->bytes == sizeof(double complex)) COMBINE(double complex);
  if (type->kind == complex_number && type->bytes == sizeof(long double complex))
    COMBINE(long double complex);
}

static void expect_in_order(const struct Type* type, MPI_Op op, const void* mine, void* expected,
                            size_t count) {
  const size_t bytes = type->bytes * count;
  int here;
  MPI_Comm_size(node, &here);
  char* all = malloc((size_t)here * bytes);
  PMPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, node);
  memcpy(expected, all, bytes);
  for (int other = 1; other < here; other++) combine(type, op, expected, all + (size_t)other * bytes, count);
  if (leaders != MPI_COMM_NULL) PMPI_Allreduce(MPI_IN_PLACE, expected, (int)count, type->type, op, leaders);
  PMPI_Bcast(expected, (int)bytes, MPI_BYTE, 0, node);
  free(all);
}

// Long doubles have bytes that mean nothing.
static bool equal(const struct Type* type, const char* got, const char* expected, size_t count) {
  const bool is_long = type->type == MPI_LONG_DOUBLE || type->type == MPI_C_LONG_DOUBLE_COMPLEX;
  if (!is_long) return memcmp(got, expected, type->bytes * count) == 0;
  const size_t numbers = count * type->bytes / sizeof(long double);
  for (size_t i = 0; i < numbers; i++)
    if (((const long double*)got)[i] != ((const long double*)expected)[i]) return false;
  return true;
}

// Of pairs, what lies between value and place means nothing.
static void clear_gaps(const struct Type* type, char* data, size_t count) {
  char* packed = malloc(type->bytes * count);
  int position = 0, bytes = (int)(type->bytes * count);
  PMPI_Pack(data, (int)count, type->type, packed, bytes, &position, MPI_COMM_WORLD);
  memset(data, 0, type->bytes * count);
  int end = position;
  position = 0;
  PMPI_Unpack(packed, end, &position, data, (int)count, type->type, MPI_COMM_WORLD);
  free(packed);
}

static void compare(const struct Type* type, MPI_Op op, const char* name, size_t count, bool in_place) {
  const size_t bytes = type->bytes * count;
  char *mine = malloc(bytes + 1), *got = malloc(bytes + 1), *expected = malloc(bytes + 1);
  fill(type, mine, count);
  memset(got, 0x55, bytes + 1);
  if (in_place) memcpy(got, mine, bytes);
  MPI_Allreduce(in_place ? MPI_IN_PLACE : mine, got, (int)count, type->type, op, MPI_COMM_WORLD);
  const bool rounds =
      (type->kind == real || type->kind == complex_number) && (op == MPI_SUM || op == MPI_PROD);
  if (rounds)
    expect_in_order(type, op, mine, expected, count);
  else
    PMPI_Allreduce(mine, expected, (int)count, type->type, op, MPI_COMM_WORLD);
  if (type->kind == located) clear_gaps(type, got, count), clear_gaps(type, expected, count);
  if (!equal(type, got, expected, count) || got[bytes] != 0x55) {
    wrong++;
    printf("rank %d: %s of %zu %s%s is not as it should be\n", rank, name, count, type->name,
           in_place ? ", in place" : "");
  }
  free(mine), free(got), free(expected);
}

// One element, few, and as many as make the library go other ways; in place at every other count, beginning with the one or the other.
static void compare_all(const struct Type* type, MPI_Op op, const char* name, size_t largest) {
  static bool in_place;
  for (size_t count = 1; count <= largest; count = 5 * count + 2, in_place = !in_place)
    compare(type, op, name, count, in_place);
}

#define EACH(op) compare_all(type, op, #op, largest)

static void compare_type(const struct Type* type, size_t largest) {
  const enum Kind kind = type->kind;
  const bool is_integer = kind == integer || kind == fortran_integer;
  if (is_integer || kind == real) EACH(MPI_MAX), EACH(MPI_MIN);
  if (is_integer || kind == real || kind == complex_number) EACH(MPI_SUM), EACH(MPI_PROD);
  if (kind == integer || kind == truth) EACH(MPI_LAND), EACH(MPI_LOR), EACH(MPI_LXOR);
  if (is_integer || kind == bits) EACH(MPI_BAND), EACH(MPI_BOR), EACH(MPI_BXOR);
  if (kind == located) EACH(MPI_MAXLOC), EACH(MPI_MINLOC);
}

#define TYPE(name, kind, ctype) \
  { #name, name, kind, sizeof(ctype) }
#define PAIR(name, value_type, place_type) \
  {                                        \
#name, name, located, sizeof(struct {  \
      value_type value;                    \
      place_type place;                    \
    })                                     \
  }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* node_ranks = getenv("ATRIUM_NODE_RANKS");
  const int each = node_ranks ? atoi(node_ranks) : size;
  MPI_Comm_split(MPI_COMM_WORLD, rank / each, rank, &node);
  MPI_Comm_split(MPI_COMM_WORLD, rank % each ? MPI_UNDEFINED : 0, rank, &leaders);
  const size_t largest = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
  for (int skip = 0; skip < 100 * rank; skip++) draw();
  const struct Type types[] = {TYPE(MPI_SIGNED_CHAR, integer, signed char),
                               TYPE(MPI_UNSIGNED_CHAR, integer, unsigned char),
                               TYPE(MPI_SHORT, integer, short),
                               TYPE(MPI_UNSIGNED_SHORT, integer, unsigned short),
                               TYPE(MPI_INT, integer, int),
                               TYPE(MPI_UNSIGNED, integer, unsigned),
                               TYPE(MPI_LONG, integer, long),
                               TYPE(MPI_UNSIGNED_LONG, integer, unsigned long),
                               TYPE(MPI_LONG_LONG, integer, long long),
                               TYPE(MPI_UNSIGNED_LONG_LONG, integer, unsigned long long),
                               TYPE(MPI_INT8_T, integer, int8_t),
                               TYPE(MPI_INT16_T, integer, int16_t),
                               TYPE(MPI_INT32_T, integer, int32_t),
                               TYPE(MPI_INT64_T, integer, int64_t),
                               TYPE(MPI_UINT8_T, integer, uint8_t),
                               TYPE(MPI_UINT16_T, integer, uint16_t),
                               TYPE(MPI_UINT32_T, integer, uint32_t),
                               TYPE(MPI_UINT64_T, integer, uint64_t),
                               TYPE(MPI_AINT, fortran_integer, MPI_Aint),
                               TYPE(MPI_OFFSET, fortran_integer, MPI_Offset),
                               TYPE(MPI_COUNT, fortran_integer, MPI_Count),
                               TYPE(MPI_INTEGER, fortran_integer, int32_t),
                               TYPE(MPI_INTEGER1, fortran_integer, int8_t),
                               TYPE(MPI_INTEGER2, fortran_integer, int16_t),
                               TYPE(MPI_INTEGER4, fortran_integer, int32_t),
                               TYPE(MPI_INTEGER8, fortran_integer, int64_t),
                               TYPE(MPI_FLOAT, real, float),
                               TYPE(MPI_DOUBLE, real, double),
                               TYPE(MPI_LONG_DOUBLE, real, long double),
                               TYPE(MPI_REAL, real, float),
                               TYPE(MPI_DOUBLE_PRECISION, real, double),
                               TYPE(MPI_REAL4, real, float),
                               TYPE(MPI_REAL8, real, double),
                               TYPE(MPI_COMPLEX, complex_number, float complex),
                               TYPE(MPI_DOUBLE_COMPLEX, complex_number, double complex),
                               TYPE(MPI_COMPLEX8, complex_number, float complex),
                               TYPE(MPI_COMPLEX16, complex_number, double complex),
                               TYPE(MPI_C_FLOAT_COMPLEX, complex_number, float complex),
                               TYPE(MPI_C_DOUBLE_COMPLEX, complex_number, double complex),
                               TYPE(MPI_C_LONG_DOUBLE_COMPLEX, complex_number, long double complex),
                               TYPE(MPI_C_BOOL, truth, bool),
                               TYPE(MPI_LOGICAL, truth, int),
                               TYPE(MPI_BYTE, bits, char),
                               PAIR(MPI_2INT, int, int),
                               PAIR(MPI_FLOAT_INT, float, int),
                               PAIR(MPI_DOUBLE_INT, double, int),
                               PAIR(MPI_LONG_INT, long, int),
                               PAIR(MPI_SHORT_INT, short, int),
                               PAIR(MPI_LONG_DOUBLE_INT, long double, int),
                               PAIR(MPI_2INTEGER, int, int),
                               PAIR(MPI_2REAL, float, float),
                               PAIR(MPI_2DOUBLE_PRECISION, double, double)};
  for (size_t each = 0; each < sizeof types / sizeof *types; each++) compare_type(&types[each], largest);
  MPI_Finalize();
  return wrong != 0;
}
