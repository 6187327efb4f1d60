"""A rod that is hot at one end, cut into as many pieces as there are PEs: oshrun -n 4 python heat.py

Each PE keeps its piece with a ghost cell at either end; after each step it puts its outermost cells into its
neighbours' ghosts. PE 0 compares the result with the rod computed in one piece.
"""
# SPDX-License-Identifier: BSD-3-Clause
import atrium

CELLS, STEPS, HOT = 64, 400, 100.0


def step(rod, length):
    """One time step on cells 1 to length, between two ghosts."""
    return [rod[i] + 0.25 * (rod[i - 1] - 2 * rod[i] + rod[i + 1]) for i in range(1, length + 1)]


def in_one_piece():
    rod = [HOT] + [0.0] * (CELLS + 1)
    for _ in range(STEPS):
        rod[1:CELLS + 1] = step(rod, CELLS)
    return rod[1:CELLS + 1]


def in_pieces(me, pes):
    mine = CELLS // pes
    piece = atrium.array("d", mine + 2)
    if me == 0:
        piece[0] = HOT
    for _ in range(STEPS):
        piece[1:mine + 1] = step(piece, mine)
        atrium.barrier_all()  # nobody reads ghosts any more
        if me > 0:
            atrium.put(piece, mine + 1, [piece[1]], me - 1)
        if me < pes - 1:
            atrium.put(piece, 0, [piece[mine]], me + 1)
        atrium.barrier_all()  # the ghosts are there
    return piece


def main():
    atrium.init()
    me, pes = atrium.my_pe(), atrium.n_pes()
    if CELLS % pes:
        raise SystemExit(f"{CELLS} cells cannot be shared among {pes} PEs: try 1, 2, 4 or 8")
    piece = in_pieces(me, pes)
    if me == 0:
        mine = CELLS // pes
        rod = [cell for pe in range(pes) for cell in atrium.get(piece, 1, mine, pe)]
        good = rod == in_one_piece()
        print(f"{pes} PEs, {STEPS} steps, middle {rod[CELLS // 2]:.4f}: {'equals' if good else 'DIFFERS FROM'} the rod in one piece")
    atrium.barrier_all()
    atrium.finalize()


main()
