#!/usr/bin/env python3
"""Kills, stops and cuts off parts of jobs over hosts at random moments: each job must end everywhere within ten seconds, say
which host it was and why, and leave nothing on any host. A job in which a PE is stopped must go on, say which one, and end
when its user ends it.

usage: random_hosts.py [--tree HOSTS] OSHRUN RESTLESS COUNT [SEED]

The hosts are namespaces (tests/mpi/hosts/with_hosts.sh); some jobs have pretended nodes instead. Agents are reached
directly, or through pipes that can be cut as a network can. With --tree there are so many hosts, whose agents start agents; one of
them is lost, and the others must not be blamed. Exit status 0, 1 or 77 (no hosts can be made here)."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HOSTS = int(sys.argv[2]) if sys.argv[1:2] == ["--tree"] and len(sys.argv) > 2 else 3
WAYS = ["barrier", "put", "lock", "collectives", "allocate", "again", "print", "deaf"]
# Fault -> how often, and what must be said: of the host that was hit, or nothing.
FAULTS = {"pe killed": 4, "pe stopped": 2, "agent killed": 3, "agent stopped": 2, "host killed": 3, "cable cut": 2, "agent cut off": 2,
          "launcher killed": 3, "launcher told to end": 2, "launcher stopped": 2}
ON_ONE_HOST = ("pe killed", "pe stopped", "launcher killed", "launcher told to end")
LIMIT_S = 10     # what is promised
PATIENCE_S = 100  # for a loaded machine, and an agent that is stopped before its greeting, for which oshrun waits 30 s; what hangs, hangs longer

# Of a tree.
LOSSES = {"agent killed": 3, "host killed": 3, "host cut off": 3, "agent stopped": 1}

# The agent in a session of its own, behind two pipes: what kills or cuts them off does not reach it. Its end closes the second one.
BRIDGE = """#!/bin/bash
exec -a "cat to $1." cat < <(exec setsid -w AGENT "$@" < <(exec -a "cat to $1." cat))
"""


def enter_hosts():
    with_hosts = pathlib.Path(__file__).resolve().parent.parent / "mpi/hosts/with_hosts.sh"
    if not shutil.which("ip") or subprocess.run([with_hosts, "1", "true"], capture_output=True).returncode != 0:
        print("no hosts can be made here: that takes namespaces, ip and tc")
        sys.exit(77)
    os.execv(with_hosts, [str(with_hosts), str(HOSTS), sys.executable, *sys.argv])


def network_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        return None


class Host:
    def __init__(self, address):
        self.address = address
        self.keeper = int((pathlib.Path(os.environ["HOST_AGENT"]).parent / address).read_text())
        self.network = network_of(self.keeper)
        self.name = self.run("hostname").strip()

    def run(self, *command):
        return subprocess.run(["nsenter", "--target", str(self.keeper), "--net", "--uts", "--ipc", "--mount", *command],
                              capture_output=True, text=True).stdout

    def cable(self, state):
        self.run("ip", "link", "set", "net0", state)

    def leftovers(self):
        names = [name for name in self.run("ls", "/dev/shm").split() if "atrium" in name.lower()]
        segments = self.run("cat", "/proc/sysvipc/shm").splitlines()[1:]
        return [f"name {name} on {self.name}" for name in names] + [f"segment {line.split()[1]} on {self.name}" for line in segments]


def processes(known=()):
    """Process id -> (name, network), of all that are alive but `known`."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) not in known:
            try:
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                if state not in "ZX":
                    found[int(entry.name)] = ((entry / "comm").read_text().strip(), network_of(entry.name))
            except OSError:
                pass
    return found


def until(condition, seconds=PATIENCE_S):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
    return bool(pids)


def text_of(file):
    """All of it; the job, which writes into it, keeps its place."""
    return os.pread(file.fileno(), 1 << 24, 0).decode(errors="replace")


