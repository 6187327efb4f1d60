"""Names for people: "put_nbi.heap.stream" is a non-blocking put into the heap, the same buffer again and again."""
# SPDX-License-Identifier: BSD-3-Clause

BASES = {
    "p": "put of one word (p)", "g": "get of one word (g)", "put": "put", "get": "get", "put_nbi": "non-blocking put",
    "get_nbi": "non-blocking get", "put_drained": "put until it is in memory", "put_signal": "put with a signal",
    "put_fence_p": "put, fence, flag", "p_wait_until": "a word there and back", "iput_scatter": "strided put, scattered there",
    "iput_gather": "strided put, gathered here", "iput_both": "strided put, both sides", "iget_scatter": "strided get, scattered here",
    "iget_gather": "strided get, gathered there", "iget_both": "strided get, both sides", "ibput": "blocked put", "ibget": "blocked get",
    "sum": "sum of all PEs", "max": "maximum of all PEs", "and": "bitwise and of all PEs", "inscan": "inclusive prefix sum",
    "exscan": "exclusive prefix sum", "broadcast": "broadcast", "collect": "collect", "fcollect": "collect of equal parts",
    "alltoall": "all-to-all", "alltoalls": "strided all-to-all", "barrier_all": "barrier", "sync_all": "sync",
    "fetch_add": "fetch and add", "fetch_inc": "fetch and increment", "fetch_xor": "fetch and xor", "compare_swap": "compare and swap",
    "double_swap": "swap of a double", "inc": "atomic increment", "add": "atomic add", "xor": "atomic xor", "set": "atomic set",
    "fetch": "atomic fetch", "swap": "atomic swap", "lock": "lock and unlock", "context": "create and destroy a context",
    "team_split": "split a team", "malloc_free": "allocate and free", "wait_until": "wait for a word", "test": "test a word",
    "ptr": "shmem_ptr", "gups": "random updates", "isx": "integer sort", "pages": "new memory", "stencil": "stencil",
    "by_hand": "a plain loop", "heat2d": "halos", "cg": "conjugate gradients", "ensemble": "a table",
    "alltoall_hosts": "all-to-all between hosts", "persistent": "persistent all-to-all", "allreduce": "reduction to all, integers",
    "bcast": "broadcast from one rank", "pencils": "transposes of pencils",
    "pw": "pw.x", "abinit_fft": "abinit, FFTs in 4 parts", "abinit_bands": "abinit, bands and FFTs in 2 parts each", "lammps": "lammps, PPPM",
    "nwchem_openmpi": "nwchem, Open MPI", "nwchem_mpich": "nwchem, MPICH",
}
PARTS = {
    "heap": "in the heap", "globals": "in global variables", "stream": "same buffer again", "heap_to_globals": "heap to globals",
    "globals_to_heap": "globals to heap", "by_hand": "without a library", "alone": "nobody else there", "same_word": "all on one word",
    "own_lines": "each on a line of its own", "constant": "of a size known to the compiler", "contended": "when all want it",
    "uncontended": "when nobody else wants it", "satisfied": "that is there already", "exchange": "the exchange alone",
    "touch_by_owner": "first touch by its owner", "touch_by_peer": "first touch by a peer", "touch_again": "touched again",
    "allocate": "allocated", "get_put": "by get and put", "long": "longs", "double": "doubles", "ulong": "unsigned longs",
    "left": "exchange, of messages'", "compute_left": "computing, of messages'", "compute": "computation",
    "openmpi": "Open MPI", "mpich": "MPICH", "openmpi_hosts": "Open MPI", "mpich_hosts": "MPICH",
    "mpi": "by the MPI alone", "atrium": "with Atrium", "gain": "times as fast", "window": "of node windows",
    "put": "of puts", "get": "of gets", "p": "of words put", "g": "of words got",
    "calls_taken": "calls that went Atrium's way", "bytes_taken": "bytes that went Atrium's way", "mpi_time": "time in MPI", "share": "part of that in",
}


def for_people(measure):
    base, *parts = measure.split(".")
    return ", ".join([BASES.get(base, base.replace("_", " ")), *(PARTS.get(part, part.replace("_", " ")) for part in parts)])
