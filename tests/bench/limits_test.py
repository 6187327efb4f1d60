"""The arithmetic of limits: between sizes, of several, and of a collective's least traffic."""
# SPDX-License-Identifier: BSD-3-Clause
import unittest

from driver import limits
from driver.figures import Figures, Key
from plans import collectives, core


def machine(**sizes):
    """name=value or name={bytes: value}; _ stands for a blank, but where there is a point."""
    found = Figures()
    for name, values in sizes.items():
        for size, value in (values if isinstance(values, dict) else {0: values}).items():
            found.add(Key(name if "." in name else name.replace("_", " "), size, 2), "limit", 0, value, "ns")
    return limits.Limits(limits.settle((found, "limit")), 0)


class LimitsTest(unittest.TestCase):
    def test_between_two_sizes_the_line_is_straight_on_logarithmic_axes(self):
        self.assertAlmostEqual(machine(copy={100: 10, 10000: 1000}).get("copy", 1000), 100)

    def test_outside_of_what_was_measured_there_is_no_limit(self):
        self.assertIsNone(machine(copy={100: 10, 10000: 1000}).get("copy", 20000))
        self.assertIsNone(machine().get("copy", 8))

    def test_a_figure_without_a_size_serves_every_size(self):
        self.assertEqual(machine(store=0.5).get("store", 8), 0.5)

    def test_the_best_is_the_highest_rate_and_the_least_the_shortest_time(self):
        both = machine(a=1, b=2)
        self.assertEqual(limits.best("a", "b", "c")(both, 0, 2), 2)
        self.assertEqual(limits.least("a", "b", "c")(both, 0, 2), 1)
        self.assertIsNone(limits.least("c")(both, 0, 2))
        self.assertEqual(limits.first("c", "b", "a")(both, 0, 2), 2)

    def test_figures_of_the_library_itself_serve_and_limits_go_first(self):
        own = Figures()
        own.add(Key("store", 8, 2), "atrium", 0, 3, "ns")
        own.add(Key("own", 8, 2), "atrium", 0, 4, "ns")
        raw = Figures()
        raw.add(Key("store", 8, 2), "limit", 0, 2, "ns")
        view = limits.Limits(limits.settle((own, "atrium"), (raw, "limit")), 0)
        self.assertEqual((view.get("store", 8), view.get("own", 8)), (2, 4))

    def test_of_several_ways_the_one_that_is_best_over_all_rounds_counts_in_each(self):
        raw = Figures()
        for turn, (steady, lucky_once) in enumerate(((5, 9), (5, 1), (5, 9))):
            raw.add(Key("push [steady]", 8, 2), "limit", turn, steady, "ns")
            raw.add(Key("push [lucky once]", 8, 2), "limit", turn, lucky_once, "ns")
            raw.add(Key("stream [fast]", 8, 2), "limit", turn, 7, "GB/s")
            raw.add(Key("stream [slow]", 8, 2), "limit", turn, 6, "GB/s")
        for turn in range(3):
            view = limits.Limits(limits.settle((raw, "limit")), turn)
            self.assertEqual((view.get("push", 8), view.get("stream", 8)), (5, 7))

    def test_a_small_collective_costs_its_flags(self):
        small = machine(exchange_once=100, announce_once=60)
        self.assertEqual(collectives.least("combine", small, 8, 2, 2), 100)
        self.assertEqual(collectives.least("broadcast", small, 8, 2, 2), 60)

    def test_a_large_collective_costs_its_traffic_as_well(self):
        large = machine(exchange_once=100, combine_traffic={256: 50, 4096: 1050})
        self.assertAlmostEqual(collectives.least("combine", large, 4096, 2, 2), 1150)

    def test_a_collective_by_hand_that_is_quicker_than_its_parts_is_the_limit(self):
        large = machine(exchange_once=100, combine_traffic={4096: 1050}, **{"combine.by_hand": {4096: 1100}})
        self.assertAlmostEqual(collectives.least("combine", large, 4096, 2, 2), 1100)

    def test_who_takes_turns_on_a_cpu_has_waited_for_the_others_already(self):
        crowd = machine(exchange_once=100, combine_traffic={256: 50, 4096: 1050})
        self.assertAlmostEqual(collectives.least("combine", crowd, 4096, 4, 2), 1050)

    def test_beyond_the_largest_size_traffic_is_in_proportion(self):
        large = machine(exchange_once=0, combine_traffic={256: 50, 4096: 1050})
        self.assertAlmostEqual(collectives.least("combine", large, 8192, 2, 2), 2100)

    def test_every_pattern_of_the_core_has_the_rule_that_is_meant(self):
        rule = core.PLAN.rule
        self.assertEqual(rule("p.globals", 8, 2).faster, 200)
        self.assertEqual(rule("put.constant", 64, 2).faster, 8)
        self.assertEqual(rule("put.heap", 4 << 20, 2).faster, 1.1)
        self.assertIsNone(rule("put.heap.stream", 4 << 20, 2).faster)
        self.assertIsNone(rule("put.heap", 8, 2).within)
        self.assertIsNone(rule("get.heap_to_globals", 4096, 2).at_most)
        self.assertEqual(rule("p_wait_until", 8, 2).within, 1.1)


if __name__ == "__main__":
    unittest.main()
