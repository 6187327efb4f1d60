"""A plate, its rows shared among the PEs, with numpy arrays in the symmetric heap: oshrun -n 4 python halo.py

Needs shmem4py (docs/howto/python.md). PE 0 compares with the plate computed in one piece.
"""
# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
from shmem4py import shmem

ROWS, COLUMNS, STEPS = 24, 32, 100


def relax(field):
    """One step of the inner rows; the plate is a torus."""
    inner = field[1:-1]
    sides = np.roll(inner, 1, axis=1) + np.roll(inner, -1, axis=1)
    return 0.25 * (field[:-2] + field[2:] + sides)


def initial(first, rows):
    return np.fromfunction(lambda i, j: np.sin(i + first) * np.cos(j), (rows, COLUMNS))


def in_one_piece():
    field = initial(0, ROWS)
    for _ in range(STEPS):
        field = relax(np.vstack([field[-1:], field, field[:1]]))
    return field


def main():
    me, pes = shmem.my_pe(), shmem.n_pes()
    if ROWS % pes:
        raise SystemExit(f"{ROWS} rows cannot be shared among {pes} PEs: try 1, 2, 3 or 4")
    rows = ROWS // pes
    field = shmem.zeros((rows + 2, COLUMNS), dtype=float)
    field[1:-1] = initial(me * rows, rows)
    shmem.barrier_all()
    for _ in range(STEPS):
        shmem.put(field[0], field[rows], (me + 1) % pes)  # my last row is the next one's first ghost
        shmem.put(field[rows + 1], field[1], (me - 1) % pes)
        shmem.barrier_all()
        field[1:-1] = relax(field)
        shmem.barrier_all()
    mine = np.abs(field[1:-1] - in_one_piece()[me * rows:(me + 1) * rows]).max()
    print(f"PE {me}: largest difference to the plate in one piece {mine:.1e}")
    assert mine < 1e-12
    shmem.barrier_all()


main()
