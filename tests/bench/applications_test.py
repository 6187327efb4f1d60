"""What the applications print, and what is read from it."""
# SPDX-License-Identifier: BSD-3-Clause
import unittest

from plans import applications


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


if __name__ == "__main__":
    unittest.main()
