"""What a program may write, for a checker of types; it runs as well, on any number of PEs."""
# SPDX-License-Identifier: BSD-3-Clause
import atrium
import numpy

atrium.init()
me: int = atrium.my_pe()
first = numpy.int64(0)
with atrium.zeros(range(2, 4), int) as field, atrium.zeros(first + 4) as line, atrium.zeros((), "u8") as signal:
    field.on(first)[0, 0] = 2
    atrium.put(field[0], [1, 2, 3], first)
    received = atrium.get(field, me, out=numpy.empty((2, 3), int))
    old: int = atrium.atomic_fetch_add(field, 1, me, (first + 1, 1))
    atrium.put_signal(line, 1.5, signal, first + 1, me)
    seen: int = atrium.signal_wait_until(signal, atrium.CMP_GE, 1)
    atrium.broadcast(line[:2], line[2:], first)
    team = atrium.WORLD.split_strided(first, 1, 1)
    if team is not None:
        with team:
            atrium.sum_reduce(line, team=team)
    atrium.barrier_all()
    assert received.shape == field.shape and (old, seen) == (0, 1)
