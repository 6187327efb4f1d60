"""Limits stand beside what they limit, and targets are met or missed."""
# SPDX-License-Identifier: BSD-3-Clause
import unittest

import sample
from driver import judge, table
from driver.figures import Key
from driver.plan import Rule


def judged(*rules):
    results, plan = sample.results(), sample.plan(*rules)
    judge.add_limits(plan, results, sample.machine(), "atrium")
    return {row.key: row for row in judge.rows(plan, sample.LIBRARIES, results)}


class JudgeTest(unittest.TestCase):
    def test_a_limit_is_taken_from_the_same_round(self):
        row = judged(sample.STORE_RULE)[sample.STORE]
        self.assertAlmostEqual(row.faster["limit"].quartile1, 0.9)
        self.assertAlmostEqual(row.faster["limit"].quartile3, 0.9)

    def test_near_the_limit_and_far_ahead_of_the_peer_is_met(self):
        row = judged(sample.STORE_RULE)[sample.STORE]
        self.assertEqual([verdict.met for verdict in row.verdicts], [True, True])
        self.assertTrue(row.met)

    def test_too_far_from_the_limit_is_missed(self):
        rule = Rule("p", sample.STORE_RULE.limit, within=1.05)
        self.assertFalse(judged(rule)[sample.STORE].met)

    def test_what_may_be_added_to_the_limit_counts(self):
        rule = Rule("p", sample.STORE_RULE.limit, within=1.0, plus=0.1)
        self.assertTrue(judged(rule)[sample.STORE].met)

    def test_an_absolute_bound_follows_the_direction_of_the_unit(self):
        rows = judged(Rule("p", at_most=0.4), Rule("put", at_most=40))
        self.assertFalse(rows[sample.STORE].met)
        self.assertTrue(rows[sample.COPY].met)

    def test_without_a_rule_nothing_is_asked(self):
        self.assertIsNone(judged()[sample.STORE].met)

    def test_the_first_rule_that_fits_counts(self):
        rows = judged(Rule("put", faster=1, sizes=(1 << 16, 1 << 20)), Rule("put", faster=100))
        self.assertFalse(rows[sample.COPY].met)

    def test_what_was_done_by_hand_in_several_ways_is_one_row_of_the_best_way(self):
        results, machine = sample.results(), sample.machine()
        for turn, (steady, lucky_once) in enumerate(((5, 9), (5, 1), (5, 9))):
            machine.add(Key("all.by_hand [steady]", 8, 2), "limit", turn, steady, "ns")
            machine.add(Key("all.by_hand [lucky once]", 8, 2), "limit", turn, lucky_once, "ns")
        judge.add_limits(sample.plan(), results, machine, "atrium")
        self.assertEqual(results.of(Key("all.by_hand", 8, 2), "limit"), {0: 5, 1: 5, 2: 5})
        self.assertNotIn(Key("all.by_hand [steady]", 8, 2), results.keys())

    def test_the_table_names_what_was_missed_and_counts_what_was_met(self):
        lines = table.table(list(judged(Rule("p", faster=50), Rule("put", faster=2)).values()), sample.LIBRARIES)
        self.assertIn("missed: ≥ 50 × other", lines[1])
        self.assertEqual(lines[-1], "2 of 3 rows with a target meet it")


if __name__ == "__main__":
    unittest.main()
