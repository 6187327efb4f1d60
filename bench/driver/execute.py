"""Runs a command to its end or kills it and all its children; what went wrong is one line."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses
import os
import signal
import subprocess


@dataclasses.dataclass(frozen=True)
class Outcome:
    output: str
    failure: str        # empty: it worked
    errors: str = ""    # what it printed on standard error, when it ended by itself
    timed_out: bool = False


def execute(command, timeout_s, environment=None, folder=None):
    """In the folder where we are, if no other is named."""
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, errors="replace", start_new_session=True, cwd=folder,
                                   env={**os.environ, **(environment or {})})
    except OSError as error:
        return Outcome("", f"cannot start {command[0]}: {error.strerror}")
    try:
        output, errors = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return Outcome(end(process), f"still running after {timeout_s:g} s", timed_out=True)
    except BaseException:
        end(process)
        raise
    return Outcome(output, explain(process.returncode, errors), errors)


def end(process):
    """Ends its session, politely and then not: a launcher given no second would leave its PEs behind."""
    for how, patience_s in ((signal.SIGTERM, 3), (signal.SIGKILL, 10)):
        try:
            os.killpg(process.pid, how)
        except ProcessLookupError:
            pass
        try:
            return process.communicate(timeout=patience_s)[0] or ""
        except subprocess.TimeoutExpired:
            continue
    return ""


def explain(status, errors):
    if status == 0:
        return ""
    words = [line.strip() for line in errors.splitlines() if line.strip(" -\t")]
    how = f"signal {-status}" if status < 0 else f"status {status}"
    return f"ended with {how}" + (f": {words[0][:160]}" if words else "")
