"""Put and get, signals, waits and atomic operations. `target`, `source` and `signal` are symmetric arrays or parts of them."""
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
from typing import Any, Optional, SupportsIndex, Tuple, Union

import numpy

from .arrays import address_of, check_array, check_writable
from .job import check_pe
from .library import INT, POINTER, SIZE, element_type, integer, name_of, routine, value_for

Index = Union[SupportsIndex, Tuple[SupportsIndex, ...]]
CMP_EQ, CMP_NE, CMP_GT, CMP_GE, CMP_LT, CMP_LE = _COMPARISONS = range(1, 7)
SIGNAL_SET, SIGNAL_ADD = 1, 2


def _move(name: str, symmetric: numpy.ndarray, mine: numpy.ndarray, pe: SupportsIndex) -> None:
    """Between two arrays of one shape and type: contiguous memory at once, vectors with strides at once, else part by part."""
    if symmetric.size == 0:
        return
    here, there = mine.__array_interface__["data"][0], address_of(symmetric, "source" if name == "get" else "target")
    pair = (there, here) if name == "put" else (here, there)
    if symmetric.flags.c_contiguous and mine.flags.c_contiguous:
        routine(f"shmem_{name}mem", None, POINTER, POINTER, SIZE, INT)(*pair, symmetric.nbytes, pe)
    elif symmetric.ndim == 1 and min(symmetric.strides[0], mine.strides[0]) >= symmetric.itemsize:
        steps = (symmetric.strides[0], mine.strides[0]) if name == "put" else (mine.strides[0], symmetric.strides[0])
        routine(f"shmem_ib{name}8", None, POINTER, POINTER, ctypes.c_ssize_t, ctypes.c_ssize_t, SIZE, SIZE,  # of bytes: any alignment
                INT)(*pair, *steps, symmetric.itemsize, symmetric.size, pe)
    else:
        for i in range(len(symmetric)):
            _move(name, symmetric[i:i + 1].reshape(symmetric.shape[1:]) if symmetric.ndim > 1 else symmetric[i:i + 1],
                  mine[i:i + 1].reshape(mine.shape[1:]) if mine.ndim > 1 else mine[i:i + 1], pe)


def _values_for(target: numpy.ndarray, values: Any) -> numpy.ndarray:
    check_array(target, "target")
    check_writable(target, "target")
    given: numpy.ndarray = numpy.asarray(values, target.dtype)
    if given.shape == target.shape:
        return given
    try:
        return numpy.ascontiguousarray(numpy.broadcast_to(given, target.shape))
    except ValueError:
        raise ValueError(f"values have shape {given.shape}, target {target.shape}: "
                         "a part of target, such as target[0], may fit") from None


def put(target: numpy.ndarray, values: Any, pe: SupportsIndex) -> None:
    """`target` of PE `pe` becomes the values, as `target[...] = values` would make mine."""
    check_pe(pe)
    _move("put", target, _values_for(target, values), pe)


def get(source: numpy.ndarray, pe: SupportsIndex, out: Optional[numpy.ndarray] = None) -> numpy.ndarray:
    """What `source` of PE `pe` holds: in `out`, or in a new array."""
    check_pe(pe)
    check_array(source, "source")
    out = numpy.empty(source.shape, source.dtype) if out is None else out
    if not isinstance(out, numpy.ndarray):
        raise TypeError(f"out is of type {type(out).__name__}: it must be an array of numpy; without it, get() returns a new one")
    if out.shape != source.shape or out.dtype != source.dtype:
        raise ValueError(f"out has shape {out.shape} and type {out.dtype}, source {source.shape} and {source.dtype}")
    check_writable(out, "out")
    _move("get", source, out, pe)
    return out


def put_signal(target: numpy.ndarray, values: Any, signal: numpy.ndarray, value: SupportsIndex, pe: SupportsIndex,
               op: int = SIGNAL_SET) -> None:
    """A put, and when it is there, `signal` (uint64) of PE `pe` is set to the value, or raised by it (SIGNAL_ADD)."""
    check_pe(pe)
    values = numpy.ascontiguousarray(_values_for(target, values))
    value = integer(value, "value", 0, 2**64 - 1)
    if op not in (SIGNAL_SET, SIGNAL_ADD):
        raise ValueError(f"op is {op!r}: it is one of SIGNAL_SET and SIGNAL_ADD")
    if not target.flags.c_contiguous:
        raise ValueError("target is not contiguous: put() it, fence(), and put_signal() of a part that is")
    routine("shmem_putmem_signal", None, POINTER, POINTER, SIZE, POINTER, ctypes.c_uint64, INT, INT)(
        address_of(target, "target"), values.__array_interface__["data"][0], target.nbytes, _signal(signal), value, op, pe)


def _signal(signal: numpy.ndarray) -> int:
    check_array(signal, "signal")
    if signal.dtype != numpy.uint64:
        raise TypeError(f"a signal has elements of type uint64, not {signal.dtype}")
    return _element(signal, None)


def signal_fetch(signal: numpy.ndarray) -> int:
    value: int = routine("shmem_signal_fetch", ctypes.c_uint64, POINTER)(_signal(signal))
    return value


