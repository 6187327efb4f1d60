"""numpy arrays in symmetric memory: each PE has one at the same place, and can use the others' as its own."""
# SPDX-License-Identifier: BSD-3-Clause
import math
from typing import Any, Optional, Sequence, SupportsIndex, Tuple, Union

import numpy

from .job import blocks, check_pe, my_pe
from .library import INT, POINTER, SIZE, integer, routine

Shape = Union[SupportsIndex, Sequence[SupportsIndex]]


class Array(numpy.ndarray):
    """An array of numpy, and a view of one, that lies in symmetric memory. What is computed from it is an ordinary array.

    `with zeros(n) as a:` gives it back at the end of the block, on all PEs.
    """

    def on(self, pe: SupportsIndex) -> numpy.ndarray:
        """The same elements of PE `pe`, as an ordinary array: its memory, and no copy of it."""
        check_pe(pe)
        if self.size == 0:
            return numpy.empty(self.shape, self.dtype)
        there = _address_on(address_of(self, "the array"), pe)
        if there is None:
            raise ValueError(f"PE {pe} is on another node, whose memory is not mapped here: put() and get() reach it")
        return _elements_at(there, self.shape, self.strides, self.dtype)

    def __array_wrap__(self, result: numpy.ndarray, context: Any = None, return_scalar: bool = False) -> Any:
        if result is self:  # of `a += 1`, and where it is given as out=
            return self
        return result[()] if return_scalar or result.ndim == 0 else numpy.asarray(result)

    def __enter__(self) -> "Array":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:  # else the others might not come
            free(self)


class _Memory:
    """Memory at an address, as numpy takes it. Without strides there are no gaps."""

    def __init__(self, address: int, shape: Tuple[int, ...], strides: Optional[Tuple[int, ...]], itemsize: int) -> None:
        self.__array_interface__ = {"version": 3, "data": (address, False), "shape": shape, "strides": strides,
                                    "typestr": f"|V{itemsize}"}


def _elements_at(address: int, shape: Tuple[int, ...], strides: Optional[Tuple[int, ...]], dtype: numpy.dtype) -> numpy.ndarray:
    # The type comes afterwards: the interface has no words for the gaps between fields.
    return numpy.asarray(_Memory(address, shape, strides, dtype.itemsize)).view(dtype)


def _address_on(address: int, pe: SupportsIndex) -> Any:
    return routine("shmem_ptr", POINTER, POINTER, INT)(address, pe)


def check_array(array: Any, argument: str) -> None:
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"{argument} is of type {type(array).__name__}, and no array in symmetric memory: "
                        "atrium.array() makes one of it")


def check_writable(array: numpy.ndarray, argument: str) -> None:
    if not array.flags.writeable:
        raise ValueError(f"{argument} is read-only")


def address_of(array: numpy.ndarray, argument: str) -> int:
    """Where its first element lies, 0 if it has none; ValueError unless that is symmetric memory."""
    check_array(array, argument)
    if array.size == 0:
        return 0
    address: int = array.__array_interface__["data"][0]
    if _address_on(address, my_pe()) is None:
        raise ValueError(f"{argument} is not in symmetric memory: atrium.zeros(), empty(), full() and array() make arrays that are")
    return address


def _shape_of(shape: Any) -> Tuple[int, ...]:
    sizes = tuple(shape) if numpy.ndim(shape) else (shape,)
    return tuple(integer(size, "a size in shape", 0, 2**62) for size in sizes)


def _allocate(routine_name: str, shape: Shape, dtype: Any) -> Array:
    dtype = numpy.dtype(dtype)
    if dtype.hasobject:
        raise TypeError("Python objects cannot lie in symmetric memory: other PEs do not know their addresses")
    sizes, dtype = _shape_of(shape) + dtype.shape, dtype.base  # elements that are arrays, as "(3,)f8"
    count = math.prod(sizes)
    size = count * dtype.itemsize
    if size == 0:
        return numpy.empty(sizes, dtype).view(Array)
    allocate = routine(routine_name, POINTER, SIZE, SIZE)
    pair = (count, dtype.itemsize) if routine_name == "shmem_calloc" else (64, size)
    if size >= 2**63 or not (address := allocate(*pair)):  # ctypes would cut off what is too large
        raise MemoryError(f"the symmetric heap has no room for {count} elements of type {dtype}: "
                          "a larger SHMEM_SYMMETRIC_SIZE makes room, as oshrun -x SHMEM_SYMMETRIC_SIZE=SIZE sets it")
    blocks[address] = size
    return _elements_at(address, sizes, None, dtype).view(Array)


def zeros(shape: Shape, dtype: Any = float) -> Array:
    """Collective, with the same arguments on all PEs, as all that allocates here."""
    return _allocate("shmem_calloc", shape, dtype)


def empty(shape: Shape, dtype: Any = float) -> Array:
    return _allocate("shmem_align", shape, dtype)


def full(shape: Shape, value: Any, dtype: Any = None) -> Array:
    made = empty(shape, numpy.asarray(value).dtype if dtype is None else dtype)
    made[...] = value
    return made


def array(values: Any, dtype: Any = None) -> Array:
    """A copy of `values`, which may differ from PE to PE; shape and type may not."""
    values = numpy.asarray(values, dtype)
    made = empty(values.shape, values.dtype)
    made[...] = values
    return made


def free(array: Array) -> None:
    """Gives back what zeros(), empty(), full() or array() made. Collective; nobody uses it afterwards."""
    check_array(array, "the array")
    if array.size == 0:
        return
    address = array.__array_interface__["data"][0]
    if blocks.get(address) != array.nbytes:
        raise ValueError("this array is a part of another, or was freed before, or never allocated here: "
                         "free() takes what zeros(), empty(), full() or array() returned, once")
    del blocks[address]
    routine("shmem_free", None, POINTER)(address)
