"""./atrium bench: from the command line to the table, the CSV and the page."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses
import datetime
import os
import pathlib
import shlex
import signal
import sys

from driver import build, check, judge, machine, options, page, plan as plans, published, record, rounds, table, trust, whole
from driver.progress import Progress

OTHER = "other"     # what --against names
INTERRUPTED = 130   # the status of a program that Ctrl-C has ended


def main(arguments):
    """One plan after the other; the worst status."""
    args = options.parse(arguments)
    names = plans.expand(args.plan, args.part)
    shared = Progress() if args.quick and len(names) > 1 and args.budget_s != float("inf") else None
    worst = 0
    for done, name in enumerate(names):
        if shared:      # what one plan leaves the next ones may use
            args.budget_s = options.share(shared.elapsed_s(), len(names) - done)
        worst = max(worst, measure(name, args, arguments))
        if worst == INTERRUPTED:
            break
    return worst


def measure(name, args, arguments):
    progress = Progress()
    folder = pathlib.Path(os.environ.get("BUILD_TREE", plans.ROOT / "build"))
    plan = narrow(plans.load(name), args.only, not (args.no_limits or args.against))
    libraries = plan.libraries(folder, args.peer)
    if args.alone or args.against:
        libraries = [ours(libraries)]
    if args.against:
        there = ours(plan.libraries(args.against.resolve(), []))
        libraries.append(dataclasses.replace(there, name=OTHER, label=OTHER))
        plan = dataclasses.replace(plan, rules=())      # targets are about peers and limits
    progress.stage("measuring " + " and ".join(library.label for library in libraries) + ", and the machine itself")
    if len(libraries) == 1 and not args.alone:
        progress.hole("no peer is installed: ./atrium setup test installs Open MPI, --peer names another one")
    paths = build.compile_all(plan, libraries, folder / "bench" / name, progress, args.programs,
                              args.budget_s if args.quick else float("inf"))
    results, limits, others = rounds.measure(plan, libraries, paths, args, progress)
    compared = plan.compared(libraries)
    judge.add_limits(plan, results, limits, compared[0].name)
    rows = judge.rows(plan, compared, results)
    busy = trust.doubts_of_run(others)
    answers = published.answers(plan, rows, compared)
    print(*table.table(rows, compared), *published.lines(plan, answers), *busy, *progress.holes, sep="\n")
    facts = machine.description(plans.ROOT, libraries, "./atrium bench " + shlex.join(arguments), now())
    facts += [("rounds", trust.rounds_text(rows)), ("usual spread", trust.spread_text(rows)),
              ("other work", busy[0] if busy else "none worth a word")]
    write(output(args, folder, progress.is_interrupted), name, plan, rows, compared, facts, progress)
    if progress.is_interrupted:
        return INTERRUPTED
    if args.against:
        return report(f"compared with {args.against}:", list(check.slower(rows, compared[0].name, OTHER)), "rows are slower")
    if progress.has_wrong_results:
        return 1
    return compare(args, name, rows) if args.check else 0 if rows else 1


def ours(libraries):
    """Not always the first: a plan may judge what shnode brings to another one."""
    return next(library for library in libraries if library.name == "atrium")


def narrow(plan, only, limits):
    """The limits stay unless they are not wanted: without them there is nothing to compare with."""
    programs = tuple(program for program in plan.programs
                     if (limits if program.limit else not only or any(pattern in program.name for pattern in only)))
    return dataclasses.replace(plan, programs=programs)


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def output(args, folder, interrupted):
    """What is committed comes from whole runs only."""
    partial = interrupted or args.quick or args.only or args.no_limits or args.alone or args.check or args.against
    return args.output or (folder / "bench" if partial else plans.BENCH / "results") / machine.name()


def write(folder, name, plan, rows, libraries, facts, progress):
    folder.mkdir(parents=True, exist_ok=True)
    record.write(folder / f"{name}.csv", rows, libraries)
    told = [f"{what}: {value}" for what, value in facts] + published.lines(plan, published.answers(plan, rows, libraries))
    whole.write_text(folder / f"{name}.txt", "\n".join(told) + "\n")
    whole.write_text(folder / f"{name}.html", page.page(plan, rows, libraries, facts, progress.holes))
    progress.stage(f"written after {progress.elapsed_s():.0f} s: {folder / name}.html, .csv and .txt")


def compare(args, name, rows):
    before = check.committed(plans.BENCH / "results", machine.name(), name)
    if before is None:
        print(f"nothing to compare with: no machine has committed {name}.csv")
        return 0
    worse = check.lines(check.worse(record.read_ratios(before), rows))
    return report(f"compared with {before.relative_to(plans.ROOT)}:", list(worse), "ratios got worse")


def report(title, found, verdict):
    print(title, *found, f"{len(found)} {verdict}", sep="\n")
    return 1 if found else 0


def interrupt(*_):
    raise KeyboardInterrupt


signal.signal(signal.SIGTERM, interrupt)
try:
    sys.exit(main(sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit(INTERRUPTED)
