"""What a plan is made of. A plan is a module bench/plans/NAME.py with a PLAN; everything here is data."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses
import fnmatch
import importlib
import pathlib
from typing import Callable, Optional

BENCH = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCH.parent


@dataclasses.dataclass(frozen=True)
class Library:
    """One way to compile and run the programs: `compile... SOURCE -o PROGRAM`, `run... -n PES PROGRAM`."""
    name: str
    label: str
    compile: tuple
    run: tuple
    environment: dict = dataclasses.field(default_factory=dict)
    version: str = ""
    folder: str = ""        # of --programs, with what was built for it elsewhere; `name` when empty


@dataclasses.dataclass(frozen=True)
class Program:
    """A C file that prints `measure<TAB>bytes<TAB>value<TAB>unit` lines. Run once per round, library and number of PEs."""
    source: str                     # relative to bench/
    pes: tuple = (2,)
    quick_pes: Optional[tuple] = None  # with --quick; the same as pes when None
    limit: bool = False             # needs no library; run as `PROGRAM PES [--quick]`
    wall: str = ""                  # the duration of the whole run, launcher and all, is reported under this name
    timeout_s: float = 60
    flags: tuple = ()               # for the compiler, after the source
    arguments: tuple = ()
    quick_arguments: Optional[tuple] = None     # in their place with --quick; when None, `arguments` and the word --quick
    reader: Optional[Callable] = None   # reader(output) -> (measure, bytes, value, unit)..., of a program that prints no such lines;
                                    # with a fifth value, the name of one of the plan's `ways`
    only: tuple = ()                # names of libraries that it is for; all when empty
    rounds: int = 0                 # at most so often; every round when 0
    called: str = ""                # its name; that of its file when empty
    built: bool = False             # not compiled here: --programs FOLDER has it as FOLDER/LIBRARY/source; its reader gets both streams
    installed: bool = False         # the same of a program of the system, which PATH has
    results: Optional[Callable] = None  # results(output) -> what every run has to print alike; a run that fails or differs has no figures
    environment: Optional[dict] = None  # variables beside those of the library

    @property
    def foreign(self):
        """Not compiled here."""
        return self.built or self.installed

    @property
    def name(self):
        return self.called or pathlib.PurePath(self.source).stem


# Starts a command and waits for it, since Python takes milliseconds for that.
TIMER = Program("limits/start.c", limit=True)


@dataclasses.dataclass(frozen=True)
class Rule:
    """What is asked of the figures that match: the limit beside them and the targets against limit and peers."""
    measure: str                    # a pattern as the shell's
    limit: Optional[Callable] = None    # limit(limits, bytes, pes) -> value in the base unit of the measure, or None
    because: str = ""               # what that limit is
    within: Optional[float] = None  # at most so many times the limit
    plus: float = 0                 # ... plus this, in the base unit
    at_most: Optional[float] = None     # this value at most (at least, where more is better), in the base unit
    faster: Optional[float] = None  # so many times as good as each peer
    sizes: tuple = (0, float("inf"))
    pes: Optional[tuple] = None     # for these numbers of PEs; all when None

    def fits(self, measure, size, pes):
        return (fnmatch.fnmatchcase(measure, self.measure) and self.sizes[0] <= size <= self.sizes[1]
                and (self.pes is None or pes in self.pes))


@dataclasses.dataclass(frozen=True)
class Plot:
    """A family of curves: against size one panel per number of PEs for each measure that matches; against PEs one per size."""
    title: str
    measures: tuple                 # patterns
    against: str = "bytes"          # or "pes"


@dataclasses.dataclass(frozen=True)
class Published:
    """A figure of a source, and which of ours answers it (driver/published.py has the verdict)."""
    place: str                      # "table 2, bandwidth, put, over that of table 1"
    said: str                       # the figure as a person writes it: "0.98 ×"
    measure: str                    # a pattern
    low: Optional[float] = None     # its range, in the base unit of the measure; None where no number can be compared
    high: Optional[float] = None    # `low` when None
    sizes: tuple = (0, float("inf"))
    pes: Optional[tuple] = None
    library: str = ""               # whose figure is ours; the judged library's when empty
    over_first: bool = False        # ours is how many times as good that library is as the judged one
    mean: bool = False              # ours is the mean of all rows that answer
    than: str = ""                  # ours is how many times as good it is as the same by this library
    against: str = ""               # ours is how many times as good it is as this measure
    because: str = ""               # why it is missed, or has no verdict, where that is known


@dataclasses.dataclass(frozen=True)
class Plan:
    title: str
    programs: tuple
    rules: tuple
    libraries: Callable             # libraries(root, build) -> [Library], the judged one first
    plots: tuple = ()
    headlines: tuple = ()           # (pattern, bytes, PEs) of the figures that the bars show, in their order
    beside: tuple = ()              # patterns of figures that are only limits of others: no rows of their own
    notes: tuple = ()               # sentences for the page
    ways: tuple = ()                # what each run compares, where it does so itself: (name, label)..., the judged one first. The library
                                    # that ran is then a part of the measure's name
    source: str = ""                # the work whose figures `published` has, in one line
    published: tuple = ()

    def compared(self, libraries):
        """What the figures are told apart by."""
        return [Library(name, label, (), ()) for name, label in self.ways] or libraries

    def is_headline(self, measure, size, pes):
        return any(fnmatch.fnmatchcase(measure, pattern) and (size, pes) == (wanted_size, wanted_pes)
                   for pattern, wanted_size, wanted_pes in self.headlines)

    def is_beside(self, measure):
        return any(fnmatch.fnmatchcase(measure, pattern) for pattern in self.beside)

    def rule(self, measure, size, pes):
        """The first rule that fits."""
        return next((rule for rule in self.rules if rule.fits(measure, size, pes)), None)


def expand(name, parts):
    """The names of the plans that are meant. A module with PLANS, {part: plan}, stands for these, or for some of them."""
    several = getattr(module_of(name), "PLANS", None)
    unknown = [part for part in parts if several is None or part not in several]
    if unknown:
        raise SystemExit(f"atrium bench {name}: no part '{unknown[0]}'; there are: {', '.join(several or ['none'])}")
    return [name] if several is None else [several[part] for part in parts or several]


def load(name):
    return module_of(name).PLAN


def module_of(name):
    """bench/plans/NAME.py; SystemExit names those that exist."""
    known = sorted(path.stem for path in (BENCH / "plans").glob("*.py") if path.stem != "__init__")
    if name not in known:
        raise SystemExit(f"atrium bench: no plan '{name}'; there are: {', '.join(known)}")
    return importlib.import_module(f"plans.{name}")
