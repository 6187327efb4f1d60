"""Teams, and what all members of one do together."""
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
from typing import Any, Optional, SupportsIndex

import numpy

from .arrays import address_of, check_array, check_writable
from .library import INT, POINTER, SIZE, integer, name_of, routine, shmem


class Team:
    """PEs that make collective calls together. A team that was split is destroyed at the end of `with team:`."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def _valid(self) -> int:
        if not self._handle:
            raise ValueError("this team was destroyed: what is used after it is another one, such as atrium.WORLD")
        return self._handle

    def my_pe(self) -> int:
        number: int = routine("shmem_team_my_pe", INT, POINTER)(self._valid())
        return number

    def n_pes(self) -> int:
        number: int = routine("shmem_team_n_pes", INT, POINTER)(self._valid())
        return number

    def translate_pe(self, pe: SupportsIndex, team: Optional["Team"] = None) -> int:
        """The number that my PE `pe` has in another team, or among all; -1 if it is no member."""
        pe = integer(pe, "pe", -2**31, 2**31 - 1)
        number: int = routine("shmem_team_translate_pe", INT, POINTER, INT, POINTER)(self._valid(), pe, _handle_of(team or WORLD))
        return number

    def split_strided(self, start: SupportsIndex, stride: SupportsIndex, size: SupportsIndex) -> Optional["Team"]:
        """Members start, start + stride, and so on. Collective; None on PEs that are no members of the new team."""
        made = ctypes.c_void_p()
        start, stride, size = (integer(value, name, -2**31, 2**31 - 1)
                               for value, name in ((start, "start"), (stride, "stride"), (size, "size")))
        status = routine("shmem_team_split_strided", INT, POINTER, INT, INT, INT, POINTER, ctypes.c_long, POINTER)(
            self._valid(), start, stride, size, None, 0, ctypes.byref(made))
        if status != 0:
            raise ValueError(f"a team of {self.n_pes()} PEs has no members {start}, {start + stride}, ... ({size} of them): "
                             "all members call with the same start, stride and size, within the team")
        return Team(made.value) if made.value else None

    def sync(self) -> None:
        routine("shmem_team_sync", INT, POINTER)(self._valid())

    def destroy(self) -> None:
        if self in (WORLD, SHARED):
            raise ValueError("WORLD and SHARED are not destroyed: only teams that split_strided() has made")
        routine("shmem_team_destroy", None, POINTER)(self._valid())
        self._handle = 0

    def __reduce__(self) -> Any:  # by which copy, deepcopy and pickle would make a second owner of what is destroyed once
        raise TypeError("a team cannot be copied or pickled: its handle is this process's own")

    def __enter__(self) -> "Team":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:  # else the others might not come
            self.destroy()


WORLD = Team(ctypes.addressof(ctypes.c_char.in_dll(shmem, "atrium_world_team_1")))
SHARED = Team(ctypes.addressof(ctypes.c_char.in_dll(shmem, "atrium_shared_team_1")))  # those whose memory is mapped here


def _handle_of(team: Any) -> int:
    if team is None:
        raise TypeError("team is None, as split_strided() returns on PEs outside of the new team: only its members make this call")
    if not isinstance(team, Team):
        raise TypeError(f"team is of type {type(team).__name__}: it must be WORLD, SHARED or what split_strided() returned")
    return team._valid()


def _size_of(team: Team) -> int:
    _handle_of(team)
    return team.n_pes()


def _require(dest: numpy.ndarray, source: numpy.ndarray, fits: bool, rule: str, in_place: bool = False) -> None:
    if dest.dtype != source.dtype or not fits or not dest.flags.c_contiguous or not source.flags.c_contiguous:
        raise ValueError(f"dest has {dest.size} elements of type {dest.dtype}, source {source.size} of {source.dtype}: "
                         f"they must be contiguous, of one type, and {rule}")
    if numpy.may_share_memory(dest, source) and not (in_place and address_of(dest, "dest") == address_of(source, "source")):
        raise ValueError("dest and source overlap: " + ("they must be apart, or the same" if in_place else "they must be apart"))


def _check_arrays(dest: Any, source: Any) -> None:
    check_array(dest, "dest")
    check_array(source, "source")
    check_writable(dest, "dest")


def _call(name: str, dest: numpy.ndarray, source: numpy.ndarray, count: int, team: Team, *more: int) -> None:
    status = routine(name, INT, POINTER, POINTER, POINTER, SIZE, *[INT] * len(more))(
        _handle_of(team), address_of(dest, "dest"), address_of(source, "source"), count, *more)
    if status != 0:
        raise RuntimeError(f"{name} returned {status}")


def broadcast(dest: numpy.ndarray, source: numpy.ndarray, root: SupportsIndex, team: Team = WORLD) -> None:
    """`dest` of all members becomes `source` of member `root`."""
    _check_arrays(dest, source)
    root = integer(root, "root", 0, _size_of(team) - 1)
    _require(dest, source, dest.size == source.size, "of one size")
    _call("shmem_broadcastmem", dest, source, source.nbytes, team, root)


def fcollect(dest: numpy.ndarray, source: numpy.ndarray, team: Team = WORLD) -> None:
    """`dest` becomes the `source` of all members, one behind the other; all bring as many elements."""
    _check_arrays(dest, source)
    members = _size_of(team)
    _require(dest, source, dest.size >= source.size * members, f"dest {members} times as large")
    _call("shmem_fcollectmem", dest, source, source.nbytes, team)


def collect(dest: numpy.ndarray, source: numpy.ndarray, team: Team = WORLD) -> None:
    """As fcollect; each brings as many as it has."""
    _check_arrays(dest, source)
    _require(dest, source, True, "of any size")
    brought, room = ctypes.c_size_t(), ctypes.c_size_t()
    routine("atrium_python_collectmem", None, POINTER, SIZE, SIZE, POINTER, POINTER)(
        _handle_of(team), source.nbytes, dest.nbytes, ctypes.byref(brought), ctypes.byref(room))
    if brought.value > room.value:  # on all members alike
        raise ValueError(f"all together bring {brought.value // dest.itemsize} elements, and the smallest dest has room for "
                         f"{room.value // dest.itemsize}")
    _call("shmem_collectmem", dest, source, source.nbytes, team)


def alltoall(dest: numpy.ndarray, source: numpy.ndarray, team: Team = WORLD) -> None:
    """Block i of `source` goes to member i, where it is the block with my number; both have a block for each member."""
    _check_arrays(dest, source)
    members = _size_of(team)
    _require(dest, source, dest.size == source.size and source.size % members == 0, f"of one size, a multiple of {members}")
    _call("shmem_alltoallmem", dest, source, source.nbytes // members, team)


def _combine(operation: str, dest: numpy.ndarray, source: Optional[numpy.ndarray], team: Team) -> None:
    source = dest if source is None else source
    _check_arrays(dest, source)
    _require(dest, source, dest.size == source.size, "of one size", in_place=True)
    _call(name_of(dest.dtype, operation), dest, source, source.size, team)


def sum_reduce(dest: numpy.ndarray, source: Optional[numpy.ndarray] = None, team: Team = WORLD) -> None:
    """Element by element, `dest` becomes the sum of all members' `source`; of `dest` itself without one."""
    _combine("sum_reduce", dest, source, team)


