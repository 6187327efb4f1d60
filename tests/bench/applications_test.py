"""What the applications print, and what is read from it."""
# SPDX-License-Identifier: BSD-3-Clause
import unittest

from plans import applications, mpi_applications

REPORT = """seconds to solution: 2.517
atrium: communicator         ranks nodes routine     size            calls   own way          bytes msgs before  msgs after choice        mpi us     own us measured
atrium: MPI COMMUNICATOR 3 SPLIT FROM 0 x2     4     1 alltoall    to 64 B           100        75           4000           0           0 own            90.31      58.78        2
atrium: MPI_COMM_WORLD           4     1 alltoallv/w any size           4         0           1000           0           0 mpi                -          -        0
atrium: MPI_COMM_WORLD           4     1 read        to 64 KiB         75        75           3000           0           0 read            9.31       5.78        1
atrium: MPI_COMM_WORLD           4     - float sums  to 8 B            96        71           3000           -           - own                -          -        0
"""
SHARES = """
share of MPI: 1.000000 of 2.000000 s
share of Alltoall: 0.900000 s
share of Barrier: 0.010000 s

share of MPI: 1.000000 of 2.000000 s
share of Alltoall: 0.600000 s
share of Bcast: 0.400000 s
"""


class ReadersTest(unittest.TestCase):
    def test_bale_has_a_line_for_each_model(self):
        text = "num levels = 54            AGP:    1.261\n  Exstack2:    0.109 seconds     0.000 GB/s\n  Conveyor:    0.120 seconds\n"
        self.assertEqual(applications.models("topo")(text), [("topo.agp", 0, 1.261, "s"), ("topo.exstack2", 0, 0.109, "s"),
                                                             ("topo.conveyor", 0, 0.12, "s")])

    def test_isx_has_a_total_and_an_exchange(self):
        text = "Average total time (per PE): 0.601524 seconds\nAverage all2all time (per PE): 0.009314 seconds\n"
        self.assertEqual(applications.isx("isx")(text), [("isx.total", 0, 0.601524, "s"), ("isx.exchange", 0, 0.009314, "s")])

    def test_an_actor_says_its_seconds_on_a_line_of_their_own(self):
        self.assertEqual(applications.actor("Running histo on 2 PEs\nafter 3 seconds\n    27.124 seconds\n"), [("histo.actor", 0, 27.124, "s")])

    def test_what_failed_has_no_figures(self):
        for reader in (applications.models("ig"), applications.isx("isx"), applications.actor):
            self.assertEqual(reader("Segmentation fault\n"), [])


class MpiApplicationsTest(unittest.TestCase):
    def test_what_was_taken_is_added_up_over_the_lines_of_the_report(self):
        self.assertEqual(list(mpi_applications.read("pw.node", REPORT)), [
            ("pw.node", 0, 2.517, "s"), ("pw.node.calls_taken", 0, 100 * 146 / 200, "%"),
            ("pw.node.bytes_taken", 0, 100 * (3000 + 3000 * 71 / 96) / 8000, "%")])

    def test_shares_are_those_of_all_ranks_and_small_ones_are_left_out(self):
        self.assertEqual(list(mpi_applications.read_shares("pw.node", SHARES)), [
            ("pw.node.mpi_time", 0, 50, "%"), ("pw.node.share.alltoall", 0, 75, "%"), ("pw.node.share.bcast", 0, 20, "%")])

    def test_what_failed_has_no_figures_and_no_results(self):
        for reader in (mpi_applications.read, mpi_applications.read_shares):
            self.assertEqual(list(reader("pw.node", "Segmentation fault\n")), [])
        for application in mpi_applications.APPLICATIONS:
            self.assertEqual(mpi_applications.results(application.results, "Segmentation fault\n"), [])

    def test_each_application_has_its_input(self):
        for application in mpi_applications.APPLICATIONS:
            self.assertTrue(any((mpi_applications.INPUTS / word).is_file() for word in application.arguments), application.name)


if __name__ == "__main__":
    unittest.main()
