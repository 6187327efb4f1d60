"""A rod that is hot at one end, cut into as many pieces as there are PEs: oshrun -n 4 python heat.py

Each PE keeps its piece with a ghost cell at either end; after each step it puts its outermost cells into its
neighbours' ghosts. PE 0 compares the result with the rod computed in one piece.
"""
# SPDX-License-Identifier: BSD-3-Clause
import numpy

import atrium

CELLS, STEPS, HOT = 64, 400, 100.0


def step(rod):
    """One time step on all cells but the two ghosts."""
    rod[1:-1] += 0.25 * (rod[:-2] - 2 * rod[1:-1] + rod[2:])


def in_one_piece():
    rod = numpy.zeros(CELLS + 2)
    rod[0] = HOT
    for _ in range(STEPS):
        step(rod)
    return rod[1:-1]


def in_pieces(me, pes):
    piece = atrium.zeros(CELLS // pes + 2)
    if me == 0:
        piece[0] = HOT
    for _ in range(STEPS):
        step(piece)
        atrium.barrier_all()  # nobody reads ghosts any more
        if me > 0:
            atrium.put(piece[-1:], piece[1], me - 1)
        if me < pes - 1:
            atrium.put(piece[:1], piece[-2], me + 1)
        atrium.barrier_all()  # the ghosts are there
    return piece


def main():
    atrium.init()
    me, pes = atrium.my_pe(), atrium.n_pes()
    if CELLS % pes:
        raise SystemExit(f"{CELLS} cells cannot be shared among {pes} PEs: try 1, 2, 4 or 8")
    piece = in_pieces(me, pes)
    if me == 0:
        rod = numpy.concatenate([atrium.get(piece[1:-1], pe) for pe in range(pes)])
        good = numpy.array_equal(rod, in_one_piece())
        print(f"{pes} PEs, {STEPS} steps, middle {rod[CELLS // 2]:.4f}: {'equals' if good else 'DIFFERS FROM'} the rod in one piece")
    atrium.barrier_all()
    atrium.finalize()


main()
