"""The five works that Atrium stands on (docs/lineage.md), one plan for each: ./atrium bench papers [posh shnode mpi+mpi 2decomp ring]."""
# SPDX-License-Identifier: BSD-3-Clause

PLANS = {"posh": "paper_posh", "shnode": "shnode", "mpi+mpi": "paper_mpi", "2decomp": "paper_2decomp", "ring": "paper_ring"}
