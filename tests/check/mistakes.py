"""Makes each typical mistake of mistakes.c in four settings, and compares what is said with the manual's table.

usage: mistakes.py OSHCC OSHRUN mistakes.c docs/mistakes.md [--write | --only NAME]
  --write makes every cell anew, those of Open MPI, too. Without it a cell is left out where the page has the same in another of
  its row and both come from one mechanism, as -O0 and --check look at arguments alike; of each column some are made anyway.
"""
# SPDX-License-Identifier: BSD-3-Clause
import concurrent.futures
import ctypes.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SETTINGS = (
    ("default", "-O2", []),
    ("`-O0`", "-O0", []),
    ("`--check`", "-O2", ["--check"]),
    ("`--nodes 2`", "-O2", ["--nodes", "2"]),
)
PEER = "Open MPI 4.1"
SILENT, NOT_THERE, WAITS, TOLD, CRASH, SAME = "nothing", "-", "waits", "told", "crash", "same"
STATUS_DEADLOCK = 35
HEAD = """# Typical mistakes and their messages

Each row is a program with one mistake, run with two PEs. Its cells have the exit status of `oshrun` and the first line of its message (`1: dest is
not in symmetric memory`). For a program compiled with `-g`, messages also name the routine and the line.

- `default` is a program compiled with `-O2`. `-O0` is the same program without optimisation; its arguments are checked without any option. `--check`
  and `--nodes 2` are options of `oshrun`.
- *nothing*: in this setting nothing reports the mistake.
- *waits*: the job goes on waiting. After five seconds `oshrun` reports which PE waits where and for whom; the table has the first line of that
  report. `--check` ends such a job with status 35.
- *same*: as in the column to the left.
- The last column is Open MPI's `oshcc` and `oshrun`: *told* (a message), *crash* (a signal and no message), *waits* (for ever) or *nothing*; *-*
  where Open MPI has no such routine.

By default nothing reports a put to a block of the PE's own `malloc`; Open MPI and Sandia's OpenSHMEM over UCX do. A put to oneself is a plain store
to the given address, which is valid memory of the program. `--check` and `-O0` check the address and report it.

`tests/check/mistakes.py` runs these programs and compares the messages with this page; with `--write` it writes the page.
"""
# What cannot be told without a look at the address, for the reason that HEAD gives.
SILENT_BY_DEFAULT = {"put to one's own malloc"}


def sections(source):
    """{title: [mistake]}: mistakes.c has the titles in comments."""
    parts = re.split(r"/\* In the manual: (.*) \*/", source)[1:]
    return {title: re.findall(r'!strcmp\((?:way|argv\[1\]), "([^"]+)"\)', text) for title, text in zip(parts[::2], parts[1::2])}


def first_words(text):
    first = next((line for line in text.splitlines() if line.startswith("atrium: ")), "")
    said = re.sub(r"^atrium: (PE \d+ on [^:]*: |oshrun: )?", "", first)
    said = re.sub(r"0x[0-9a-f]+|(?<=signal 11 at address )0\b", "ADDRESS", said)
    said = re.sub(r"mistakes\.c:\d+", "mistakes.c", said)
    return re.sub(r"PE \d+ \(pid \d+\) on \S+", "a PE", said)


def run(oshrun, options, program, way, waits):
    """A job in which all wait is ended here, too. `waits`: so it will be, and its PEs sleep until then."""
    ending = [] if "--check" in options else ["--check=deadlock"]
    job = [oshrun, "-q", "-n", "2", "--timeout", "60", *options, *ending, program, way]
    environment = {**os.environ, "ATRIUM_DEADLOCK": "1", **({"ATRIUM_WAIT": "block"} if waits else {})}
    ended = subprocess.run(job, capture_output=True, text=True, check=False, timeout=200, env=environment)
    said = first_words(ended.stderr)
    if ended.returncode == STATUS_DEADLOCK and "--check" not in options:
        return f"{WAITS}: {said}"
    return SILENT if ended.returncode == 0 and not said else f"{ended.returncode}: {said or 'no message'}"


def run_peer(program, way):
    """Whether Open MPI says it by an error of its own, or crashes. Where both PEs have come to shmem_finalize it has seen nothing: in
    some installations right programs crash there, too. What a job that crashes leaves of its memory lies beside the program."""
    folder = os.path.dirname(program)
    environment = {**os.environ, "OMPI_MCA_btl_vader_backing_directory": folder, "OMPI_MCA_orte_tmpdir_base": folder}
    job = ["/usr/bin/oshrun", "--allow-run-as-root", "--oversubscribe", "-n", "2", program, way]
    try:
        ended = subprocess.run(job, capture_output=True, text=True, check=False, timeout=20, errors="replace", env=environment)
    except subprocess.TimeoutExpired:
        return WAITS
    if "mistakes: absent" in ended.stderr:
        return NOT_THERE
    if ended.returncode == 0 or ended.stderr.count("mistakes: finalize") == 2:
        return SILENT
    if re.search(r"\] ?(?:Error: \S+ - \S+\s+)?(?:Required|Target|SHMEM is|Requested)", ended.stderr):
        return TOLD
    return CRASH if re.search(r"[Ss]ignal:? .*?\d+", ended.stderr) else f"status {ended.returncode}"


