#!/usr/bin/env python3
"""Each command takes the options that its --help and its manual page name, and both name each option that it takes.

usage: options.py SOURCES BIN      (BIN: the folder of the programs)
"""
# SPDX-License-Identifier: BSD-3-Clause
import re
import subprocess
import sys
from pathlib import Path

sources, programs = (Path(word).resolve() for word in sys.argv[1:3])
OPTION = r"(?<![\w=-])--?[A-Za-z1][\w-]*"


def text(file):
    return (sources / file).read_text()


def helped(command):
    """The options of the synopsis and of the lines that begin with one."""
    said = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"^(?:usage:|       +(?:atrium|\./atrium)).*|^  +-[^ ].*?(?=   |$)", said, re.M)
    return set(re.findall(OPTION, "\n".join(lines)))


def manual(page):
    """The options of the synopsis, and of the tags of a list."""
    roff = re.sub(r"\\f.|\\(?=-)", "", text(f"docs/man/{page}.1"))
    synopsis = re.search(r"^\.SH SYNOPSIS\n(.*?)^\.SH", roff, re.M | re.S)[1]
    tags = re.findall(r"^\.T[PQ]\n((?:.*\\\n)?.*)", roff, re.M)
    return set(re.findall(OPTION, re.sub(r'[,"\[\]]', " ", synopsis + "\n".join(tags))))


def cases(file):
    """The options of a shell script that act on it. The wrappers only look at others, which are the compiler's."""
    acts = r"continue|exit|show_part|-DATRIUM|\b(show|static|mpi)="
    rows = re.findall(r"^    (-[^)\n]*)\)(.*);;", text(file), re.M)
    return {option for patterns, action in rows if re.search(acts, action)
            for option in re.findall(OPTION, patterns.replace("|", " "))}


def flags(file):
    """The rows of a table of oshrun's flags, each a set of spellings with one dash and with two."""
    for names in re.findall(r'^    \{"([A-Za-z -]+)", ', text(file), re.M):
        yield from ({"-" + name, "--" + name} for name in names.split())


def faults_of(name, taken, said, where):
    for option in sorted(taken - said):
        yield f"{name} takes {option}, which {where} does not name"
    for option in sorted(said - taken):
        yield f"{where} names {option}, which {name} does not take"


def faults_of_oshrun():
    said, page = helped([programs / "oshrun"]), manual("oshrun")
    whole = set(re.findall(OPTION, re.sub(r'[,"]', " ", re.sub(r"\\(?=-)", "", text("docs/man/oshrun.1")))))
    own, foreign = list(flags("launch/cli/flags.cpp")), list(flags("launch/cli/foreign.cpp"))
    assert own and foreign
    known = set().union(*own, *foreign)
    for spellings in own:
        if not spellings & said:
            yield f"oshrun --help lacks {max(spellings)}"
    for spellings in own + foreign:
        if not spellings & whole:
            yield f"oshrun(1) lacks {max(spellings)}"
    for option in sorted((said | page) - known):
        yield f"{option} is in the help or the manual, and oshrun does not take it"


def faults_of_commands():
    strings = lambda file: set(re.findall(r'"(--?[A-Za-z][a-z-]*)"', text(file))) - {"--as-host", "--as-pes"}
    taken = {
        "oshcc": cases("wrappers/oshcc.in"),
        "oshfort": cases("wrappers/oshcc.in") - {"--no-inline"},
        "atrium-mpi": cases("mpi/command/atrium-mpi.in"),
        "atrium-info": strings("tools/atrium-info/main.cpp"),
        "atrium-top": {"-1", "-d", "-h", "--help", "-V", "--version"},
    }
    letters = re.search(r'getopt_long\(argc, argv, "([^"]*)"', text("tools/atrium-top/main.cpp"))[1]
    if set(letters) - {":"} != {"1", "d", "h", "V"}:
        yield "atrium-top takes other letters than this test knows"
    for name, options in taken.items():
        assert options, name
        if not (programs / name).exists():
            continue  # without a Fortran compiler, without an MPI
        # Spellings of one option that the page has and a short text need not.
        rare = {"--show", "-showme"} if name.startswith("osh") else set()
        yield from faults_of(name, options - rare, helped([programs / name]) - rare, "its help")
        yield from faults_of(name, options, manual(name), "its manual page")


def faults_of_showme():
    parts = re.search(r"^show_part\(\) \{\n(.*?)^\}", text("wrappers/oshcc.in"), re.M | re.S)[1]
    for part in re.findall(r"^    ([a-z]+)(?: \| [a-z]+=\*)?\) ", parts, re.M):
        for name in ["oshfort"] if part == "modules" else ["oshcc", "oshfort"]:
            said = (programs / name).exists() and subprocess.run([programs / name, "--help"], capture_output=True, text=True).stdout
            for where, words in (f"{name} --help", said), (f"{name}(1)", text(f"docs/man/{name}.1")):
                if words and not re.search(rf"\b{part}\b", words):
                    yield f"{where} lacks --showme:{part}"


def faults_of_the_door():
    said = helped([sources / "atrium", "sim"])
    taken = set(re.findall(r'"(--[a-z]+)"', text("sim/options.cpp")))
    yield from faults_of("./atrium sim", taken, said - {"--help"}, "its help")
    said = helped([sources / "atrium", "demo"])
    taken = set(re.findall(r'"(--[a-z-]+)"', text("examples/heat/options.c"))) - {"--help"}
    yield from faults_of("./atrium demo", taken, said, "its help")
    said = helped([sources / "atrium", "test"])
    patterns = re.findall(r"^      (--[^)\n]*)\)", text("tools/door/test.sh"), re.M)
    yield from faults_of("./atrium test", set(re.findall(r"--[a-z]+", " ".join(patterns))), said, "its help")
    door = subprocess.run([sources / "atrium", "--help"], capture_output=True, text=True, check=True).stdout
    for command in re.search(r"^commands='(.*)'", text("atrium"), re.M)[1].split():
        if not re.search(rf"^  {command}\b", door, re.M):
            yield f"./atrium --help lacks {command}"
        if f"usage: ./atrium {command}" not in subprocess.run(
                [sources / "atrium", command, "--help"], capture_output=True, text=True, check=True).stdout:
            yield f"./atrium {command} --help does not begin with its usage"


found = [*faults_of_oshrun(), *faults_of_commands(), *faults_of_showme(), *faults_of_the_door()]
print("\n".join(found))
sys.exit(1 if found else 0)
