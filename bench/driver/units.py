"""Units: which are the same quantity, which way is better, and how a person writes them."""
# SPDX-License-Identifier: BSD-3-Clause

# unit -> (base unit, factor)
SCALES = {
    "ns": ("ns", 1), "us": ("ns", 1e3), "ms": ("ns", 1e6), "s": ("ns", 1e9),
    "B": ("B", 1), "KiB": ("B", 1 << 10), "MiB": ("B", 1 << 20),
    "B/s": ("GB/s", 1e-9), "MB/s": ("GB/s", 1e-3), "GB/s": ("GB/s", 1),
    "op/s": ("Mop/s", 1e-6), "Kop/s": ("Mop/s", 1e-3), "Mop/s": ("Mop/s", 1), "Gop/s": ("Mop/s", 1e3),
}

# base unit -> what a person reads larger and smaller values in, from the largest
READ_IN = {
    "ns": (("s", 1e9), ("ms", 1e6), ("µs", 1e3)),
    "B": (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)),
    "Mop/s": (("Mop/s", 1), ("Kop/s", 1e-3), ("op/s", 1e-6)),
}


def to_base(value, unit):
    """(value, unit) in the base unit; an unknown unit is its own base."""
    base, factor = SCALES.get(unit, (unit, 1))
    return value * factor, base


def more_is_better(unit):
    return unit.endswith("/s") or unit == "times"


def faster(ours, theirs, unit):
    """How many times as good ours is as theirs; for memory, how many times as small."""
    better, worse = (ours, theirs) if more_is_better(unit) else (theirs, ours)
    return better / worse if worse > 0 else None


def show(value, unit):
    """A value in its base unit as a person would write it."""
    if value is None:
        return "-"
    for name, factor in READ_IN.get(unit, ()):
        if value >= factor:
            return f"{digits(value / factor)} {name}"
    if unit == "times":
        return show_ratio(value)
    return f"{value:g} {unit}" if unit == "iterations" else f"{digits(value)} {unit}"


def digits(value):
    """Three significant digits, without an exponent."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def show_bytes(count):
    """1048576 -> 1 MiB; 0 -> nothing, since such a figure has no size."""
    if not count:
        return ""
    for name, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= factor and count % (factor // 4 if factor > 1024 else factor) == 0:
            return f"{count / factor:g} {name}"
    return f"{count} B"


def show_ratio(ratio):
    if ratio is None:
        return "-"
    return f"{ratio:.0f} ×" if ratio >= 100 else f"{ratio:.1f} ×" if ratio >= 10 else f"{ratio:.2f} ×"
