// Exchanges that are read where the sender has them: out of its process, out of memory that MPI_Alloc_mem gave, or neither.
// Every byte is checked; what was sent is overwritten, and its memory freed, as soon as a call returns; reads are slow.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: reading anywhere|owned|forbidden|breaks|unmappable|nowhere
//   anywhere     processes may read each other
//   owned        the same, and MPI_Alloc_mem is the MPI's own
//   forbidden    the last rank may read no other process
//   breaks       the last rank may at first, but not for long
//   unmappable   the last rank cannot map what others export
//   nowhere      forbidden and unmappable
// Tests: SYNC mpi-freed
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/uio.h>
#include <unistd.h>

#include "expect.h"

enum { most_ranks = 16, bytes_of_piece = 80 << 10, reads_before_break = 6 };
enum memory { private_memory, exported_memory, mixed };

static int rank, size, may_break, is_late;
static const char* mode;
static long blocks_read;  // by the kernel; the words that are read to see whether it is allowed are none

static int is(const char* name) { return !strcmp(mode, name); }
static int is_last(void) { return rank == size - 1; }

// ---- The kernel, as the test wants it ----

ssize_t process_vm_readv(pid_t process, const struct iovec* here, unsigned long pieces,
                         const struct iovec* there, unsigned long others, unsigned long flags) {
  ssize_t (*real)(pid_t, const struct iovec*, unsigned long, const struct iovec*, unsigned long,
                  unsigned long) =
      (ssize_t(*)(pid_t, const struct iovec*, unsigned long, const struct iovec*, unsigned long,
                  unsigned long))dlsym(RTLD_NEXT, "process_vm_readv");
  const int is_block = here->iov_len > sizeof(long);
  blocks_read += is_block;
  if (is_last() && (is("forbidden") || is("nowhere"))) return errno = EPERM, -1;
  if (is_last() && is("breaks") && is_block && may_break && blocks_read > reads_before_break)
    return errno = EFAULT, -1;
  if (is_block && rank % 2) usleep(300);
  // Some bytes at a time, as the kernel does it from 2 GiB on.
  struct iovec some_here = *here, some_there = *there;
  if (is_block && here->iov_len > 5000) some_here.iov_len = some_there.iov_len = 5000;
  return real(process, &some_here, pieces, &some_there, others, flags);
}

void* shmat(int id, const void* place, int flags) {
  void* (*real)(int, const void*, int) = (void* (*)(int, const void*, int))dlsym(RTLD_NEXT, "shmat");
  if (!is_last() || !is_late || !(is("unmappable") || is("nowhere"))) return real(id, place, flags);
  errno = EMFILE;
  return (void*)-1;
}

// ---- Buffers ----

struct buffer {
  unsigned char* at;
  int is_exported;
};

#ifdef OPEN_MPI
// Its bindings for Fortran do not call those of C.
void mpi_alloc_mem_(const MPI_Aint* bytes, const MPI_Fint* hints, void* base, MPI_Fint* error);
void mpi_free_mem_(void* memory, MPI_Fint* error);

static void allocate_in_fortran(MPI_Aint bytes, void* base) {
  const MPI_Fint hints = MPI_Info_c2f(MPI_INFO_NULL);
  MPI_Fint error;
  mpi_alloc_mem_(&bytes, &hints, base, &error);
}

static int free_in_fortran(void* memory) {
  MPI_Fint error;
  mpi_free_mem_(memory, &error);
  return error;
}
#else
static void allocate_in_fortran(MPI_Aint bytes, void* base) { MPI_Alloc_mem(bytes, MPI_INFO_NULL, base); }
static int free_in_fortran(void* memory) { return MPI_Free_mem(memory); }
#endif

static struct buffer allocate(size_t bytes, enum memory memory, int call) {
  struct buffer buffer = {NULL, memory == exported_memory || (memory == mixed && (rank + call) % 2)};
  if (bytes < bytes_of_piece) bytes = bytes_of_piece;  // a smaller one is the MPI's
  if (buffer.is_exported && call % 2)
    allocate_in_fortran((MPI_Aint)bytes, &buffer.at);
  else if (buffer.is_exported)
    MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &buffer.at);
  else
    buffer.at = malloc(bytes);
  memset(buffer.at, 0xEE, bytes);
  return buffer;
}

// Whoever has not read by now reads something else.
static void release(struct buffer* buffer, size_t bytes) {
  memset(buffer->at, 0xAA, bytes);
  if (buffer->is_exported)
    expect((bytes % 2 ? free_in_fortran(buffer->at) : MPI_Free_mem(buffer->at)) == MPI_SUCCESS,
           "memory can be freed");
  else
    free(buffer->at);
}

static unsigned char value(int from, int to, long i, int call) {
  return (unsigned char)(from * 7 + to * 31 + i * 3 + call);
}

// ---- Exchanges ----

static int bytes_between(int from, int to, int call) {
  const unsigned drawn = (unsigned)(from * 2654435761u + to * 40503u + call * 69069u) >> 7;
  return drawn % 3 == 0 ? 0 : (int)(drawn % 6000);
}

static void exchange_equal(MPI_Comm comm, enum memory memory, int call, int bytes) {
  const size_t all = (size_t)bytes * size;
  struct buffer out = allocate(all, memory, call), in = allocate(all, mixed, call);
  for (size_t i = 0; i < all; i++) out.at[i] = value(rank, (int)(i / bytes), (long)(i % bytes), call);
  MPI_Alltoall(out.at, bytes, MPI_BYTE, in.at, bytes, MPI_BYTE, comm);
  release(&out, all);
  for (size_t i = 0; i < all; i++)
    if (in.at[i] != value((int)(i / bytes), rank, (long)(i % bytes), call)) {
      expect(0, "equal blocks arrive");
      break;
    }
  release(&in, all);
}