def _comparison(cmp: int) -> int:
    if not isinstance(cmp, int) or cmp not in _COMPARISONS:
        raise ValueError(f"cmp is {cmp!r}: it is one of CMP_EQ, CMP_NE, CMP_GT, CMP_GE, CMP_LT and CMP_LE")
    return cmp


def signal_wait_until(signal: numpy.ndarray, cmp: int, value: SupportsIndex) -> int:
    """Waits until signal CMP_.. value; what it is then."""
    function = routine("shmem_signal_wait_until", ctypes.c_uint64, POINTER, INT, ctypes.c_uint64)
    seen: int = function(_signal(signal), _comparison(cmp), integer(value, "value", 0, 2**64 - 1))
    return seen


def _element(array: numpy.ndarray, index: Optional[Index]) -> int:
    """The address of one element. Requires: an array."""
    if index is None and array.size != 1:
        raise IndexError(f"which of {array.size} elements? index= says it")
    index = (0,) * array.ndim if index is None else index if isinstance(index, tuple) else (index,)
    index = tuple(integer(i, "index", -2**62, 2**62) for i in index)
    if len(index) > array.ndim:
        raise IndexError(f"an array of shape {array.shape} has no element {index}")
    element = array[(*(slice(i, i + 1 or None) for i in index), ...)]
    if element.size != 1:
        raise IndexError(f"an array of shape {array.shape} has no element {index}")
    address = address_of(element, "the array")
    if address % element.itemsize != 0:
        raise ValueError(f"the element lies at {address:#x}, which is no multiple of its size: no atomic operation can reach it")
    return address


def wait_until(array: numpy.ndarray, cmp: int, value: Any, index: Optional[Index] = None) -> None:
    """Waits until my element CMP_.. value, by what another PE writes."""
    _compare("wait_until", array, cmp, value, index)


def test(array: numpy.ndarray, cmp: int, value: Any, index: Optional[Index] = None) -> bool:
    """Whether my element CMP_.. value now; like wait_until(), it sees what another PE has put before."""
    return bool(_compare("test", array, cmp, value, index))


def _compare(name: str, array: numpy.ndarray, cmp: int, value: Any, index: Optional[Index]) -> Any:
    check_array(array, "the array")
    function = routine(name_of(array.dtype, name), INT if name == "test" else None, POINTER, INT, element_type(array.dtype))
    return function(_element(array, index), _comparison(cmp), value_for(value, array.dtype, "value"))


def _atomic(operation: str, array: numpy.ndarray, index: Optional[Index], pe: SupportsIndex, *values: Any, fetches: bool = True) -> Any:
    check_pe(pe)
    check_array(array, "the array")
    if operation != "fetch":
        check_writable(array, "the array")
    name, kind = name_of(array.dtype, "atomic_" + operation), element_type(array.dtype)
    function = routine(name, kind if fetches else None, POINTER, *[kind] * len(values), INT)
    return function(_element(array, index), *(value_for(value, array.dtype, "value") for value in values), pe)


def atomic_fetch(source: numpy.ndarray, pe: SupportsIndex, index: Optional[Index] = None) -> Any:
    return _atomic("fetch", source, index, pe)


def atomic_set(target: numpy.ndarray, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> None:
    _atomic("set", target, index, pe, value, fetches=False)


def atomic_swap(target: numpy.ndarray, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> Any:
    return _atomic("swap", target, index, pe, value)


def atomic_compare_swap(target: numpy.ndarray, cond: Any, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> Any:
    """Becomes the value if it is `cond`; what it was."""
    return _atomic("compare_swap", target, index, pe, cond, value)


def atomic_inc(target: numpy.ndarray, pe: SupportsIndex, index: Optional[Index] = None) -> None:
    _atomic("inc", target, index, pe, fetches=False)


def atomic_fetch_inc(target: numpy.ndarray, pe: SupportsIndex, index: Optional[Index] = None) -> Any:
    return _atomic("fetch_inc", target, index, pe)


def atomic_add(target: numpy.ndarray, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> None:
    _atomic("add", target, index, pe, value, fetches=False)


def atomic_fetch_add(target: numpy.ndarray, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> Any:
    return _atomic("fetch_add", target, index, pe, value)


def atomic_and(target: numpy.ndarray, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> None:
    _atomic("and", target, index, pe, value, fetches=False)


def atomic_fetch_and(target: numpy.ndarray, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> Any:
    return _atomic("fetch_and", target, index, pe, value)


def atomic_or(target: numpy.ndarray, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> None:
    _atomic("or", target, index, pe, value, fetches=False)


def atomic_fetch_or(target: numpy.ndarray, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> Any:
    return _atomic("fetch_or", target, index, pe, value)


def atomic_xor(target: numpy.ndarray, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> None:
    _atomic("xor", target, index, pe, value, fetches=False)


def atomic_fetch_xor(target: numpy.ndarray, value: Any, pe: SupportsIndex, index: Optional[Index] = None) -> Any:
    return _atomic("fetch_xor", target, index, pe, value)
