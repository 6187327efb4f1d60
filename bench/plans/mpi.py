"""Atrium for MPI beside each MPI that is installed: all-to-alls, other collectives, persistent requests, and a Fourier transform."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses
import functools
import re

from driver import mpi
from driver.plan import BENCH, ROOT, Plan, Plot, Program, Rule

KIB = 1 << 10
SIZES = tuple(str(bytes_) for bytes_ in (8, 256, KIB, 4 * KIB, 16 * KIB, 64 * KIB))
QUICK = ("8", "1024", "16384")
FFT = ROOT / "examples/mpi/pencil_fft"
HERE, HOSTS = ("openmpi", "mpich"), ("openmpi_hosts", "mpich_hosts")


def read(name, output):
    """bytes, µs of the MPI alone, µs with the library, and what else there is."""
    for fields in (line.split("\t") for line in output.splitlines()):
        if len(fields) >= 4 and fields[0].isdigit():
            size, alone, ours = int(fields[0]), *map(float, fields[1:3])
            yield name, size, ours, "us", "atrium"
            yield name, size, alone, "us", "alone"


def read_first_calls(output):
    """A communicator of so many calls: µs of the MPI alone, µs with the library, and their ratio."""
    for _, calls, alone, ours, _ in re.findall(r"^(\d+)\t(\d+)\t([\d.]+)\t([\d.]+)\t([\d.]+)$", output, re.MULTILINE):
        yield f"new_communicator.{calls}_calls", 0, float(ours), "us", "atrium"
        yield f"new_communicator.{calls}_calls", 0, float(alone), "us", "alone"


def read_fft(output):
    """Transposes of pencils, whose size the program does not print."""
    for ours, alone in re.findall(r"transposes per second: (\d+) by MPI_Alltoallv, (\d+) by PMPI_Alltoallv", output):
        yield "pencils", 0, float(ours), "op/s", "atrium"
        yield "pencils", 0, float(alone), "op/s", "alone"


def collective(name, sizes):
    return Program("mpi/collectives.c", pes=(2, 4, 8), quick_pes=(2,), called=name, only=HERE, flags=("-O2",), reader=functools.partial(read, name),
                   arguments=("9", name, *sizes), quick_arguments=("5", name, *sizes[:3]), rounds=3, timeout_s=200)


ALLTOALL = Program("mpi/alltoall.c", pes=(2, 4, 8, 16), quick_pes=(2,), only=HERE, flags=("-O2",), reader=functools.partial(read, "alltoall"),
                   arguments=("9", *SIZES), quick_arguments=("5", *QUICK), rounds=3, timeout_s=300)
PROGRAMS = (
    ALLTOALL,
    dataclasses.replace(ALLTOALL, called="alltoall_hosts", pes=(8,), quick_pes=None, only=HOSTS, reader=functools.partial(read, "alltoall_hosts")),
    # With MPICH, whose waits give up no CPU, a round of 16 ranks takes minutes.
    dataclasses.replace(ALLTOALL, called="alltoall_hosts", pes=(16,), quick_pes=(), only=HOSTS[:1], reader=functools.partial(read, "alltoall_hosts")),
    *(collective(name, SIZES) for name in ("persistent", "allreduce", "sum", "bcast")),
    collective("barrier", ("8",)),
    Program("mpi/first_calls.c", pes=(2, 4, 8), quick_pes=(2,), called="first_calls", only=HERE, flags=("-O2",), reader=read_first_calls,
            arguments=("21", "allreduce", "64"), quick_arguments=("9", "allreduce", "64"), rounds=3, timeout_s=200),
    Program("../examples/mpi/pencil_fft/main.c", pes=(4, 8), quick_pes=(4,), called="pencil_fft", only=HERE, reader=read_fft, rounds=3, timeout_s=200,
            flags=("-O2", str(FFT / "pencils.c"), str(FFT / "transpose.c"), "-lfftw3", "-lm"), arguments=("64", "64", "64"), quick_arguments=()),
)
WAYS = (("atrium", "with Atrium"), ("alone", "the MPI alone"))
RULES = (Rule("*", faster=0.97),)      # never slower: two runs of the same program differ by so much
PLOTS = (Plot("An all-to-all on this machine", ("alltoall.*",)), Plot("An all-to-all between two and four hosts", ("alltoall_hosts.*",)),
         Plot("Other collectives on this machine", ("persistent.*", "allreduce.*", "sum.*", "bcast.*")))
NOTES = (
    "Both ways run in one program, in turns: MPI_Alltoall comes to the library, PMPI_Alltoall does not. The library is free to choose "
    "(ATRIUM_ALLTOALL=auto).",
    "Hosts are network namespaces of this machine behind a switch, 1 Gbit/s each, TCP, of four ranks; their ranks share its CPUs.",
    "Where ranks are more than CPUs, MPICH waits without giving up its CPU, and yields by a library in front of it if the tests have been built.",
    "new communicator: one is made, reduces 64 bytes of integers so many times, and is freed; later ones take over what earlier ones had.",
    "pencils: transposes of a three-dimensional Fourier transform on pencils, 64 points to a side.",
)


def libraries(build, peers):
    """Each MPI on this machine and across hosts; every program is for one of the two."""
    found = mpi.libraries(build)
    if not found:
        raise SystemExit("atrium bench: no MPI is here; ./atrium setup test installs Open MPI and MPICH")
    here = [dataclasses.replace(library, run=(str(BENCH / "mpi/launch.sh"), library.name)) for library in found]
    hosts = [dataclasses.replace(library, name=f"{library.name}_hosts", label=f"{library.label}, hosts", run=(str(BENCH / "papers/hosts.sh"), library.name))
             for library in found]
    return [*here, *hosts]


PLAN = Plan("Atrium for MPI", PROGRAMS, RULES, libraries, PLOTS, ways=WAYS, notes=NOTES)
