/* Arrays of any rank, with gaps or without, as the module shmem_f08 hands them over.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { most_dimensions = 15 };

/* An array as lines of equally spaced elements: leading dimensions without a gap between them are one line. */
typedef struct {
  char* line;        /* where the current line begins */
  size_t at, length; /* elements of the line: done, all */
  ptrdiff_t stride;  /* bytes from element to element of a line */
  int outer;         /* dimensions that count lines */
  ptrdiff_t index[most_dimensions], extent[most_dimensions], step[most_dimensions];
} lines;

static size_t size_of(const atrium_array* array) {
  size_t size = 1;
  for (int i = 0; i < array->rank; ++i) {
    if (array->dim[i].extent < 0) return ATRIUM_ALL; /* assumed size: nobody knows */
    size *= (size_t)array->dim[i].extent;
  }
  return size;
}

static lines lines_of(const atrium_array* array) {
  lines of = {.line = array->base, .length = 1, .stride = (ptrdiff_t)array->element};
  for (int i = 0; i < array->rank; ++i) {
    const struct atrium_dimension* dim = &array->dim[i];
    const size_t extent = dim->extent < 0 ? ATRIUM_ALL : (size_t)dim->extent;
    if (of.outer == 0 && (of.length == 1 || dim->stride == of.stride * (ptrdiff_t)of.length)) {
      if (of.length == 1) of.stride = dim->stride;
      of.length *= extent;
    } else if (extent != 1) {
      of.extent[of.outer] = dim->extent;
      of.step[of.outer++] = dim->stride;
    }
  }
  return of;
}

static int is_contiguous(const lines* of, const atrium_array* array) {
  return of->outer == 0 && (of->length <= 1 || of->stride == (ptrdiff_t)array->element);
}

static void next_line(lines* of) {
  of->at = 0;
  for (int i = 0; i < of->outer; ++i) {
    of->line += of->step[i];
    if (++of->index[i] < of->extent[i]) return;
    of->line -= of->step[i] * of->extent[i];
    of->index[i] = 0;
  }
}

static char* place(const lines* of) { return of->line + (ptrdiff_t)of->at * of->stride; }

static void advance(lines* of, size_t elements) {
  of->at += elements;
  if (of->at == of->length) next_line(of);
}

/* `count` pieces of `bytes` bytes: as blocks of bytes, of which no alignment is asked (C aligns by size, Fortran by type), else one call
 * for each. */
