"""Lines of programs become figures, and figures medians and ratios."""
# SPDX-License-Identifier: BSD-3-Clause
import unittest

import sample
from driver import figures, units


class FiguresTest(unittest.TestCase):
    def test_lines_that_are_no_figures_are_ignored(self):
        text = "hello\nput\t8\t1.5\tus\nput\tx\t1\tus\na\tb\nput\t16\tnan\tus\nput\t16\t-3\tus\n"
        self.assertEqual(list(figures.parse(text)), [("put", 8, 1.5, "us")])

    def test_units_of_one_quantity_become_one_unit(self):
        found = figures.Figures()
        key = figures.Key("barrier", 0, 2)
        found.add(key, "atrium", 0, 2, "us")
        found.add(key, "atrium", 1, 1000, "ns")
        self.assertEqual(found.of(key, "atrium"), {0: 2000, 1: 1000})

    def test_units_of_two_quantities_are_refused(self):
        found = figures.Figures()
        found.add(figures.Key("a", 0, 2), "atrium", 0, 2, "us")
        self.assertRaises(ValueError, found.add, figures.Key("a", 0, 2), "other", 0, 2, "GB/s")

    def test_a_summary_has_median_minimum_and_quartiles(self):
        found = figures.summarize([5, 1, 3, 2, 4])
        self.assertEqual((found.median, found.minimum, found.quartile1, found.quartile3, found.rounds), (3, 1, 2, 4, 5))
        self.assertEqual(figures.summarize([7]).median, 7)
        self.assertIsNone(figures.summarize([]))

    def test_ratios_are_taken_within_a_round_so_that_drift_cancels_out(self):
        ratio = sample.results().faster(sample.STORE, "atrium", "other")
        self.assertEqual((ratio.quartile1, ratio.median, ratio.quartile3), (10, 10, 10))

    def test_more_bandwidth_and_less_time_are_both_faster(self):
        self.assertEqual(units.faster(20, 10, "GB/s"), 2)
        self.assertEqual(units.faster(10, 20, "ns"), 2)

    def test_values_are_shown_with_three_digits_and_a_fitting_unit(self):
        self.assertEqual([units.show(*pair) for pair in ((0.5, "ns"), (1234, "ns"), (2.5e6, "ns"), (1 << 20, "B"), (0.0004, "Mop/s"), (None, "ns"))],
                         ["0.50 ns", "1.23 µs", "2.50 ms", "1.00 MiB", "400 op/s", "-"])
        self.assertEqual([units.show_bytes(size) for size in (0, 8, 4096, 3 << 19)], ["", "8 B", "4 KiB", "1.5 MiB"])


if __name__ == "__main__":
    unittest.main()
