#!/usr/bin/env python3
"""Lets every system call that oshrun and libatrium make fail, one at a time, and looks what becomes of the job.

usage: points.py OSHRUN ERRAND POINTS.SO [-k TIMES] [--list] [SCENARIO...]

A first run of a scenario writes down from where what is called (points.c). Then each of these places fails once (with -k,
also at its second, third call), in the first process that gets there. The job must then succeed with all its output, or
fail with a message that says what to try; and in no case crash, hang, or leave a process or a name of shared memory.
FAULT_POINT=PLACE:N of the report repeats a point by hand. Exit status 0, 1 or 77 (no namespaces here)."""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from leftovers import clear, enter, leftovers, processes, until

PES = 2
PATIENCE_S = 60  # for a loaded machine
SCENARIOS = {  # variables, flags of oshrun (None: without it)
    "memfd": ({}, []),
    "alone": ({}, None),
    "posix": ({"ATRIUM_SEGMENT": "posix"}, []),
    "sysv": ({"ATRIUM_SEGMENT": "sysv"}, []),
    "alone-posix": ({"ATRIUM_SEGMENT": "posix"}, None),
    "alone-sysv": ({"ATRIUM_SEGMENT": "sysv"}, None),
    "huge": ({"ATRIUM_HUGE_PAGES": "on", "ATRIUM_WAIT": "block"}, ["--bind-to", "core", "-v"]),
    "checked": ({"ATRIUM_CHECK": "1", "ATRIUM_BACKTRACE": "1"}, ["--stdin", "all", "-l"]),
    "nodes": ({}, ["--nodes", "2"]),
}

# What oshrun and libatrium import and what cannot fail, or whose failure is no matter of the system.
HARMLESS = re.compile(r"""^(_.*|Annotate.*|getuid|inet_pton|localeconv|putenv|mem.*|str.*|wc.*|mb.*|w?mem.*|is.*|to(upper|lower)|.*printf|.*gettext|bind_textdomain.*|iconv.*
    # with right arguments:
    |setenv|waitid|sigaction|sigprocmask|signal|pthread_sigmask|pthread_setcancelstate|sigaltstack
    |malloc|realloc|aligned_alloc|posix_memalign|free|(secure_)?getenv|unsetenv|environ
    |get(p?pid|tid|euid|pgrp|auxval|pagesize|dtablesize)|sig(add|del|empty|fill)set
    |std(in|out|err)|f(try|un)lockfile
    |a?exit|abort|atexit|on_exit|alarm|pause|raise|u?sleep|sched_yield|time|localtime_r|clock_gettime|uname|sysconf|btowc|wctob
    |pthread_(join|mutex_.*|cond_(wait|broadcast)|once|self|key_.*)|(get|set|make|swap)context|siglongjmp|dl.*|backtrace.*|arc4random|inet_ntop
    |f(close|error|flush|putc|puts|read|write|ileno)|puts|setvbuf|close(dir)?|freeifaddrs|freeaddrinfo
    # what a look at an output file has made is removed, or stays empty:
    |unlink|rmdir)$""", re.VERBOSE)


def table():
    text = pathlib.Path(__file__).with_name("points.table").read_text()
    return set(re.findall(r"POINT\((\w+)", text)) | {"syscall"}


def unknown_imports(module):
    """Functions that a module imports of which nobody has said whether they may fail."""
    symbols = subprocess.run(["nm", "-D", "--undefined-only", module], stdout=subprocess.PIPE, text=True, check=True).stdout
    names = {line.split()[-1].split("@")[0] for line in symbols.splitlines()}
    return sorted(name for name in names - table() if not HARMLESS.match(name))


