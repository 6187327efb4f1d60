"""Figure 1 of 2DECOMP&FFT's page on shared memory: the gain of gathering a node's messages, over their size."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses

from driver import mpi
from driver.plan import BENCH, Plan, Plot, Program, Published

KIB = 1 << 10
SIZES = tuple(str(bytes_) for bytes_ in (8, 64, 256, KIB, 4 * KIB, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB))
SMALL, LARGE = (8, KIB), (32 * KIB + 1, float("inf"))


def read(output):
    """bytes, µs of the MPI alone, µs with the library, times as fast, packets of a call before and after."""
    for fields in (line.split("\t") for line in output.splitlines()):
        if len(fields) == 6 and fields[0].isdigit():
            size, alone, ours, gain = int(fields[0]), *map(float, fields[1:4])
            yield "alltoall.never", size, alone, "us"
            yield "alltoall.ours", size, ours, "us"
            yield "alltoall.gain", size, gain, "times"


EIGHT = Program("mpi/alltoall.c", pes=(8,), flags=("-O2",), arguments=("9", *SIZES), quick_arguments=("5", "8", "1024", "16384", "65536"),
                reader=read, rounds=3, timeout_s=600)
# A call of 64 ranks takes about a second on two CPUs at 64 KiB: once, to the size of the source's crossover, with fewer turns.
PROGRAMS = (EIGHT, dataclasses.replace(EIGHT, pes=(64,), quick_pes=(), arguments=("5", *SIZES[:-1]), rounds=1))
PUBLISHED = (
    Published("figure 1, small messages, 256 ranks on nodes of four cores", "up to 1.3 ×", "alltoall.gain", 1, 1.3, SMALL),
    Published("figure 1, above 32 KB", "slower", "alltoall.gain", sizes=LARGE),
    Published("the same, always gathered", "slower", "alltoall.gain", sizes=LARGE, library="always"),
)


def libraries(build, peers):
    """`auto` measures and chooses, `always` gathers; the MPI's own way is measured by both, in turns."""
    found = mpi.libraries(build, ("openmpi",))
    if not found:
        raise SystemExit("atrium bench: Open MPI is not here; ./atrium setup test installs it")
    run = (str(BENCH / "papers/hosts.sh"), "openmpi")
    return [dataclasses.replace(found[0], name=choice, label=f"Open MPI, {choice}", run=run,
                                environment={**found[0].environment, "ATRIUM_ALLTOALL": choice}) for choice in ("auto", "always")]


NOTES = (
    "Hosts are network namespaces of this machine behind a switch, 1 Gbit/s each, TCP; their ranks share its CPUs. 8 ranks: two hosts of four; "
    "64: eight of eight.",
    "gain: how many times as fast MPI_Alltoall is with the library as without, in one process, in turns.",
    "Figure 2, the Fourier transform of 2DECOMP&FFT itself, is not run by this command: the library is fetched where it is measured "
    "(docs/conformance.md).",
)
PLAN = Plan("2DECOMP&FFT's shared-memory all-to-all on this machine", PROGRAMS, (), libraries,
            (Plot("The gain over the bytes of a pair (figure 1)", ("alltoall.gain",)), Plot("A call", ("alltoall.never", "alltoall.ours"))),
            notes=NOTES, source="2DECOMP&FFT: Shared-memory Programming using System V IPC.", published=PUBLISHED)
