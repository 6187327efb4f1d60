"""Compiles every program of a plan with every library's compiler, and finds those of others; what does not compile leaves a hole."""
# SPDX-License-Identifier: BSD-3-Clause
import concurrent.futures
import os
import pathlib
import shutil

from driver import execute
from driver.plan import BENCH, TIMER

CC = ("cc", "-std=gnu11", "-D_GNU_SOURCE")    # limits pin themselves to CPUs

# For all alike. On Zen 5 a loop of stores takes one or two cycles a round depending only on where it lies in the code.
FLAGS = ("-O2", "-falign-loops=64")


def wanted(program, library):
    """Limits belong to the machine and are compiled once, as `limit`."""
    return not program.only or library.name in program.only


def place(folder, program, library):
    return folder / ("limit" if program.limit else library.name) / program.name


def compile_all(plan, libraries, folder, progress, built_elsewhere=None, budget_s=float("inf")):
    """(program, library name) -> path of each that compiled, that lies in the folder `built_elsewhere`, or that is installed. Limits
    have the library name 'limit'. No compiler begins or goes on after `budget_s` of the progress's time."""
    jobs = {}
    left_out = [*leave_out(lambda program: program.built and not built_elsewhere, plan, progress,
                           "not compiled here, and left out: --programs FOLDER names where they lie, as FOLDER/LIBRARY/PROGRAM"),
                *leave_out(lambda program: program.installed and not shutil.which(program.source), plan, progress, "not installed, and left out")]
    timers = (TIMER,) if any(program.wall for program in plan.programs) else ()
    for program in (*timers, *plan.programs):
        for library in libraries[:1] if program.limit else libraries:
            if program.source not in left_out and (program.limit or wanted(program, library)):
                jobs[program.source, "limit" if program.limit else library.name] = (program, library)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(lambda job: find(*job, built_elsewhere) if job[0].foreign else compile_one(*job, folder, budget_s - progress.elapsed_s()), jobs.values())
        paths = {}
        for number, (name, (path, failure)) in enumerate(zip(jobs, done), 1):
            progress.step(f"compiling {name[0]}", number, len(jobs))
            if failure:
                progress.hole(f"{name[1]}: {name[0]}: {failure}")
            else:
                paths[name] = path
    progress.clear()
    return paths


def leave_out(is_missing, plan, progress, why):
    """The sources of the programs that are missing, in one line."""
    found = list(dict.fromkeys(program.source for program in plan.programs if is_missing(program)))
    if found:
        progress.hole(f"{', '.join(found)}: {why} (docs/howto/benchmark.md)")
    return found


def compile_one(program, library, folder, left_s):
    path = place(folder, program, library)
    if left_s <= 0:
        return path, "not compiled: the time of --quick was over"
    path.parent.mkdir(parents=True, exist_ok=True)
    compiler = CC if program.limit else library.compile
    source = BENCH / program.source
    headers = BENCH / source.relative_to(BENCH).parts[0]
    outcome = execute.execute([*compiler, *FLAGS, f"-I{headers}", str(source), "-o", str(path), *program.flags],
                              min(120, left_s), library.environment)
    return path, outcome.failure and f"cannot be compiled: {outcome.failure}"


def find(program, library, folder):
    if program.installed:
        return pathlib.Path(shutil.which(program.source)), ""
    path = folder / (library.folder or library.name) / program.source
    return (path.resolve(), "") if os.access(path, os.X_OK) else (path, f"not in {path.parent}")