class Points:
    def __init__(self, oshrun, errand, library):
        self.oshrun, self.errand, self.library = oshrun, errand, library

    def modules(self):
        said = subprocess.run(["ldd", self.errand], stdout=subprocess.PIPE, text=True, check=True).stdout
        return [self.oshrun, *re.findall(r"=> (\S*libatrium\.so\S*)", said)]

    def run(self, scenario, more):
        """(status or None if it hangs, output, errors)"""
        variables, flags = SCENARIOS[scenario]
        command = [self.errand] if flags is None else [self.oshrun, "-q", "-n", str(PES), *flags, self.errand]
        environment = {**os.environ, "LD_PRELOAD": self.library, **variables, **more}
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            job = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=errors, env=environment)
            try:
                job.communicate(b"a line of input\n" * (PES + 1), timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                pass
            except BrokenPipeError:
                job.wait()
            status = job.poll()
            if status is None:
                job.send_signal(signal.SIGKILL)
            out.seek(0), errors.seek(0)
            return status, out.read().decode(errors="replace"), errors.read().decode(errors="replace")

    def places(self, scenario):
        """Place -> how often it was called by a process, at most three times."""
        log = pathlib.Path("/tmp/points.log")
        log.write_text("")
        status, out, errors = self.run(scenario, {"FAULT_LOG": str(log)})
        if complaint := self.judge(scenario, status, out, errors) or (status and "it fails"):
            sys.exit(f"{scenario}, where nothing fails: {complaint}\n{out}{errors}")
        found = collections.Counter()
        for line in log.read_text().splitlines():
            place, calls = line.rsplit(":", 1)
            found[place] = max(found[place], int(calls))
        return found

    def judge(self, scenario, status, out, errors, place=""):
        """What is wrong with the end of a job, or None."""
        pes = 1 if SCENARIOS[scenario][1] is None else PES
        if status is None:
            return "the job hangs"
        if status < 0 or status >= 128:
            return f"a crash: status {status}"
        if status == 0:
            missing = [pe for pe in range(pes) if f"PE {pe} of {pes} is done" not in out]
            return f"status 0, but PE {missing[0]} has not said that it is done" if missing else None
        if status == 1 and "-v" in (SCENARIOS[scenario][1] or []) and ":write:" in place:
            return None  # it was standard error itself that failed: the status is all that can be said
        if not errors.strip():
            return f"status {status} without a message"
        return None if re.search(r"\btry\b", errors) else f"status {status}, and nobody says what to try"

    def fail(self, scenario, place, number):
        """(what is wrong or None, "went on", "said so" or "not reached", errors)"""
        before, token = set(processes()), pathlib.Path("/tmp/once")
        token.unlink(missing_ok=True)
        status, out, errors = self.run(scenario, {"FAULT_POINT": f"{place}:{number}", "FAULT_ONCE": str(token)})
        complaint = self.judge(scenario, status, out, errors, place)
        if not until(lambda: not leftovers(before), PATIENCE_S / 4) and not complaint:
            complaint = "left: " + ", ".join(leftovers(before))
        clear(before)
        return complaint, "not reached" if not token.exists() else "said so" if status else "went on", out + errors

    def describe(self, place):
        """The function, and the line where the build knows it."""
        module, function, offset = place.split(":")
        path = next(path for path in self.modules() if os.path.realpath(path).endswith(module) or path.endswith(module))
        try:
            said = subprocess.run(["addr2line", "-Cfe", path, hex(int(offset, 16) - 1)], stdout=subprocess.PIPE, text=True,
                                  check=True).stdout.split("\n")
        except (OSError, subprocess.CalledProcessError):
            return f"{function} in {module}"
        return f"{function} by {said[0]}" + (f" ({said[1]})" if "?" not in said[1] else "")


def run_scenario(points, scenario, chosen):
    failures, ends = 0, collections.Counter()
    places = points.places(scenario)
    for place, calls in sorted(places.items()):
        for number in range(1, min(calls, chosen.k) + 1):
            complaint, end, text = points.fail(scenario, place, number)
            ends[end] += 1
            if chosen.list:
                print(f"{scenario}: {points.describe(place)}, call {number}: {complaint or end}")
            if complaint:
                failures += 1
                print(f"{scenario}: {points.describe(place)}, call {number}: {complaint}\n"
                      f"  FAULT_POINT={place}:{number}\n{text}", flush=True)
    reached = ends["said so"] + ends["went on"]
    print(f"{scenario}: {len(places)} places, {reached} points failed: {ends['said so']} jobs said so, {ends['went on']} "
          f"went on, {failures} were wrong", flush=True)
    return reached, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("oshrun"), parser.add_argument("errand"), parser.add_argument("library")
    parser.add_argument("-k", type=int, default=1, help="calls of each place that fail, one at a time (1; at most 3)")
    parser.add_argument("--list", action="store_true", help="say of each point how it ended")
    parser.add_argument("scenario", nargs="*", choices=[*SCENARIOS, []], default=[], help="(all)")
    chosen = parser.parse_intermixed_args()
    if not chosen.inside:
        enter(sys.argv[1:])
    points = Points(*map(os.path.abspath, (chosen.oshrun, chosen.errand, chosen.library)))
    unknown = {name for module in points.modules() for name in unknown_imports(module)}
    if unknown:
        print(f"neither in points.table nor harmless: {', '.join(sorted(unknown))}")
    results = [run_scenario(points, scenario, chosen) for scenario in chosen.scenario or SCENARIOS]
    print(f"{sum(reached for reached, _ in results)} points covered")
    sys.exit(bool(unknown or any(failures for _, failures in results)))


main()
