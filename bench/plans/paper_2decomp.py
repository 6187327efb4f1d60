"""2DECOMP&FFT's page on shared memory: the gain of gathering a node's messages over their size (figure 1), and its own Fourier
transform, built elsewhere (figure 2)."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses
import re

from driver import mpi
from driver.plan import BENCH, Plan, Plot, Program, Published

KIB = 1 << 10
SIZES = tuple(str(bytes_) for bytes_ in (8, 64, 256, KIB, 4 * KIB, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB))
SMALL, LARGE = (8, KIB), (32 * KIB, float("inf"))


def read(output):
    """bytes, µs of the MPI alone, µs with the library, times as fast, packets of a call before and after."""
    for fields in (line.split("\t") for line in output.splitlines()):
        if len(fields) == 6 and fields[0].isdigit():
            size, alone, ours, gain = int(fields[0]), *map(float, fields[1:4])
            yield "alltoall.never", size, alone, "us"
            yield "alltoall.ours", size, ours, "us"
            yield "alltoall.gain", size, gain, "times"


def read_transform(decomposition):
    """Forward and back, of 2DECOMP&FFT's own fft_c2c_x."""
    def read(output):
        for there, back in re.findall(r"Avg time \(sec\): +([\d.E+-]+) +([\d.E+-]+)", output):
            yield f"fft.{decomposition}", 0, float(there) + float(back), "s"
    return read


CHOICES, NETWORKS = ("auto", "always", "never"), {"": "", "_near": ", pretended nodes"}
EIGHT = Program("mpi/alltoall.c", pes=(8,), only=CHOICES[:2], flags=("-O2",), arguments=("9", *SIZES), quick_arguments=("5", "8", "1024", "16384", "65536"),
                reader=read, rounds=3, timeout_s=600)
# A call of 64 ranks takes about a second on two CPUs at 64 KiB: once, to the size of the source's crossover, with fewer turns.
SIXTY_FOUR = dataclasses.replace(EIGHT, pes=(64,), quick_pes=(), arguments=("5", *SIZES[:-1]), rounds=1)


def transform(decomposition, ranks, rows, columns, points, repeats):
    """Points in each direction; ranks divide the second by rows and the third by columns."""
    words = (str(rows), str(columns), *(str(points),) * 3, str(repeats))
    return Program("fft_c2c_x", (ranks,), quick_pes=() if ranks > 8 else None, built=True, called=f"fft_c2c_x {decomposition}", arguments=words,
                   quick_arguments=words, reader=read_transform(decomposition), timeout_s=600, rounds=3,
                   only=tuple(choice + network for choice in ("auto", "never") for network in NETWORKS))


# A pair's message: 8 KiB of slabs and 16 or 32 KiB of pencils with 8 ranks, 1 KiB and 8 KiB with 64. So many transforms that what is done
# once for a communicator (memory, and some tens of calls that learn) has the share that it has in an application's run.
TRANSFORMS = (transform("slabs", 8, 1, 8, 32, 500), transform("pencils", 8, 2, 4, 32, 500),
              transform("slabs", 64, 1, 64, 64, 40), transform("pencils", 64, 8, 8, 64, 40))
PROGRAMS = (EIGHT, SIXTY_FOUR, *TRANSFORMS)
PUBLISHED = (
    Published("figure 1, small messages, 256 ranks on nodes of four cores", "up to 1.3 ×", "alltoall.gain", 1, 1.3, SMALL),
    Published("figure 1, from 32 KB on", "slower above 32 KB", "alltoall.gain", sizes=LARGE),
    Published("figure 1, from 32 KB on, always gathered", "slower above 32 KB", "alltoall.gain", sizes=LARGE, library="always"),
    *(Published(f"figure 2, the FFT on the slow network (SeaStar), {decomposition}", "up to 1.4 ×", f"fft.{decomposition}", 1, 1.4, than="never")
      for decomposition in ("slabs", "pencils")),
    *(Published(f"figure 2, the FFT on the fast network (Gemini), {decomposition}", "no benefit", f"fft.{decomposition}", library="auto_near",
                than="never_near") for decomposition in ("slabs", "pencils")),
)


def libraries(build, peers):
    """`auto` measures and chooses, `always` gathers, `never` is the MPI's own way, which alltoall.c measures itself; then without a network."""
    found = mpi.libraries(build, ("openmpi",))
    if not found:
        raise SystemExit("atrium bench: Open MPI is not here; ./atrium setup test installs it")
    hosts = str(BENCH / "papers/hosts.sh")
    return [dataclasses.replace(found[0], name=choice + network, label=f"Open MPI, {choice}{said}", folder="openmpi",
                                run=(hosts, *(("--pretended",) if network else ()), "openmpi"),
                                environment={**found[0].environment, "ATRIUM_ALLTOALL": choice})
            for network, said in NETWORKS.items() for choice in CHOICES if not network or choice != "always"]


NOTES = (
    "Hosts are network namespaces of this machine behind a switch, 1 Gbit/s each, TCP; their ranks share its CPUs. 8 ranks: two hosts of four; "
    "64: eight of eight.",
    "gain: how many times as fast MPI_Alltoall is with the library as without, in one process, in turns.",
    "fft: forward and back, 2DECOMP&FFT's own fft_c2c_x, 32 points in each direction with 8 ranks and 64 with 64, not compiled again. Slow network: those hosts; fast: nodes of "
    "this machine that ATRIUM_NODE_RANKS pretends, whose messages go through shared memory. It is built elsewhere and named by --programs "
    "(docs/howto/benchmark.md).",
)
PLAN = Plan("2DECOMP&FFT's shared-memory all-to-all on this machine", PROGRAMS, (), libraries,
            (Plot("The gain over the bytes of a pair (figure 1)", ("alltoall.gain",)), Plot("A call", ("alltoall.never", "alltoall.ours"))),
            notes=NOTES, source="2DECOMP&FFT: Shared-memory Programming using System V IPC.", published=PUBLISHED)
