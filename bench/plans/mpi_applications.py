"""Applications that others wrote, as the distribution has them, behind Atrium for MPI and without: the time to solution, and the same results.

docs/howto/benchmark.md says which packages they come from; their inputs are in bench/mpi/applications."""
# SPDX-License-Identifier: BSD-3-Clause
import collections
import dataclasses
import functools
import re

from driver.plan import BENCH, Library, Plan, Program, Rule

INPUTS = BENCH / "mpi/applications"
RANKS = 4
BOTH = ("node", "hosts")            # places of application.sh
SECONDS = re.compile(r"^seconds to solution: ([0-9.]+)$", re.MULTILINE)
SHARE_OF_MPI = re.compile(r"^share of MPI: ([0-9.]+) of ([0-9.]+) s$", re.MULTILINE)
SHARE = re.compile(r"^share of (?!MPI:)(\w+): ([0-9.]+) s$", re.MULTILINE)
REPORTED = re.compile(r"^atrium: .* +\d+ +(?:\d+|-) (?P<routine>\S+(?: \S+)?) +(?:to \d+ \S+|any size|-) +(?P<calls>\d+) +(?P<own>\d+) +(?P<bytes>\d+) "
                      r"+\S+ +\S+ +\w+ +\S+ +\S+ +\d+$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Application:
    """Its results are the groups of `results` in what it prints."""
    name: str
    program: str
    arguments: tuple
    results: str
    places: tuple = BOTH


ENERGY_OF_ABINIT = r"^ +etotal +(\S+)"
APPLICATIONS = (
    Application("pw", "pw.x", ("-i", "si8.pw.in"), r"^!? +total energy += +(\S+) Ry"),
    Application("abinit_fft", "abinit", ("si8_fft.abi",), ENERGY_OF_ABINIT),
    Application("abinit_bands", "abinit", ("si8_bands.abi",), ENERGY_OF_ABINIT),
    Application("cp2k", "cp2k.psmp", ("-i", "water.cp2k.inp"), r"ENERGY\| Total FORCE_EVAL .*?(-?\d+\.\d{10})"),
    Application("lammps", "lmp", ("-in", "charges.lmp", "-log", "none"), r"^ *(\d+ +\S+ +\S+ +\S+ +\S+ +\S+) *$"),
    # On one node: between these hosts ARMCI of NWChem gets no memory from Open MPI, and MPICH often never returns from MPI_Finalize.
    Application("nwchem_openmpi", "nwchem.openmpi", ("water.nw",), r"total +energy +: +(\S+)", ("node",)),
    Application("nwchem_mpich", "nwchem.mpich", ("water.nw",), r"total +energy +: +(\S+)", ("node",)),
)


def read(name, output):
    """The seconds, and of what rank 0 called of the routines that the library knows how many calls and bytes went Atrium's way."""
    for seconds in SECONDS.findall(output):
        yield name, 0, float(seconds), "s"
    calls = own_calls = bytes_ = own_bytes = 0
    for line in REPORTED.finditer(output):
        if line["routine"].startswith("read"):      # again of calls that another line has
            continue
        made, own, moved = int(line["calls"]), int(line["own"]), int(line["bytes"])
        calls, own_calls, bytes_, own_bytes = calls + made, own_calls + own, bytes_ + moved, own_bytes + moved * own / made
    if calls:
        yield f"{name}.calls_taken", 0, 100 * own_calls / calls, "%"
    if bytes_:
        yield f"{name}.bytes_taken", 0, 100 * own_bytes / bytes_, "%"


def read_shares(name, output):
    """How much of the ranks' time was MPI's, and how much of that each routine's that took a twentieth or more."""
    of_mpi, whole = (sum(map(float, found)) for found in zip(*SHARE_OF_MPI.findall(output), (0, 0)))
    if not of_mpi:
        return
    yield f"{name}.mpi_time", 0, 100 * of_mpi / whole, "%"
    routines = collections.Counter()
    for routine, seconds in SHARE.findall(output):
        routines[routine] += float(seconds)
    for routine, seconds in routines.most_common():
        if seconds >= of_mpi / 20:
            yield f"{name}.share.{routine.lower()}", 0, 100 * seconds / of_mpi, "%"


def results(pattern, output):
    return re.findall(pattern, output, re.MULTILINE)


def program(application, place):
    name = f"{application.name}.{place}"
    return Program(application.program, (RANKS,), installed=True, called=name, arguments=application.arguments, quick_arguments=application.arguments,
                   reader=functools.partial(read, name), results=functools.partial(results, application.results), timeout_s=120,
                   environment={"PLACE": place})


def shares(application):
    """One run more, on one node, that looks into the MPI."""
    whole = program(application, "node")
    return dataclasses.replace(whole, called=f"{application.name}.shares", reader=functools.partial(read_shares, whole.name), only=("alone",), rounds=1,
                               environment={"PLACE": "node", "SHARES": "yes"})


def libraries(build, peers):
    if not list((build / "lib").glob("libatrium-mpi-*.so")):
        raise SystemExit("atrium bench: no MPI is here; ./atrium setup test installs Open MPI and MPICH")
    return [Library(way, label, (), (str(BENCH / "mpi/application.sh"), way), {"BUILD_TREE": str(build)})
            for way, label in (("atrium", "Atrium for MPI"), ("alone", "the MPI alone"))]


RULES = (Rule("*_taken"), Rule("*.mpi_time"), Rule("*.share.*"), Rule("*", faster=0.97))      # never slower: two runs of the same program differ by so much
NOTES = (
    f"Seconds from the start of the launcher to its end, {RANKS} ranks. The library is free to choose.",
    "node: all ranks on this machine. hosts: two network namespaces of this machine behind a switch, 1 Gbit/s each, TCP, of two ranks; their ranks share "
    "its CPUs.",
    "Where ranks are more than CPUs, MPICH waits without giving up its CPU, and yields by a library in front of it if the tests have been built.",
    "taken: the part of the all-to-alls, reductions, broadcasts and barriers, and of their bytes, that went Atrium's way. Where a line of the report has "
    "calls of both ways, its bytes are divided as its calls are.",
    "time in MPI: the part of the ranks' time that was the MPI's, without Atrium, on one node, in a run of its own; part of that: of routines that took a "
    "twentieth of it or more.",
    "Results are compared: a run that prints others than the first one has no figures, is a line at the end, and makes the exit status 1.",
)
PROGRAMS = (*(program(application, place) for place in BOTH for application in APPLICATIONS if place in application.places), *map(shares, APPLICATIONS))
PLAN = Plan("Applications of MPI that others wrote", PROGRAMS, RULES, libraries, notes=NOTES)