def is_wait(told):
    return told.startswith((f"{WAITS}:", f"{STATUS_DEADLOCK}:"))


def has_published_peer():
    """Whether this system has the peer of the page: with another version its column would be another one."""
    if not (shutil.which("/usr/bin/oshcc") and shutil.which("/usr/bin/oshrun")):
        return False
    version = subprocess.run(["/usr/bin/oshrun", "--version"], capture_output=True, text=True).stdout
    return " " + PEER.removeprefix("Open MPI ") in version


class Programs:
    def __init__(self, folder, oshcc, source):
        self.levels = {level: os.path.join(folder, "mistakes" + level) for level in ("-O0", "-O2")}
        for level, program in self.levels.items():
            subprocess.run([oshcc, "-g", "-w", level, str(source), "-o", program, "-pthread"], check=True)
        self.peer = None
        if has_published_peer():
            self.peer = os.path.join(folder, "peer")
            subprocess.run(["/usr/bin/oshcc", "-g", "-w", str(source), "-o", self.peer, "-pthread"], check=True)


def rows_of(page):
    lines = [line for line in page.read_text().splitlines() if line.startswith("| ") and not line.startswith(("| mistake |", "| --- "))]
    rows = {}
    for line in lines:
        way, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[way] = [next(said for said in reversed(cells[:i + 1]) if said != SAME) for i in range(len(cells))]
    return rows


def row(way, cells):
    ours = len(SETTINGS)
    shown = [SAME if 0 < i < ours and cell == cells[i - 1] else cell for i, cell in enumerate(cells)]
    return f"| {way} | " + " | ".join(shown) + " |"


def is_told_by_its_neighbour(known, setting):
    """That a cell needs no run of its own. Some of each column are run anyway."""
    if not known:
        return False
    unchecked, unoptimised, checked, of_nodes = known[:4]
    return (setting == 1 and unoptimised == checked) or (setting == 2 and checked == unchecked) or \
        (setting == 3 and of_nodes == unchecked)


def is_sample(place):
    return place % 10 == 0


def cell(task):
    oshrun, programs, way, setting, known = task
    if setting == len(SETTINGS):
        return run_peer(programs.peer, way)
    _, level, options = SETTINGS[setting]
    waits = bool(known) and is_wait(known[setting])
    return run(oshrun, options, programs.levels[level], way, waits)


def make(oshrun, programs, ways, known, everything):
    """{(way, setting): cell} of those that are run; one job for each CPU at a time, and those that wait beside them."""
    columns = len(SETTINGS) + (1 if everything and programs.peer else 0)
    tasks = [(oshrun, programs, way, setting, known.get(way)) for place, way in enumerate(ways) for setting in range(columns)
             if everything or is_sample(place) or not is_told_by_its_neighbour(known.get(way), setting)]
    tasks.sort(key=lambda task: not (task[4] and is_wait("".join(task[4][task[3]:task[3] + 1]))))
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)) + 2) as pool:
        return {(task[2], task[3]): made for task, made in zip(tasks, pool.map(cell, tasks))}


def is_heard(told):
    return told not in (SILENT, NOT_THERE, WAITS)


def silent_where_a_peer_speaks(rows):
    return [way for way, cells in rows.items() if way not in SILENT_BY_DEFAULT and len(cells) > len(SETTINGS)
            and is_heard(cells[-1]) and not is_heard(cells[0])]


def write(page, parts, made, peer):
    titles = [title for title, _, _ in SETTINGS] + ([PEER] if peer else [])
    lines = []
    for title, ways in parts.items():
        lines += ["", f"## {title}", "", "| mistake | " + " | ".join(titles) + " |", "| --- " * (len(titles) + 1) + "|"]
        lines += [row(way, [made[way, setting] for setting in range(len(titles))]) for way in ways]
    page.write_text(HEAD + "\n".join(lines) + "\n")


def compare(ways, made, known):
    wrong = 0
    for (way, setting), told in made.items():
        expected = known[way][setting] if way in known else "no such row"
        if told != expected:
            wrong += 1
            print(f"{way}, {SETTINGS[setting][0]}:\n  the page has: {expected}\n  it is:        {told}")
    if list(known) != ways:
        wrong += 1
        print("the page has other rows than mistakes.c: run with --write")
    return wrong


def main():
    if not ctypes.util.find_library("dw"):
        print("libdw1 is not installed: lines are not known")
        return 77
    oshcc, oshrun, source, page = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    mode = sys.argv[5] if len(sys.argv) > 5 else ""
    parts = sections(source.read_text())
    ways = sys.argv[6:7] if mode == "--only" else [way for names in parts.values() for way in names]
    known = rows_of(page) if page.exists() and mode != "--only" else {}
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(folder, oshcc, source)
        made = make(oshrun, programs, ways, known, bool(mode))
    if mode == "--only":
        print("\n".join(made.values()))
        return 0
    if mode == "--write":
        write(page, parts, made, programs.peer)
    silent = silent_where_a_peer_speaks(rows_of(page))
    if silent:
        print(f"{PEER} tells these, and Atrium is silent: {', '.join(silent)}")
    return 1 if silent or (not mode and compare(ways, made, known)) else 0


if __name__ == "__main__":
    sys.exit(main())
