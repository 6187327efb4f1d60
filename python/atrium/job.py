"""The job: joining and leaving it, who is in it, and the order of what is under way."""
# SPDX-License-Identifier: BSD-3-Clause
from typing import SupportsIndex

from .library import INT, integer, look_whether_initialized, routine, shmem


def init() -> None:
    """Joins the job; collective. A program that ends with status 0 leaves it by itself. One that ends by an exception does
    not wait for the others: its status ends the job."""
    shmem.start_pes(0)


def finalize() -> None:
    """Leaves the job; collective. Symmetric arrays are gone afterwards."""
    routine("shmem_finalize", None)()
    look_whether_initialized()


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