static void atrium_fortran_move_spaced(const atrium_transfer* how, shmem_ctx_t ctx, char* dest,
                                       ptrdiff_t dest_stride, const char* source, ptrdiff_t source_stride,
                                       size_t bytes, size_t count, int pe) {
  const ptrdiff_t least_stride = (ptrdiff_t)bytes;
  if (dest_stride < least_stride || source_stride < least_stride)
    for (size_t i = 0; i < count; ++i)
      how->move(ctx, dest + (ptrdiff_t)i * dest_stride, source + (ptrdiff_t)i * source_stride, bytes, pe);
  else if (how->is_put)
    shmem_ctx_ibput8(ctx, dest, source, dest_stride, source_stride, bytes, count, pe);
  else
    shmem_ctx_ibget8(ctx, dest, source, dest_stride, source_stride, bytes, count, pe);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void atrium_fortran_move_lines(const atrium_transfer* how, shmem_ctx_t ctx, lines* dest, lines* source,
                                      size_t element, size_t count, int pe) {
  while (count > 0) {
    const size_t n = least(count, least(dest->length - dest->at, source->length - source->at));
    if (dest->stride == (ptrdiff_t)element && source->stride == (ptrdiff_t)element)
      how->move(ctx, place(dest), place(source), n * element, pe);
    else
      atrium_fortran_move_spaced(how, ctx, place(dest), dest->stride, place(source), source->stride, element,
                                 n, pe);
    advance(dest, n);
    advance(source, n);
    count -= n;
  }
}

/* gfortran's header numbers its version 1 and has the type in the last two bytes, others in the first. */
static int same_type(const atrium_array* a, const atrium_array* b) {
  if (a->element != b->element) return 0;
  if (a->version != b->version) return 1;
  if (a->version == 1) return a->kind[1] == b->kind[1] && a->kind[2] == b->kind[2];
  return a->kind[0] == b->kind[0];
}

static void require_same_type(const char* routine, const atrium_array* dest, const atrium_array* source) {
  if (!same_type(dest, source))
    atrium_fortran_refuse(routine, "source", "has another type than dest",
                          "the elements are copied as they are, without conversion",
                          "variables of one type and kind, or shmem_putmem and shmem_getmem for bytes");
}

/* How many elements to move: all of source, unless the caller has said it. A scalar (an element of an array)
 * with a count stands for the place where they begin. */
static size_t elements(const char* routine, const atrium_array* dest, const atrium_array* source,
                       size_t count) {
  const size_t from = size_of(source), to = size_of(dest);
  if (count == ATRIUM_ALL) {
    count = from;
    if (count == ATRIUM_ALL)
      atrium_fortran_refuse(routine, "source", "has no known size", "it is an assumed-size array",
                            "a section, x(1:n), or nelems");
    if (to < count)
      atrium_fortran_refuse(routine, "dest", "has fewer elements than source",
                            "all of source is to be copied",
                            "a section of source, x(1:n), or nelems when dest is the first element");
  } else if ((dest->rank > 0 && to < count) || (source->rank > 0 && from < count)) {
    atrium_fortran_refuse(routine, "nelems", "is more than an array has",
                          "dest and source must have that many",
                          "fewer elements, or the first element, x(1), instead of the array");
  }
  return count;
}

static void widen_scalar(lines* of, const atrium_array* array, size_t count) {
  if (array->rank == 0) of->length = count;
}

void atrium_fortran_move(const atrium_transfer* how, shmem_ctx_t ctx, const atrium_array* dest,
                         const atrium_array* source, size_t count, int pe) {
  require_same_type(how->routine, dest, source);
  count = elements(how->routine, dest, source, count);
  if (count == 0) return;
  if (how->is_put)
    atrium_fortran_remote(how->routine, "dest", dest->base);
  else
    atrium_fortran_remote(how->routine, "source", source->base);
  lines to = lines_of(dest), from = lines_of(source);
  widen_scalar(&to, dest, count);
  widen_scalar(&from, source, count);
  if (is_contiguous(&to, dest) && is_contiguous(&from, source))
    how->move(ctx, dest->base, source->base, count * dest->element, pe);
  else
    atrium_fortran_move_lines(how, ctx, &to, &from, dest->element, count, pe);
}

const atrium_transfer atrium_put = {"shmem_put", shmem_ctx_putmem, 1};
const atrium_transfer atrium_get = {"shmem_get", shmem_ctx_getmem, 0};
const atrium_transfer atrium_put_nbi = {"shmem_put_nbi", shmem_ctx_putmem_nbi, 1};
const atrium_transfer atrium_get_nbi = {"shmem_get_nbi", shmem_ctx_getmem_nbi, 0};

void atrium_fortran_put_signal(int blocking, shmem_ctx_t ctx, const atrium_array* dest,
                               const atrium_array* source, size_t count, uint64_t* sig_addr, uint64_t signal,
                               int sig_op, int pe) {
  const char* routine = blocking ? "shmem_put_signal" : "shmem_put_signal_nbi";
  const atrium_transfer how = {routine, blocking ? shmem_ctx_putmem : shmem_ctx_putmem_nbi, 1};
  atrium_fortran_remote(routine, "sig_addr", sig_addr);
  atrium_fortran_move(&how, ctx, dest, source, count, pe);
  /* The signal alone: no bytes, behind the data. */
  shmem_ctx_fence(ctx);
  shmem_ctx_putmem_signal(ctx, dest->base, source->base, 0, sig_addr, signal, sig_op, pe);
}

void atrium_fortran_strided(const atrium_transfer* how, const char* routine, shmem_ctx_t ctx,
                            const atrium_array* dest, const atrium_array* source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t block, size_t count, int pe) {
  require_same_type(routine, dest, source);
  if (count == 0 || block == 0) return;
  atrium_fortran_remote(routine, how->is_put ? "dest" : "source", how->is_put ? dest->base : source->base);
  const ptrdiff_t unit = (ptrdiff_t)dest->element;
  atrium_fortran_move_spaced(how, ctx, dest->base, dst * unit, source->base, sst * unit,
                             block * dest->element, count, pe);
}

size_t atrium_fortran_whole(const char* routine, const char* argument, const atrium_array* array) {
  const lines of = lines_of(array);
  const size_t size = size_of(array);
  if (size == ATRIUM_ALL)
    atrium_fortran_refuse(routine, argument, "has no known size", "it is an assumed-size array",
                          "a section, x(1:n)");
  if (size > 1 && !is_contiguous(&of, array))
    atrium_fortran_refuse(routine, argument, "has gaps", "a collective works on contiguous arrays",
                          "a copy of the section, or one call for each contiguous part");
  if (size > 0) atrium_fortran_remote(routine, argument, array->base);
  return size;
}

size_t atrium_fortran_fitting(const char* routine, const atrium_array* dest, const atrium_array* source,
                              size_t times) {
  require_same_type(routine, dest, source);
  const size_t count = atrium_fortran_whole(routine, "source", source);
  if (atrium_fortran_whole(routine, "dest", dest) < count * times)
    atrium_fortran_refuse(routine, "dest", "has too little room",
                          times == 1 ? "it must have as many elements as source"
                                     : "it must have the elements of source for each PE of the team",
                          "a larger dest, or a section of source, x(1:n)");
  return count;
}

size_t atrium_fortran_block(const char* routine, shmem_team_t team, const atrium_array* dest,
                            const atrium_array* source) {
  const size_t count = atrium_fortran_fitting(routine, dest, source, 1);
  const int members = shmem_team_n_pes(team);
  if (members > 0 && count % (size_t)members != 0)
    atrium_fortran_refuse(routine, "source", "cannot be divided among the team",
                          "it must have the same number of elements for each PE",
                          "a section of source, x(1:n)");
  return members > 0 ? count / (size_t)members : 0;
}

int atrium_fortran_alltoalls(shmem_team_t team, const atrium_array* dest, const atrium_array* source,
                             ptrdiff_t dst, ptrdiff_t sst, size_t count) {
  require_same_type("shmem_alltoalls", dest, source);
  atrium_fortran_remote("shmem_alltoalls", "dest", dest->base);
  atrium_fortran_remote("shmem_alltoalls", "source", source->base);
  char *to = dest->base, *from = source->base;
  switch (dest->element) {
    case 1:
      return shmem_uint8_alltoalls(team, dest->base, source->base, dst, sst, count);
    case 2:
      return shmem_uint16_alltoalls(team, dest->base, source->base, dst, sst, count);
    case 4:
      return shmem_uint32_alltoalls(team, dest->base, source->base, dst, sst, count);
    case 8:
      return shmem_uint64_alltoalls(team, dest->base, source->base, dst, sst, count);
  }
  if (dest->element % 8 != 0)
    atrium_fortran_refuse("shmem_alltoalls", "an element", "has an odd size",
                          "elements are 1, 2, 4 or a multiple of 8 bytes",
                          "shmem_alltoall, which takes any type");
  /* An element of 8 k bytes: its eighths one after the other, with strides k times as wide. */
  const ptrdiff_t k = (ptrdiff_t)dest->element / 8;
  for (ptrdiff_t i = 0; i < k; ++i) {
    const int status = shmem_uint64_alltoalls(team, (uint64_t*)(void*)(to + 8 * i),
                                              (uint64_t*)(void*)(from + 8 * i), dst * k, sst * k, count);
    if (status != 0) return status;
  }
  return 0;
}

const int* atrium_fortran_mask(const char* routine, const atrium_array* status, size_t count) {
  if (!status) return NULL;
  const lines of = lines_of(status);
  if (size_of(status) < count || (count > 1 && !is_contiguous(&of, status)))
    atrium_fortran_refuse(routine, "status", "does not fit ivars", "it must be contiguous and as long",
                          "an integer for each element of ivars");
  return status->base;
}

size_t* atrium_fortran_room(const char* routine, const atrium_array* indices, size_t count) {
  const lines of = lines_of(indices);
  if (size_of(indices) < count || (count > 1 && !is_contiguous(&of, indices)))
    atrium_fortran_refuse(routine, "indices", "does not fit ivars", "it must be contiguous and as long",
                          "an integer for each element of ivars");
  size_t* room = malloc((count + 1) * sizeof *room);
  if (!room)
    atrium_fortran_refuse(routine, "ivars", "is too long", "malloc: Cannot allocate memory",
                          "fewer elements");
  return room;
}

int64_t atrium_fortran_indices(int32_t* out, const size_t* found, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = (int32_t)atrium_fortran_index(found[i]);
  return (int64_t)count;
}

const void* atrium_fortran_values(const char* routine, const atrium_array* values, size_t count) {
  const lines of = lines_of(values);
  if (size_of(values) < count || (count > 1 && !is_contiguous(&of, values)))
    atrium_fortran_refuse(routine, "cmp_values", "does not fit ivars", "it must be contiguous and as long",
                          "a value for each element of ivars");
  return values->base;
}

/* Fortran pointers to blocks of the symmetric heap. */
void atrium_f_allocate(atrium_array* array, const int* extents, int* stat) {
  size_t bytes = array->element;
  for (int i = 0; i < array->rank; ++i) {
    const size_t extent = extents[i] > 0 ? (size_t)extents[i] : 0;
    array->dim[i] = (struct atrium_dimension){1, (ptrdiff_t)extent, (ptrdiff_t)bytes};
    if (__builtin_mul_overflow(bytes, extent, &bytes)) bytes = SIZE_MAX / 2;
  }
  array->base = shmem_malloc(bytes ? bytes : 1);
  if (stat) *stat = array->base ? 0 : 1;
  if (!array->base && !stat)
    atrium_fortran_refuse("shmem_allocate", "the block", "does not fit the symmetric heap",
                          "shmem_malloc: no memory left", "SHMEM_SYMMETRIC_SIZE=4G, or stat= to go on");
}

void atrium_f_deallocate(atrium_array* array, int* stat) {
  if (array->base) atrium_fortran_remote("shmem_deallocate", "array", array->base);
  shmem_free(array->base);
  array->base = NULL;
  if (stat) *stat = 0;
}
