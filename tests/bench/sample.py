"""A small plan and results to test with."""
# SPDX-License-Identifier: BSD-3-Clause
from driver.figures import Figures, Key
from driver.limits import raw
from driver.plan import Library, Plan, Plot, Program, Rule

OURS, PEER = Library("atrium", "Atrium", ("cc",), ("run",)), Library("other", "Other <1>", ("cc",), ("run",))
LIBRARIES = [OURS, PEER]
STORE, COPY = Key("p", 8, 2), Key("put", 4096, 2)


def plan(*rules):
    return Plan("A plan", (Program("programs/p.c"),), rules, lambda build, peers: LIBRARIES, (Plot("Copies", ("put",)),),
                headlines=(("p", 8, 2),))


def results():
    """Three rounds: the machine is twice as slow in the second one, for everybody."""
    found = Figures()
    for turn, slow in enumerate((1, 2, 1)):
        for library, factor in (("atrium", 1), ("other", 10)):
            found.add(STORE, library, turn, factor * slow * 0.5, "ns")
            found.add(COPY, library, turn, 100 / factor / slow, "GB/s")
            found.add(Key("put", 65536, 2), library, turn, 50 / factor / slow, "GB/s")
    return found


def machine():
    found = Figures()
    for turn, slow in enumerate((1, 2, 1)):
        found.add(Key("store", 0, 2), "limit", turn, 0.45 * slow, "ns")
    return found


STORE_RULE = Rule("p", raw("store"), "a plain store", within=1.15, faster=5)
