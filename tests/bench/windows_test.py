"""What the programs of node windows and the all-to-all print is read."""
# SPDX-License-Identifier: BSD-3-Clause
import unittest

from plans import mpi, paper_2decomp, paper_ring, windows

HEAT2D = """heat2d: 100 x 100 cells, 2 ranks, 20 steps, median of 3
                  exchange us    saved   compute us   ratio      step us
messages                 8.00     0.0%        10.00   1.000       267.82  same bits
window + fence           4.00    50.0%         9.95   0.995       163.99  same bits
window + flags           2.00    75.0%        10.36   1.036        36.24  same bits
least, by hand          10.00   -25.0%        10.42   1.042       200.18  
nothing                  0.00   100.0%         9.50   0.882       154.84  
"""
RING = """ring: 2 ranks, 100000 elements each, 4 rounds
 1 threads: messages    0.167 s, window    0.031 s, ratio  5.43, same bits
    memory node 0: 2 parts, 0.002 s in the loops over each
 2 threads: messages    1.000 s, window    0.250 s, ratio  4.00, same bits
"""
CG = """cg: 16 x 16 x 16, 2 ranks
messages, each rank's subdomain      25 iterations, residual 3.6e-10,    0.119 s,   74 levels
window, the node's whole domain      19 iterations, residual 9.8e-10,    0.271 s,  106 levels
one rank                             19 iterations
"""
ENSEMBLE = """ensemble: 2 ranks, seed 1, a table of 0.8 MiB
private copies   energy 0.6031678938634456,     10000 evaluations/s,      1.9 MiB on the node
one per node     energy 0.6031678938634456,     20000 evaluations/s,      1.0 MiB on the node
threads          energy 0.6031678938634456,     40000 evaluations/s,      1.5 MiB on the node
same bits
"""


def figures(reader, output):
    return {(measure, size): (value, unit) for measure, size, value, unit in reader(output)}


class WindowsTest(unittest.TestCase):
    def test_halos_are_known_by_their_bytes_and_compared_with_messages(self):
        read = figures(windows.read_heat2d, HEAT2D)
        self.assertEqual(read["heat2d.exchange.messages", 800], (8.0, "us"))
        self.assertEqual(read["heat2d.left.fence", 800], (50.0, "%"))
        self.assertEqual(read["heat2d.left.flags", 800][0], 25.0)
        self.assertEqual(read["heat2d.left.least", 800][0], 125.0)
        self.assertAlmostEqual(read["heat2d.compute_left.flags", 800][0], 103.6)
        self.assertFalse([measure for measure, _ in read if "nothing" in measure])

    def test_of_contiguous_parts_computation_counts_and_no_figure_is_taken_for_another_layouts(self):
        read = figures(windows.read_contiguous, HEAT2D)
        self.assertEqual({measure for measure, _ in read}, {f"heat2d.compute_left.contiguous.{way}" for way in ("fence", "flags", "least")})
        self.assertAlmostEqual(read["heat2d.compute_left.contiguous.flags", 800][0], 103.6)
        program = windows.contiguous(windows.HEAT2D[0])
        self.assertEqual(program.arguments[-2:], ("--layout", "contiguous"))
        self.assertEqual(program.quick_arguments[-2:], ("--layout", "contiguous"))

    def test_of_the_ring_the_most_threads_count(self):
        read = figures(windows.read_ring, RING)
        self.assertEqual(read, {("ring.messages", 800000): (1.0, "s"), ("ring.window", 800000): (0.25, "s"), ("ring.gain", 800000): (4.0, "times")})

    def test_iterations_are_those_of_both_preconditioners(self):
        read = figures(windows.read_cg, CG)
        self.assertEqual((read["cg.iterations.subdomain", 0], read["cg.iterations.node", 0]), ((25, "iterations"), (19, "iterations")))

    def test_a_table_has_its_memory_and_the_time_of_an_evaluation(self):
        read = figures(windows.read_ensemble, ENSEMBLE)
        self.assertEqual(read["ensemble.memory.one", 0], (1.0, "MiB"))
        self.assertEqual(read["ensemble.evaluation.private", 0], (100.0, "us"))
        self.assertEqual((read["ensemble.evaluation.threads", 0], read["ensemble.memory.threads", 0]), ((25.0, "us"), (1.5, "MiB")))

    def test_the_bare_ring_and_the_all_to_all_are_read(self):
        self.assertEqual(figures(paper_ring.read_bare, "bare: 10 elements, 0.500000 s\n"), {("ring.bare", 80): (0.5, "s")})
        read = figures(paper_2decomp.read, "noise\n8\t178.00\t27.90\t6.37\t37.0\t2.0\n")
        self.assertEqual(read["alltoall.gain", 8], (6.37, "times"))
        read = figures(paper_2decomp.read_transform("slabs"), " Avg time (sec):   0.250000000000  2.5E-001\n GFLOPS :   0.2\n")
        self.assertEqual(read, {("fft.slabs", 0): (0.5, "s")})

    def test_each_collective_is_told_by_both_ways(self):
        self.assertEqual(list(mpi.read("bcast", "1024\t4.00\t2.00\t2.00\nnoise\n")),
                         [("bcast", 1024, 2.0, "us", "atrium"), ("bcast", 1024, 4.0, "us", "alone")])
        self.assertEqual(list(mpi.read_first_calls("0\t5\t4.00\t2.00\t2.00\n")),
                         [("new_communicator.5_calls", 0, 2.0, "us", "atrium"), ("new_communicator.5_calls", 0, 4.0, "us", "alone")])
        self.assertEqual(list(mpi.read_fft("transposes per second: 300 by MPI_Alltoallv, 200 by PMPI_Alltoallv (1.50 times as many)\n")),
                         [("pencils", 0, 300.0, "op/s", "atrium"), ("pencils", 0, 200.0, "op/s", "alone")])

    def test_every_program_of_the_mpis_is_for_some_library(self):
        known = {*mpi.HERE, *mpi.HOSTS}
        for program in mpi.PLAN.programs:
            self.assertTrue(program.only and known.issuperset(program.only), program.name)

    def test_what_says_nothing_has_no_figures(self):
        for reader in (windows.read_heat2d, windows.read_ring, windows.read_cg, windows.read_ensemble, paper_ring.read_bare, paper_2decomp.read,
                       paper_2decomp.read_transform("pencils"), mpi.read_fft):
            self.assertEqual(list(reader("a program that failed\n")), [])
