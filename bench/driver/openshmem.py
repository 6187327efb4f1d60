"""The OpenSHMEM libraries: ours, Debian's Open MPI where it is installed, and what --peer names."""
# SPDX-License-Identifier: BSD-3-Clause
import re
import shlex
import shutil

from driver import execute
from driver.plan import Library


def libraries(build, peers):
    """Ours first. Requires: ours has been built in the folder `build`."""
    found = [Library("atrium", "Atrium", (str(build / "bin/oshcc"),), (str(build / "bin/oshrun"),))]
    given = [peer(text) for text in peers]
    if not any(library.name == "openmpi" for library in given):
        found += open_mpi()
    return found + given


def open_mpi():
    """Without a shared UCX transport, `osc ucx` and the permissions it would crash, be slow or refuse."""
    compiler, launcher = shutil.which("oshcc.openmpi") or "/usr/bin/oshcc", shutil.which("oshrun.openmpi") or "/usr/bin/oshrun"
    version = execute.execute([compiler, "--showme:version"], 20).output.strip()
    if "Open SHMEM" not in version and "Open MPI" not in version:
        return []
    number = next((word for word in version.replace(",", " ").split() if word[0].isdigit()), "")
    return [Library("openmpi", "Open MPI", (compiler,),
                    (launcher, "--allow-run-as-root", "--oversubscribe", "--mca", "osc", "ucx"),
                    {"UCX_TLS": "posix,sysv,cma,self"}, f"Open MPI {number} (OpenSHMEM over UCX)")]


def peer(text):
    """name=compiler:launcher, either with options; the first line of `launcher --version` with a number like 1.5 is its version.

    A launcher that knows no such option may run it as a program, and print whatever it likes."""
    name, _, commands = text.partition("=")
    compiler, _, launcher = commands.partition(":")
    if not (name and compiler and launcher) or name in ("atrium", "limit"):
        raise SystemExit(f"atrium bench: --peer {text}: expected name=cc:run, as sos=/opt/sos/bin/oshcc:/opt/sos/bin/oshrun")
    run = tuple(shlex.split(launcher))
    said = execute.execute([*run, "--version"], 20).output.strip().splitlines()
    version = next((line for line in said if re.search(r"\d\.\d", line)), "")
    return Library(name, name, tuple(shlex.split(compiler)), run, {}, version)
