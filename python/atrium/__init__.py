"""OpenSHMEM for Python: numpy arrays in the memory that the processes of a node share. No compiler is needed.

    import atrium
    atrium.init()
    a = atrium.zeros(100)                       # an array of numpy; each PE has one
    right = (atrium.my_pe() + 1) % atrium.n_pes()
    a.on(right)[0] = 1.5                        # the neighbour's memory itself
    atrium.put(a[1:3], [2.5, 3.5], right)       # the same by a call, which reaches other nodes, too
    atrium.barrier_all()

What is not here is in `atrium.shmem`, the library itself for ctypes.
"""
# SPDX-License-Identifier: BSD-3-Clause
from . import uncaught  # first: what cannot be imported is told by it, too
from .arrays import Array, array, empty, free, full, zeros
from .job import barrier_all, fence, finalize, init, my_pe, n_pes, quiet, sync_all
from .library import prefix, shmem
from .teams import (SHARED, WORLD, Team, alltoall, and_reduce, broadcast, collect, fcollect, max_reduce, min_reduce, or_reduce,
                    prod_reduce, sum_exscan, sum_inscan, sum_reduce, xor_reduce)
from .transfers import (CMP_EQ, CMP_GE, CMP_GT, CMP_LE, CMP_LT, CMP_NE, SIGNAL_ADD, SIGNAL_SET, atomic_add, atomic_and,
                        atomic_compare_swap, atomic_fetch, atomic_fetch_add, atomic_fetch_and, atomic_fetch_inc, atomic_fetch_or,
                        atomic_fetch_xor, atomic_inc, atomic_or, atomic_set, atomic_swap, atomic_xor, get, put, put_signal,
                        signal_fetch, signal_wait_until, test, wait_until)

__all__ = [
    "alltoall", "and_reduce", "Array", "array", "atomic_add", "atomic_and", "atomic_compare_swap", "atomic_fetch",
    "atomic_fetch_add", "atomic_fetch_and", "atomic_fetch_inc", "atomic_fetch_or", "atomic_fetch_xor", "atomic_inc",
    "atomic_or", "atomic_set", "atomic_swap", "atomic_xor", "barrier_all", "broadcast", "CMP_EQ", "CMP_GE", "CMP_GT",
    "CMP_LE", "CMP_LT", "CMP_NE", "collect", "empty", "fcollect", "fence", "finalize", "free", "full", "get", "init",
    "max_reduce", "min_reduce", "my_pe", "n_pes", "or_reduce", "prefix", "prod_reduce", "put", "put_signal", "quiet",
    "SHARED", "shmem", "SIGNAL_ADD", "signal_fetch", "SIGNAL_SET", "signal_wait_until", "sum_exscan", "sum_inscan",
    "sum_reduce", "sync_all", "Team", "test", "wait_until", "WORLD", "xor_reduce", "zeros",
]
