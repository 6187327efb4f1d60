"""libatrium.so.1, found and loaded, and the types of its functions."""
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
import functools
import importlib
import operator
import os
import platform
import re
import shutil
import sys
import threading
from importlib import metadata
from typing import Any, Callable

import numpy

# The name that programs are linked with, too: so that there is one copy in a process.
_LIBRARY = "libatrium.so.1"
# Where installations have it: most, those of Fedora and its relatives, Debian's own packages.
_FOLDERS = ("lib", "lib64", f"lib/{platform.machine()}-linux-gnu")


def _path_in(place: str) -> str:
    """Of the library in the installation at `place`; of where most have it, if it has none."""
    paths = [os.path.join(place, folder, _LIBRARY) for folder in _FOLDERS]
    return next((path for path in paths if os.path.exists(path)), paths[0])


def prefix() -> str:
    """The folder whose bin, lib and include hold oshrun, libatrium.so.1 and shmem.h; lib may be lib64, or lib/x86_64-linux-gnu."""
    given = os.environ.get("ATRIUM_PREFIX")
    if given:
        return given
    try:
        for file in metadata.files("atrium-openshmem") or ():
            if file.name == _LIBRARY:
                return os.path.dirname(os.path.dirname(os.path.realpath(file.locate())))
    except metadata.PackageNotFoundError:
        pass
    oshrun = shutil.which("oshrun")
    beside = os.path.dirname(os.path.dirname(os.path.realpath(oshrun))) if oshrun else sys.prefix
    return beside if os.path.exists(_path_in(beside)) else sys.prefix


def _built_for() -> str:
    try:
        tags = metadata.distribution("atrium-openshmem").read_text("WHEEL") or ""
        return " ".join(line[5:] for line in tags.splitlines() if line.startswith("Tag: "))
    except metadata.PackageNotFoundError:
        return "another system"


def _load() -> ctypes.CDLL:
    path = _path_in(prefix())
    if not os.path.exists(path):
        raise ImportError(
            f"atrium: cannot find {path}\n"
            f"  because: neither the wheel nor ATRIUM_PREFIX names an installation that is there, nor is Atrium's oshrun in PATH\n"
            f"  while:   importing the module {os.path.dirname(__file__)}\n"
            f"  try:     pip install atrium-openshmem, or ATRIUM_PREFIX=/where/atrium/is/installed"
        )
    try:
        return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise ImportError(
            f"atrium: cannot load {path}\n"
            f"  because: {error}\n"
            f"  while:   this is {platform.machine()} with {' '.join(platform.libc_ver())}; it was built for {_built_for()}\n"
            f"  try:     pip install --force-reinstall atrium-openshmem, or ATRIUM_PREFIX=/where/atrium/is/installed"
        ) from None


shmem = _load()

POINTER, SIZE, INT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int

# What OpenSHMEM calls the types of numpy, and how ctypes passes one of them.
_TYPES = {"int8": ("int8", ctypes.c_int8), "int16": ("int16", ctypes.c_int16), "int32": ("int32", ctypes.c_int32),
          "int64": ("int64", ctypes.c_int64), "uint8": ("uint8", ctypes.c_uint8), "uint16": ("uint16", ctypes.c_uint16),
          "uint32": ("uint32", ctypes.c_uint32), "uint64": ("uint64", ctypes.c_uint64), "float32": ("float", ctypes.c_float),
          "float64": ("double", ctypes.c_double), "complex64": ("complexf", None), "complex128": ("complexd", None)}


_initialized = ctypes.c_int()
_is_child_of_pe = False


def _leave_job() -> None:
    global _is_child_of_pe
    _is_child_of_pe = _is_child_of_pe or bool(_initialized.value)
    _initialized.value = 0


os.register_at_fork(after_in_child=_leave_job)


def look_whether_initialized() -> bool:
    shmem.shmem_query_initialized(ctypes.byref(_initialized))
    return bool(_initialized.value)


# The module `signal` turns its numbers into enumerations, which takes microseconds.
_signals: Any = importlib.import_module("_signal")
# What may wait for other PEs: for ever, where these do not come.
_WAITS = re.compile("wait_until|barrier|sync|finalize|calloc|align|free|reduce|scan|broadcast|collect|alltoall|split|destroy")


def _ended_by_interrupt(function: Callable[..., Any]) -> Callable[..., Any]:
    """Python looks after Ctrl-C between its own instructions, of which a wait in the library is none. So in a wait the signal
    ends the process, as it ends a program in C."""

    def call(*arguments: Any) -> Any:
        if (threading.current_thread() is not threading.main_thread()
                or _signals.getsignal(_signals.SIGINT) is not _signals.default_int_handler):
            return function(*arguments)
        _signals.signal(_signals.SIGINT, _signals.SIG_DFL)
        try:
            return function(*arguments)
        finally:
            _signals.signal(_signals.SIGINT, _signals.default_int_handler)

    return call


@functools.lru_cache(maxsize=None)
def _typed(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    function = shmem[name]  # an object of its own: attributes of `shmem` belong to its users
    function.restype, function.argtypes = result, list(arguments)
    return _ended_by_interrupt(function) if _WAITS.search(name) else function


def integer(value: Any, argument: str, lowest: int, highest: int) -> int:
    """As one of Python; TypeError or ValueError names the argument. ctypes would cut off what is too large."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{argument} is of type {type(value).__name__}: it must be a whole number") from None
    if not lowest <= number <= highest:
        raise ValueError(f"{argument} is {number}: it must be from {lowest} to {highest}")
    return number


def value_for(value: Any, dtype: numpy.dtype, argument: str) -> Any:
    """`value` as an element of that type is passed."""
    if dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        return integer(value, argument, int(limits.min), int(limits.max))
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{argument} is {value!r}: it must be a number, as the elements of type {dtype} are") from None


def routine(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """A function of the library, with these types; RuntimeError before init(), after finalize() and in a child process."""
    if not _initialized.value and _is_child_of_pe:
        raise RuntimeError("a child process, as os.fork() and multiprocessing make them, is no PE: let the PE itself make this call")
    if not _initialized.value and not look_whether_initialized():
        raise RuntimeError("this process is in no job: atrium.init() first")
    return _typed(name, result, *arguments)


def element_type(dtype: numpy.dtype) -> Any:
    """How ctypes passes one element."""
    return _TYPES[dtype.name][1]


def name_of(dtype: numpy.dtype, operation: str) -> str:
    """"shmem_double_sum_reduce" of float64 and "sum_reduce"; TypeError where OpenSHMEM has no such routine."""
    name = f"shmem_{_TYPES[dtype.name][0]}_{operation}" if dtype.isnative and dtype.name in _TYPES else ""
    if not name or not hasattr(shmem, name):
        raise TypeError(f"OpenSHMEM has no {operation} for elements of type {dtype}")
    return name