class Round:
    variables = {}
    struck = None  # when, where strike() itself waits for what comes of it

    def __init__(self, draw, oshrun, restless, hosts, bridge):
        self.draw, self.hosts = draw, hosts
        self.pretended = draw.random() < 0.2
        self.fault = draw.choice(ON_ONE_HOST) if self.pretended else draw.choices(list(FAULTS), FAULTS.values())[0]
        self.bridged = self.fault == "agent cut off" or draw.random() < 0.5
        self.way, self.kind = draw.choice(WAYS), draw.choice(["memfd", "posix", "sysv"])
        if self.fault == "cable cut" and self.way in ("again", "print"):
            self.way = "put"  # they send nothing through the network
        if self.fault == "pe stopped" and self.way == "again":
            self.way = "put"  # nobody waits for a PE that has left
        self.pes, self.delay = draw.randint(HOSTS, 2 * HOSTS), draw.choice([0.1, 1.0, 3.0]) * draw.random()
        self.victim, self.stopped = draw.choice(hosts[1:]), []
        agent = bridge if self.bridged else os.environ["HOST_AGENT"]
        where = ["--nodes", str(HOSTS)] if self.pretended else \
            ["--hosts", ",".join(host.address for host in hosts), "--agent", agent]
        quiet = [] if self.fault == "pe stopped" else ["-q"]  # a note names it
        self.command = [oshrun, *quiet, "-n", str(self.pes), *where, restless, self.way]

    def __str__(self):
        where = "pretended nodes" if self.pretended else "hosts, bridged" if self.bridged else "hosts"
        return f"{self.fault} on {self.victim.name} after {1000 * self.delay:.0f} ms, {where}, {self.pes} PEs, {self.way}, {self.kind}"

    def named(self, *names):
        """The job's processes of these names, on the victim."""
        network = self.hosts[0].network if self.pretended else self.victim.network
        return [pid for pid, (name, of) in processes(self.before).items() if name in names and of == network and pid != self.launcher.pid]

    def strike(self):
        """Does it; False where there was nothing to hit yet."""
        one = lambda pids: [self.draw.choice(pids)] if pids else []
        fault = self.fault
        if fault == "pe killed":
            return send(one(self.named("restless")), self.draw.choice([signal.SIGKILL, signal.SIGSEGV]))
        if fault == "pe stopped":
            self.stopped = one(self.named("restless"))
            return send(self.stopped, signal.SIGSTOP)
        if fault in ("agent killed", "agent stopped"):
            return send(self.named("oshrun"), signal.SIGKILL if fault == "agent killed" else signal.SIGSTOP)
        if fault == "host killed":
            return self.kill_host()
        if fault == "cable cut":
            self.victim.cable("down")
            return True
        if fault == "agent cut off":
            return send([pid for pid, (name, _) in processes(self.before).items() if name == "cat"], signal.SIGSTOP)
        return send([self.launcher.pid], {"launcher killed": signal.SIGKILL, "launcher stopped": signal.SIGSTOP}.get(
            fault, self.draw.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP])))

    def kill_host(self):
        """All that runs there, and what was just being started."""
        hit, end = False, time.monotonic() + 0.5
        while time.monotonic() < end:
            hit = send([pid for pid, (_, of) in processes(self.before).items() if of == self.victim.network], signal.SIGKILL) or hit
            time.sleep(0.02)
        return hit

    def complaint_while_stopped(self, errors):
        """The job waits for the PE, which then goes on or does not."""
        if not self.stopped:
            return "there was nothing to hit"
        hosts = [self.hosts[0].name] if self.pretended else [self.victim.name, self.victim.address]
        note = re.compile(rf"PE \d+ \(pid {self.stopped[0]}\) on ({'|'.join(map(re.escape, hosts))}) is stopped")
        until(lambda: self.launcher.poll() is not None or note.search(text_of(errors)))
        if self.launcher.poll() is None and not note.search(text_of(errors)):
            return "no note names the PE that is stopped"
        if self.draw.random() < 0.5:
            send(self.stopped, signal.SIGCONT)
        time.sleep(2 * self.draw.random())
        return "" if self.launcher.poll() is None else "the job did not wait for the PE that was stopped"

    def is_ended_by_user(self):
        """Here signals to the launcher are all that ends the job."""
        return self.fault in ("launcher told to end", "pe stopped")

    def alive(self):
        """Apart from a launcher that was stopped, and from pipes that were."""
        pipes_stay = self.fault in ("agent cut off", "launcher stopped")
        return {pid: name for pid, (name, _) in processes(self.before).items()
                if not (self.fault == "launcher stopped" and pid == self.launcher.pid) and not (pipes_stay and name in ("cat", "bridge"))}

    def run(self):
        self.before = set(processes())
        errors = tempfile.TemporaryFile()
        self.launcher = subprocess.Popen(
            self.command, stdout=subprocess.DEVNULL, stderr=errors, stdin=subprocess.DEVNULL,
            env={**os.environ, "ATRIUM_SEGMENT": self.kind, "SHMEM_SYMMETRIC_SIZE": "8M", **self.variables},
            preexec_fn=lambda: [signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)])  # nohup
        time.sleep(self.delay)
        hit = until(lambda: self.launcher.poll() is not None or self.strike(), 20)
        complaint = ""
        if self.fault == "pe stopped":
            complaint = self.complaint_while_stopped(errors)
            send([self.launcher.pid], signal.SIGTERM)
        begin = self.struck or time.monotonic()
        if self.is_ended_by_user() and self.way == "deaf":
            time.sleep(0.3)
            send([self.launcher.pid], signal.SIGKILL)
        ended = until(lambda: (self.launcher.poll() is not None or self.fault == "launcher stopped") and not self.alive())
        took = time.monotonic() - begin
        left = [f"process {pid} ({name})" for pid, name in self.alive().items()]
        status = self.clear()
        text = text_of(errors)
        left += [what for host in self.hosts for what in host.leftovers()]
        if left or not ended:
            complaint += f" left: {', '.join(left)}"
        return complaint or self.complaint(hit, status, text), took, text

    def clear(self):
        """What the fault itself has left in its way is taken back; then nothing may be there. The launcher's status."""
        send([self.launcher.pid], signal.SIGCONT)
        send([pid for pid, (name, _) in processes(self.before).items() if name in ("cat", "bridge")], signal.SIGCONT)
        until(lambda: self.launcher.poll() is not None and not processes(self.before), 10)
        if self.fault == "cable cut":
            self.victim.cable("up")
        send(processes(self.before), signal.SIGKILL)
        return self.launcher.wait()

    def complaint(self, hit, status, text):
        if not hit:
            return "there was nothing to hit"
        if status == 0:
            return "the job ended well"
        if self.fault == "launcher killed" or self.is_ended_by_user():
            return ""
        if self.fault == "launcher stopped":  # the agents are gone: one of them is named
            return "" if re.search(r"host [\w.]+ is lost|does not answer|has given", text) else "no host is named"
        names = [self.hosts[0].name] if self.pretended else [self.victim.name, self.victim.address]
        if self.fault == "cable cut":  # each end of a cut cable may blame the other one
            names = [name for host in self.hosts for name in (host.name, host.address)]
        if self.fault == "agent cut off":
            names = [host.address for host in self.hosts]
        return "" if any(name in text for name in names) else "the host is not named"


