"""A place of one's own, and what is left in it: namespaces of processes, IPC and mounts, so that what is killed there is
nobody else's, and what is left behind is seen."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import time

SPACES = ["unshare", "--mount", "--pid", "--ipc", "--fork", "--mount-proc", "--kill-child"]


def enter(arguments):
    """Runs this program again, with --inside and these arguments, in a place of its own; never returns."""
    if subprocess.run([*SPACES, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("no namespaces here")
        sys.exit(77)
    command = [sys.executable, sys.argv[0], "--inside", *arguments]
    paths = [os.path.realpath(path) for path in command if os.path.exists(path)]
    kept = {"/".join(path.split("/")[:3]) for path in paths if path.startswith("/tmp/")}
    # Why kallsyms: tests/without_kernel_symbols.sh.
    steps = ["mount -t tmpfs tmpfs /dev/shm", "mount -t tmpfs tmpfs /tmp", "{ mount --bind /dev/null /proc/kallsyms || true; }"]
    for number, place in enumerate(map(shlex.quote, sorted(kept)), start=3):  # who has cloned Atrium there
        steps.insert(0, f"exec {number}<{place}")
        steps.append(f"mkdir {place} && mount --no-canonicalize --bind /proc/self/fd/{number} {place} && exec {number}<&-")
    sys.exit(subprocess.call([*SPACES, "sh", "-c", " && ".join([*steps, 'exec "$@"']), "sh", *command]))


def processes():
    """Process id -> name, of all processes of this namespace but this one."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                if state != "Z":
                    found[int(entry.name)] = (entry / "comm").read_text().strip()
            except OSError:
                pass
    return found


def reap():
    """This process is the init of its namespace: orphans are its children."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def sysv_segments():
    return [line.split()[1] for line in pathlib.Path("/proc/sysvipc/shm").read_text().splitlines()[1:]]


def leftovers(before):
    names = [str(path) for folder in ("/dev/shm", "/tmp") for path in pathlib.Path(folder).glob("*")
             if "atrium" in path.name.lower() and not path.is_mount()]
    alive = {pid: name for pid, name in processes().items() if pid not in before}
    return [f"process {pid} ({name})" for pid, name in alive.items()] + \
        [f"name {name}" for name in names] + [f"segment {number}" for number in sysv_segments()]


def until(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        reap()
        if condition():
            return True
        time.sleep(0.01)
    return condition()


def send(pid, number):
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False


def clear(before):
    """What a failed round has left must not count against the next one."""
    for pid in set(processes()) - before:
        send(pid, signal.SIGKILL)
    until(lambda: not set(processes()) - before, 5)
    for number in sysv_segments():
        subprocess.run(["ipcrm", "-m", number], check=False)
    for name in pathlib.Path("/dev/shm").glob("*"):
        name.unlink()