static void exchange_different(MPI_Comm comm, enum memory memory, int call) {
  int to[most_ranks], from[most_ranks], to_at[most_ranks], from_at[most_ranks], to_all = 0, from_all = 0;
  for (int peer = 0; peer < size; peer++) {
    to[peer] = bytes_between(rank, peer, call), from[peer] = bytes_between(peer, rank, call);
    to_at[peer] = to_all, from_at[peer] = from_all;
    to_all += to[peer] + peer, from_all += from[peer] + 1;
  }
  struct buffer out = allocate(to_all, memory, call), in = allocate(from_all, mixed, call);
  for (int peer = 0; peer < size; peer++)
    for (int i = 0; i < to[peer]; i++) out.at[to_at[peer] + i] = value(rank, peer, i, call);
  MPI_Alltoallv(out.at, to, to_at, MPI_BYTE, in.at, from, from_at, MPI_BYTE, comm);
  release(&out, to_all);
  int good = 1;
  for (int peer = 0; peer < size; peer++) {
    for (int i = 0; i < from[peer]; i++) good &= in.at[from_at[peer] + i] == value(peer, rank, i, call);
    good &= in.at[from_at[peer] + from[peer]] == 0xEE;
  }
  expect(good, "different blocks arrive, and nothing else is written");
  release(&in, from_all);
}

// Bytes with a gap behind each, on one side or on both.
static void exchange_gaps(MPI_Comm comm, enum memory memory, int call) {
  enum { count = 700 };
  MPI_Datatype spread, types[2] = {MPI_BYTE, MPI_BYTE};
  MPI_Type_create_resized(MPI_BYTE, 0, 2, &spread), MPI_Type_commit(&spread);
  const int step_out = 1 + (rank + call) % 2, step_in = 1 + (rank + call / 2) % 2;
  types[step_out - 1] = step_out == 2 ? spread : MPI_BYTE;
  const MPI_Datatype type_in = step_in == 2 ? spread : MPI_BYTE;
  const size_t all = 2 * (size_t)count * size;
  struct buffer out = allocate(all, memory, call), in = allocate(all, mixed, call);
  for (int i = 0; i < count * size; i++) out.at[i * step_out] = value(rank, i / count, i % count, call);
  MPI_Alltoall(out.at, count, types[step_out - 1], in.at, count, type_in, comm);
  release(&out, all);
  int good = 1;
  for (int i = 0; i < count * size; i++)
    good &= in.at[i * step_in] == value(i / count, rank, i % count, call);
  expect(good, "blocks with gaps arrive");
  release(&in, all);
  MPI_Type_free(&spread);
}

static void exchange_in_place(MPI_Comm comm, enum memory memory, int call) {
  const int bytes = 1000;
  const size_t all = (size_t)bytes * size;
  struct buffer both = allocate(all, memory, call);
  for (size_t i = 0; i < all; i++) both.at[i] = value(rank, (int)(i / bytes), (long)(i % bytes), call);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, both.at, bytes, MPI_BYTE, comm);
  int good = 1;
  for (size_t i = 0; i < all; i++)
    good &= both.at[i] == value((int)(i / bytes), rank, (long)(i % bytes), call);
  expect(good, "blocks arrive in place");
  release(&both, all);
}

static void exchange_all(MPI_Comm comm, enum memory memory, int call) {
  if (call % 3 == rank % 3) usleep(500);
  exchange_equal(comm, memory, call, 1 + 2999 * (call % 4));
  exchange_different(comm, memory, call + 100);
  exchange_gaps(comm, memory, call + 200);
  exchange_in_place(comm, memory, call + 300);
}

static long reads_of(MPI_Comm comm, enum memory memory, int bytes) {
  const long before = blocks_read;
  exchange_equal(comm, memory, 7, bytes);
  return blocks_read - before;
}

// Which way the blocks came.
static void test_ways(MPI_Comm comm) {
  const long of_private = reads_of(comm, private_memory, 4000),
             of_exported = reads_of(comm, exported_memory, 4000);
  if (is("anywhere") || is("unmappable"))
    expect(of_private == size - 1, "private blocks are read by the kernel");
  if (is("anywhere")) expect(of_exported == 0, "exported blocks are mapped");
  if (is("unmappable") && is_last())
    expect(of_exported == size - 1, "what cannot be mapped is read by the kernel");
  if (is("forbidden") || is("nowhere"))
    expect(of_private == 0 && of_exported == 0, "nothing is read that must not be");
  if (is("owned"))
    expect(of_private == size - 1 && of_exported == size - 1,
           "memory that is the MPI's is read by the kernel");
  if (is("breaks")) expect(of_private == 0 && of_exported == 0, "after a read that failed nothing is read");
}

int main(int argc, char** argv) {
  mode = argc > 1 ? argv[1] : "anywhere";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > most_ranks) MPI_Abort(MPI_COMM_WORLD, 2);
  struct buffer kept = allocate(bytes_of_piece, exported_memory, 0);
  MPI_Comm first;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  exchange_equal(first, private_memory, 0, 4000);
  is_late = may_break = 1;
  for (int call = 1; call < 12; call++) {
    exchange_all(first, (enum memory)(call % 3), call);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (!is("unmappable") && !is("nowhere")) exchange_all(comm, (enum memory)((call + 1) % 3), call + 20);
    MPI_Comm_free(&comm);
  }
  if (size > 1) test_ways(first);
  release(&kept, bytes_of_piece);
  MPI_Comm_free(&first);
  MPI_Finalize();
  return failures != 0;
}
