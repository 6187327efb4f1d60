"""The job: joining and leaving it, who is in it, and the order of what is under way."""
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
from typing import Dict, SupportsIndex

from .library import INT, integer, look_whether_initialized, routine, shmem

_THREAD_MULTIPLE = 3
# The symmetric memory of this job that was allocated here and is not yet given back: addresses, and sizes in bytes.
blocks: Dict[int, int] = {}


def init(threads: bool = False) -> None:
    """Joins the job; collective. A program that ends with status 0 leaves it by itself. One that ends by an exception does
    not wait for the others: its status ends the job.

    With threads=True, any thread of this process may call what is here, else only the one that has called init()."""
    if threads and not look_whether_initialized():
        shmem.shmem_init_thread(_THREAD_MULTIPLE, ctypes.byref(ctypes.c_int()))
    shmem.start_pes(0)
    if threads and _thread_level() < _THREAD_MULTIPLE:
        raise RuntimeError("the first init() of this process was one without threads=True")


def _thread_level() -> int:
    level = ctypes.c_int()
    routine("shmem_query_thread", None, ctypes.c_void_p)(ctypes.byref(level))
    return level.value


def finalize() -> None:
    """Leaves the job; collective. Symmetric arrays are gone afterwards."""
    routine("shmem_finalize", None)()
    if not look_whether_initialized():
        blocks.clear()


def my_pe() -> int:
    number: int = routine("shmem_my_pe", INT)()
    return number


def n_pes() -> int:
    number: int = routine("shmem_n_pes", INT)()
    return number


def barrier_all() -> None:
    """All PEs have come here, and what they have put is there."""
    routine("shmem_barrier_all", None)()


def sync_all() -> None:
    """All PEs have come here; completes no puts."""
    routine("shmem_sync_all", None)()


def fence() -> None:
    """What I put before is seen by each PE before what I put afterwards."""
    routine("shmem_fence", None)()


def quiet() -> None:
    """What I have put is there."""
    routine("shmem_quiet", None)()


def check_pe(pe: SupportsIndex) -> None:
    pes = n_pes()
    if not 0 <= integer(pe, "pe", -2**31, 2**31 - 1) < pes:
        raise IndexError(f"there is no PE {pe}: they are 0 to {pes - 1}")