class LossInTree(Round):
    """A host is lost while the tree is made, or when all PEs run; its PEs do not know Atrium. Links are cut where they touch it."""
    variables = {"ATRIUM_HOST_TIMEOUT": "3"}

    def __init__(self, draw, oshrun, _restless, hosts, bridge):
        self.draw, self.hosts, self.pretended, self.bridged = draw, hosts, False, True
        self.fault = draw.choices(list(LOSSES), LOSSES.values())[0]
        self.way, self.kind, self.pes = "sleep", "memfd", len(hosts)
        self.victim, self.width = draw.choice(hosts[1:]), draw.randint(2, 5)
        self.delay = draw.choice([0.3, 1.0, 0.05 * len(hosts)]) * draw.random()
        self.command = [oshrun, "-q", "-n", str(self.pes), "--tree-width", str(self.width), "--hosts", ",".join(host.address for host in hosts),
                        "--agent", bridge, "sleep", "1000"]

    def __str__(self):
        return f"{self.fault}: {self.victim.name} ({self.victim.address}) after {1000 * self.delay:.0f} ms, width {self.width}"

    def strike(self):
        """Until the job ends: a host that is hit before it has greeted is reached anew, by the first host."""
        hit = self.strike_once()
        while hit and not until(lambda: self.launcher.poll() is not None, 15) and self.strike_once():
            pass
        return hit

    def strike_once(self):
        self.struck = time.monotonic()
        if self.fault != "host cut off":
            return super().strike()
        if not self.named("oshrun"):
            return False
        self.victim.cable("down")
        return send([pid for pid, (name, of) in processes(self.before).items() if name == "cat" and self.is_link_of_victim(pid, of)], signal.SIGSTOP)

    def is_link_of_victim(self, pid, network):
        """From whoever has started its agent, or to one that it has started itself."""
        try:
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return False
        return network == self.victim.network or f"cat to {self.victim.address}.".encode() in words

    def alive(self):
        return {pid: name for pid, (name, _) in processes(self.before).items() if not (self.fault == "host cut off" and name in ("cat", "bridge"))}

    def clear(self):
        status = super().clear()
        self.victim.cable("up")
        return status

    def complaint(self, hit, status, text):
        if not hit or status == 0:
            return super().complaint(hit, status, text)
        named = re.findall(r"host ([\w.]+) (?:is lost|does not answer|has given)|cannot start the agent on host ([\w.]+)", text)
        return "" if [one or other for one, other in named] == [self.victim.address] else "another host is named, or none"