def prod_reduce(dest: numpy.ndarray, source: Optional[numpy.ndarray] = None, team: Team = WORLD) -> None:
    _combine("prod_reduce", dest, source, team)


def min_reduce(dest: numpy.ndarray, source: Optional[numpy.ndarray] = None, team: Team = WORLD) -> None:
    _combine("min_reduce", dest, source, team)


def max_reduce(dest: numpy.ndarray, source: Optional[numpy.ndarray] = None, team: Team = WORLD) -> None:
    _combine("max_reduce", dest, source, team)


def and_reduce(dest: numpy.ndarray, source: Optional[numpy.ndarray] = None, team: Team = WORLD) -> None:
    _combine("and_reduce", dest, source, team)


def or_reduce(dest: numpy.ndarray, source: Optional[numpy.ndarray] = None, team: Team = WORLD) -> None:
    _combine("or_reduce", dest, source, team)


def xor_reduce(dest: numpy.ndarray, source: Optional[numpy.ndarray] = None, team: Team = WORLD) -> None:
    _combine("xor_reduce", dest, source, team)


def sum_inscan(dest: numpy.ndarray, source: Optional[numpy.ndarray] = None, team: Team = WORLD) -> None:
    """`dest` becomes the sum of `source` of the members up to me."""
    _combine("sum_inscan", dest, source, team)


def sum_exscan(dest: numpy.ndarray, source: Optional[numpy.ndarray] = None, team: Team = WORLD) -> None:
    """`dest` becomes the sum of `source` of the members before me."""
    _combine("sum_exscan", dest, source, team)
