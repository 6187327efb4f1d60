"""Figures 4 to 6 of MPI+MPI: the stencil, the preconditioner and the table on node windows."""
# SPDX-License-Identifier: BSD-3-Clause
from driver.plan import Plan, Published
from plans import windows

PUBLISHED = (
    *(Published(f"figure 6a, communication, 2 ranks, by {way}", "40 to 70 % of messages', 60 % in the mean", f"heat2d.left.{way}", 40, 70, pes=(2,))
      for way in ("fence", "flags")),
    *(Published(f"figure 6b, computation, parts on pages of their own, 2 ranks, by {way}", "up to 101.7 % of messages'", f"heat2d.compute_left.{way}", 101.7,
                pes=(2,)) for way in ("fence", "flags")),
    *(Published(f"figure 6b, computation, contiguous parts, 2 ranks, by {way}", "up to 108 % of messages'", f"heat2d.compute_left.contiguous.{way}", 108,
                pes=(2,)) for way in ("fence", "flags")),
    Published("figure 4, iterations, each rank's subdomain, 256 × 256 × 1024", "a rising curve", "cg.iterations.subdomain"),
    Published("figure 4, iterations, the node's whole domain", "a flat curve", "cg.iterations.node"),
    *(Published(f"section 5.3, the stencil's communication, mean saving, 2 ranks, by {way}", "40 % saved: 60 % of messages'", f"heat2d.left.{way}", 60, pes=(2,),
                mean=True) for way in ("fence", "flags")),
    Published("section 5.2, the table, memory on the node", "one copy in place of one per process", "ensemble.memory.one"),
    Published("section 5.2, the table, a private copy per process", "one per process", "ensemble.memory.private"),
    Published("figure 5, windows in place of MPI with OpenMP, an evaluation", "a listing: no critical sections", "ensemble.evaluation.one",
              against="ensemble.evaluation.threads"),
    Published("figure 5, windows in place of a table per process, an evaluation", "a listing", "ensemble.evaluation.one",
              against="ensemble.evaluation.private"),
)
PLAN = Plan("MPI+MPI's figures on this machine", (*windows.HEAT2D, *map(windows.contiguous, windows.HEAT2D), windows.CG, windows.ENSEMBLE),
            windows.RULES, windows.libraries, windows.PLOTS, notes=windows.NOTES, beside=("heat2d.*.least",),
            source="T. Hoefler and others: MPI + MPI, Computing 95 (2013), doi:10.1007/s00607-013-0324-2.", published=PUBLISHED)
