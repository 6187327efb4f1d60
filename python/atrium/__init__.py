"""OpenSHMEM on the processes of a node, from Python, with nothing but ctypes.

    import atrium
    atrium.init()
    row = atrium.array("d", 100)           # 100 doubles in the symmetric heap, zero at first
    atrium.put(row, 0, [1.5], pe=1)        # row[0] = 1.5 on PE 1
    atrium.barrier_all()

Everything else of OpenSHMEM is in `atrium.shmem`, the library itself (argument types are the caller's business);
shmem4py (docs/howto/python.md) has numpy arrays.
"""
# SPDX-License-Identifier: BSD-3-Clause
import atexit
import ctypes
import os
import platform
import sys
from importlib import metadata

__all__ = ["array", "barrier_all", "fence", "finalize", "free", "get", "init", "my_pe", "n_pes", "prefix", "put", "quiet",
           "shmem"]

# The name that programs are linked with, too: so that there is one copy in a process.
_LIBRARY = "libatrium.so.1"
_TYPES = {"b": ctypes.c_byte, "B": ctypes.c_ubyte, "i": ctypes.c_int, "l": ctypes.c_long, "q": ctypes.c_longlong,
          "L": ctypes.c_ulong, "f": ctypes.c_float, "d": ctypes.c_double}


def prefix():
    """The folder whose bin, lib and include hold oshrun, libatrium.so.1 and shmem.h."""
    given = os.environ.get("ATRIUM_PREFIX")
    if given:
        return given
    try:
        for file in metadata.files("atrium-openshmem") or ():
            if file.name == _LIBRARY:
                return os.path.dirname(os.path.dirname(os.path.realpath(file.locate())))
    except metadata.PackageNotFoundError:
        pass
    return sys.prefix


def _built_for():
    try:
        tags = metadata.distribution("atrium-openshmem").read_text("WHEEL") or ""
        return " ".join(line[5:] for line in tags.splitlines() if line.startswith("Tag: "))
    except metadata.PackageNotFoundError:
        return "another system"


def _load():
    path = os.path.join(prefix(), "lib", _LIBRARY)
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
shmem.shmem_calloc.restype = ctypes.c_void_p
shmem.shmem_calloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
shmem.shmem_free.argtypes = [ctypes.c_void_p]
shmem.shmem_putmem.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
shmem.shmem_getmem.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

_running = False


def init():
    """Joins the job. The program leaves it at its end, if finalize() was not called."""
    global _running
    if not _running:
        shmem.shmem_init()
        _running = True
        atexit.register(finalize)


def finalize():
    global _running
    if _running:
        _running = False
        shmem.shmem_finalize()


def my_pe():
    return shmem.shmem_my_pe()


def n_pes():
    return shmem.shmem_n_pes()


def barrier_all():
    shmem.shmem_barrier_all()


def fence():
    shmem.shmem_fence()


def quiet():
    shmem.shmem_quiet()


def array(typecode, length):
    """A ctypes array in the symmetric heap, zero at first. All PEs call with the same arguments. `typecode` as in array.array."""
    element = _TYPES[typecode]
    address = shmem.shmem_calloc(length, ctypes.sizeof(element))
    if not address and length:
        raise MemoryError(f"the symmetric heap has no room for {length} of {element.__name__}")
    return (element * length).from_address(address)


def free(block):
    """Gives an array() back. All PEs call; nobody uses it afterwards."""
    shmem.shmem_free(ctypes.addressof(block))


def _part(block, first, count):
    if not 0 <= first <= first + count <= len(block):
        raise IndexError(f"elements {first} to {first + count} of an array of {len(block)}")
    size = ctypes.sizeof(block._type_)
    return ctypes.addressof(block) + first * size, count * size


def _check_pe(pe):
    if not 0 <= pe < n_pes():
        raise IndexError(f"there is no PE {pe}: they are 0 to {n_pes() - 1}")


def put(target, first, values, pe):
    """target[first:first + len(values)] on PE `pe` becomes the values."""
    _check_pe(pe)
    values = (target._type_ * len(values))(*values)
    where, size = _part(target, first, len(values))
    shmem.shmem_putmem(where, values, size, pe)


def get(source, first, count, pe):
    """source[first:first + count] as PE `pe` has it: a list."""
    _check_pe(pe)
    values = (source._type_ * count)()
    where, size = _part(source, first, count)
    shmem.shmem_getmem(values, where, size, pe)
    return list(values)
