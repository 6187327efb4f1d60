#!/usr/bin/env python3
"""Kills random processes of jobs at random moments, and looks whether anything is left and whether what oshrun says is true.

usage: random_kills.py OSHRUN RESTLESS COUNT [SEED]

Each job has PID, IPC and mount namespaces of its own (so a kill cannot reach anybody else, and what is left is seen), a
segment of any kind, a shape (the program alone, in scripts that hide its status or go on, in process groups, sessions and
under `timeout`), and a program that is always in the middle of something. Exit status 0, 1 or 77 (no namespaces here)."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from leftovers import clear, enter, leftovers, processes, reap, send, until

WAYS = ["barrier", "put", "lock", "collectives", "allocate", "again", "breed", "commands", "print", "deaf"]
SHAPES = {
    "bare": "exec {program}",
    "script": "{program}; exit $?",
    "hidden": "{program}; true",
    "patient": "{program}; sleep 1000",
    "timeout": "timeout 500 {program}",
    "session": "setsid -w {program}",
    "background": "(trap '' INT TERM HUP; exec sleep 1000) & exec {program}",
    "daemon": "(setsid sh -c 'trap \"\" TERM; sleep 1000; true' &) & exec {program}",
}
VICTIMS = {"launcher": 6, "pe": 6, "any": 3, "orphan killer": 1, "launcher twice": 2}
PATIENCE_S = 30  # for a loaded machine; what hangs, hangs longer


class Round:
    def __init__(self, draw, oshrun, restless):
        self.way, self.shape = draw.choice(WAYS), draw.choice(list(SHAPES))
        self.kind, self.pes = draw.choice(["memfd", "posix", "sysv"]), draw.randint(1, 4)
        self.victim = draw.choices(list(VICTIMS), VICTIMS.values())[0]
        self.signal = draw.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
                                  if self.victim.startswith("launcher") else [signal.SIGKILL, signal.SIGKILL, signal.SIGSEGV])
        self.delay = draw.choice([0.02, 0.05, 0.2]) * draw.random()
        self.draw, self.killed = draw, None
        self.command = [oshrun, "-q", "-n", str(self.pes), "sh", "-c",
                        SHAPES[self.shape].format(program=f"{restless} {self.way}")]

    def __str__(self):
        return (f"{self.kind}, {self.pes} PEs, {self.shape}, {self.way}: {self.signal.name} to {self.victim} "
                f"({self.killed}) after {1000 * self.delay:.1f} ms")

    def choose(self, launcher):
        known = processes()
        if self.victim.startswith("launcher"):
            return launcher
        wanted = {"pe": lambda name: name == "restless", "orphan killer": lambda name: name == "oshrun-orphans",
                  "any": lambda name: True}[self.victim]
        candidates = [pid for pid, name in known.items() if wanted(name) and pid not in self.before]
        return self.draw.choice(candidates) if candidates else None

    def run(self):
        reap()
        self.before = set(processes())
        errors = tempfile.TemporaryFile()
        launcher = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=errors, stdin=subprocess.DEVNULL,
                                    env={**os.environ, "ATRIUM_SEGMENT": self.kind},
                                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        time.sleep(self.delay)
        target = self.choose(launcher.pid)
        name = processes().get(target)
        self.joined = f" {target} " in pathlib.Path("/proc/locks").read_text()  # os/life_mark.hpp
        self.killed = name if target and send(target, self.signal) else None
        if self.victim == "launcher twice":
            time.sleep(0.15 * self.draw.random())
            send(launcher.pid, self.signal)
        status = self.finish(launcher, target)
        clean = until(lambda: not leftovers(self.before), PATIENCE_S)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
        complaint = self.complaint(status, text) if clean else "left: " + ", ".join(leftovers(self.before))
        clear(self.before)
        return complaint, text

    def kills_a_pe(self):
        """Whether a PE at work was killed: children may have its name, a PE may be between finalize and init, and a script
        may hide what nobody waits for, or what has never joined the job."""
        return self.killed == "restless" and self.way not in ("again", "breed", "commands") and \
            not (self.shape in ("hidden", "patient") and self.pes == 1) and (self.shape != "patient" or self.joined)

    def finish(self, launcher, target):
        """The status of oshrun; jobs whose launcher and programs are unhurt are ended by a signal."""
        ends_by_itself = self.killed and (self.victim.startswith("launcher") or self.kills_a_pe())
        if not ends_by_itself:
            time.sleep(0.3)  # perhaps it does: a script's or a command's end may be an error or none
            send(launcher.pid, signal.SIGTERM)
            time.sleep(0.3)
            send(launcher.pid, signal.SIGINT)
        end = time.monotonic() + PATIENCE_S
        while launcher.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
            # A job that has been asked to end may ignore it, or not hear of it in a session of its own.
            asked = self.victim.startswith("launcher") or not ends_by_itself
            if asked and time.monotonic() > end - PATIENCE_S + 2:
                send(launcher.pid, signal.SIGKILL)
        return launcher.poll()

    def complaint(self, status, text):
        if status is None:
            return "oshrun hangs"
        if self.victim.startswith("launcher") or not self.kills_a_pe():
            return None
        if status == 0:
            return "a program was killed, and the status is 0"
        number = int(self.signal)
        words = (f"was ended by signal {number}", f"ended with status {128 + number}", "has left while others",
                 "has ended between shmem_init and shmem_finalize", "ended without calling shmem_init",
                 "which made it, has ended")
        return None if any(word in text for word in words) else "the message does not say what happened"


def run_inside(oshrun, restless, count, seed):
    draw, failures, hit = random.Random(seed), 0, 0
    for number in range(count):
        this = Round(draw, oshrun, restless)
        complaint, text = this.run()
        hit += this.killed is not None
        if complaint:
            failures += 1
            print(f"round {number}: {this}: {complaint}\n{text}", flush=True)
    print(f"{count} jobs, {hit} killed in, {failures} failures (seed {seed})")
    return failures != 0


def main():
    if sys.argv[1] == "--inside":
        sys.exit(run_inside(*sys.argv[2:4], int(sys.argv[4]), int(sys.argv[5])))
    seed = sys.argv[4] if len(sys.argv) > 4 else str(random.randrange(1 << 30))
    enter([*[os.path.abspath(path) for path in sys.argv[1:3]], sys.argv[3], seed])


main()
