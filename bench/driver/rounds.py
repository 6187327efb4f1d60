"""The rounds: every program with every library, in turns (A B B A ...), the limits among them, again and again."""
# SPDX-License-Identifier: BSD-3-Clause
import collections
import contextlib
import itertools
import tempfile

from driver import build, execute, figures, trust
from driver.plan import TIMER

Turn = collections.namedtuple("Turn", "program library pes path timer")


def turns(plan, libraries, paths, quick):
    """One round: libraries alternate within each program and number of PEs, so that both see the same minute."""
    for program in plan.programs:
        pes_wanted = program.quick_pes if quick and program.quick_pes is not None else program.pes
        for pes in pes_wanted:
            for library in [None] if program.limit else libraries:
                path = paths.get((program.source, library.name if library else "limit"))
                if path and (program.limit or build.wanted(program, library)):
                    yield Turn(program, library, pes, path, paths.get((TIMER.source, "limit")))


def command(turn, quick):
    words = [turn.path, turn.pes] if turn.program.limit else [*turn.library.run, "-n", turn.pes, turn.path]
    timed = [turn.timer, "--time", turn.program.wall] if turn.program.wall else []
    return [str(word) for word in [*timed, *words, *arguments(turn.program, quick)]]


def arguments(program, quick):
    if not quick:
        return program.arguments
    return (*program.arguments, "--quick") if program.quick_arguments is None else program.quick_arguments


def measure(plan, libraries, paths, args, progress):
    """(figures of the libraries, figures of the limits, how many other processes wanted a CPU before each program).
    No round begins that would probably end after args.budget_s; with --quick no program runs longer than that, either. What has run
    into its own time limit is left out of later rounds. Interrupted, it gives what it has."""
    results, limits, others, endless, printed = figures.Figures(), figures.Figures(), [], [], {}
    try:
        for number in range(args.rounds):
            # Who comes second finds the machine warmer: nobody always does.
            agenda = list(turns(plan, libraries[::-1] if number % 2 else libraries, paths, args.quick))
            lasted = []
            progress.stage(f"round {number + 1} of {args.rounds}: {len(agenda)} runs")
            for done, turn in enumerate(agenda):
                if is_over(turn, number, endless):
                    continue
                name = turn.library.label if turn.library else "the machine"
                progress.step(f"round {number + 1}/{args.rounds} {name}: {turn.program.name}, {turn.pes} PEs", done, len(agenda))
                left_s = args.budget_s - progress.elapsed_s() if args.quick else float("inf")
                if left_s <= 0:
                    progress.hole(f"{name}: {turn.program.name} with {turn.pes} PEs was left out: the {args.budget_s:.0f} s of --quick were over")
                    continue
                others.append(trust.runnable())
                begin = progress.elapsed_s()
                outcome = take_turn(turn, number, args.quick, left_s, limits if turn.program.limit else results, printed, progress)
                lasted.append((turn, progress.elapsed_s() - begin))
                if outcome.timed_out:
                    endless.append(turn)
            next_s = sum(seconds for turn, seconds in lasted if not is_over(turn, number + 1, endless))
            if number + 1 < args.rounds and progress.elapsed_s() + next_s > args.budget_s:
                progress.stage(f"stopping after {number + 1} rounds: another one would not fit into {args.budget_s:g} s")
                break
    except KeyboardInterrupt:
        if not results.keys():
            raise
        progress.interrupt()
    progress.clear()
    return results, limits, others


def is_over(turn, number, endless):
    """No more of it in this round, the first of which is 0."""
    return turn in endless or bool(turn.program.rounds and number >= turn.program.rounds)


def take_turn(turn, number, quick, left_s, store, printed, progress):
    who = turn.library.name if turn.library else "limit"
    environment = {**(turn.library.environment if turn.library else {}), **(turn.program.environment or {})}
    with tempfile.TemporaryDirectory() if turn.program.foreign else contextlib.nullcontext() as folder:     # others' programs leave files behind
        outcome = execute.execute(command(turn, quick), min(turn.program.timeout_s, left_s), environment, folder)
    if outcome.failure:
        progress.hole(f"{who}: {turn.program.name} with {turn.pes} PEs {outcome.failure}")
    text = outcome.output + outcome.errors if turn.program.foreign else outcome.output
    if turn.program.results and (outcome.failure or not is_as_before(turn, who, text, printed, progress)):
        return outcome
    told = list((turn.program.reader or figures.parse)(text))
    if not told and not outcome.failure:
        progress.hole(f"{who}: {turn.program.name} with {turn.pes} PEs printed no figure")
    for measure_name, size, value, unit, *way in told:
        measure_name, of = (f"{measure_name}.{who}", way[0]) if way else (measure_name, who)
        try:
            store.add(figures.Key(measure_name, size, turn.pes), of, number, value, unit)
        except ValueError as error:
            progress.hole(f"{who}: {turn.program.name}: {error}")
    return outcome


def is_as_before(turn, who, text, printed, progress):
    """Whether this run has the results that the first one of this program and number of PEs had, which `printed` keeps."""
    program = f"{turn.program.name} with {turn.pes} PEs"
    found = turn.program.results(text)
    if not found:
        progress.wrong(f"{who}: {program} printed no results")
        return False
    first, expected = printed.setdefault((turn.program.name, turn.pes), (who, found))
    if found != expected:
        progress.wrong(f"{who}: {program} has other results than {first}: {different(found, expected)}")
    return found == expected


def different(found, expected):
    """The first of two lists of results that differ."""
    pairs = itertools.zip_longest(found, expected, fillvalue="nothing")
    return next(f"{ours} instead of {theirs}" for ours, theirs in pairs if ours != theirs)