def main():
    arguments = sys.argv[3:] if sys.argv[1:2] == ["--tree"] else sys.argv[1:]
    if len(arguments) not in (3, 4):
        print(__doc__)
        sys.exit(2)
    if "HOST_LIST" not in os.environ:
        enter_hosts()
    kind = LossInTree if sys.argv[1] == "--tree" else Round
    oshrun, restless, count = *map(os.path.abspath, arguments[:2]), int(arguments[2])
    seed = int(arguments[3]) if len(arguments) == 4 else random.SystemRandom().randrange(1 << 31)
    hosts = [Host(address) for address in os.environ["HOST_LIST"].split(",")]
    bridge = pathlib.Path(tempfile.mkdtemp()) / "bridge"
    bridge.write_text(BRIDGE.replace("AGENT", os.environ["HOST_AGENT"]))
    bridge.chmod(0o755)
    print(f"seed {seed}", flush=True)
    failures, late, slowest = 0, 0, {}
    for number in range(count):
        draw = random.Random(seed + number)
        job = kind(draw, oshrun, restless, hosts, str(bridge))
        complaint, took, text = job.run()
        late += took > LIMIT_S
        slowest[job.fault] = max(slowest.get(job.fault, 0), took)
        if complaint:
            failures += 1
            print(f"round {number} (seed {seed + number}): {job}: {complaint}\n{text}", flush=True)
        elif took > LIMIT_S:
            print(f"round {number} (seed {seed + number}): {job}: took {took:.1f} s", flush=True)
    shutil.rmtree(bridge.parent)
    print("slowest: " + ", ".join(f"{fault} {took:.1f} s" for fault, took in sorted(slowest.items())))
    print(f"{count} jobs, {failures} wrong, {late} took longer than {LIMIT_S} s")
    sys.exit(1 if failures else 0)


main()
