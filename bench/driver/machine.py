"""Which machine this is: a name for its folder, and a description for who reads its figures."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import platform
import re

from driver import execute


def processor():
    """(vendor, model name, kind as family6model106) as the kernel tells; on other than x86 what is there."""
    facts = {}
    for line in read("/proc/cpuinfo").splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    vendor = facts.get("vendor_id", facts.get("CPU implementer", platform.machine()))
    kind = f"family{facts['cpu family']}model{facts['model']}" if "cpu family" in facts else ""
    return vendor, facts.get("model name", facts.get("CPU part", "unknown")), kind


def usable_cpus():
    return len(os.sched_getaffinity(0))


def name():
    """As amd-epyc-family26model2-2cpu. A model name without a number says too little: that of all Xeons in virtual machines."""
    _, model, kind = processor()
    model = re.sub(r"\((R|TM|C)\)|\b(CPU|Processor)\b|@.*|\b\d+-Core\b", " ", model, flags=re.I)
    words = re.findall(r"[a-z0-9+]+", model.lower())
    if not any(char.isdigit() for char in "".join(words)) and kind:
        words.append(kind)
    return "-".join([*words, f"{usable_cpus()}cpu"])


def caches():
    """As 'L1d 48 KiB, L2 1 MiB, L3 32 MiB shared by 2' of the first CPU."""
    found = []
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (read(index / part).strip() for part in ("level", "type", "size"))
        if kind != "Instruction" and size:
            sharers = count_cpus(read(index / "shared_cpu_list"))
            found.append(f"L{level}{'d' if kind == 'Data' else ''} {size}" + (f" shared by {sharers}" if sharers > 1 else ""))
    return ", ".join(found) or "unknown"


def count_cpus(ranges):
    ends = [part.split("-") for part in ranges.strip().split(",") if part]
    return sum(int(end[-1]) - int(end[0]) + 1 for end in ends)


def memory():
    found = re.search(r"MemTotal:\s+(\d+) kB", read("/proc/meminfo"))
    return f"{int(found[1]) / (1 << 20):.1f} GiB" if found else "unknown"


def commit(root):
    """The sources' commit, and whether they had been changed since."""
    head = execute.execute(["git", "-C", str(root), "rev-parse", "--short=10", "HEAD"], 20).output.strip()
    changed = execute.execute(["git", "-C", str(root), "status", "--porcelain", "--untracked-files=no"], 20).output.strip()
    return (head or "unknown") + (", changed" if changed else "")


def first_line(*command):
    return (execute.execute(command, 20).output.splitlines() or ["unknown"])[0]


def description(root, libraries, command, date):
    """(what, text) pairs."""
    vendor, model, kind = processor()
    facts = [("processor", f"{vendor} {model}" + (f", {kind}" if kind else "")),
             ("usable CPUs", str(usable_cpus())), ("caches", caches()), ("memory", memory()),
             ("kernel", f"{platform.system()} {platform.release()} {platform.machine()}"),
             ("libc", " ".join(platform.libc_ver())), ("compiler", first_line("cc", "--version")),
             ("huge pages", f"{chosen('enabled')}; shared memory: {chosen('shmem_enabled')}")]
    facts += [(library.label, library.version) for library in libraries if library.version]
    return facts + [("commit", commit(root)), ("command", command), ("date", date)]


def chosen(setting):
    """The word in brackets of a setting for transparent huge pages."""
    found = re.search(r"\[(\w+)\]", read(f"/sys/kernel/mm/transparent_hugepage/{setting}"))
    return found[1] if found else "unknown"


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
