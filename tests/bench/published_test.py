"""A source's figures beside ours: which rows answer, and what the verdict is."""
# SPDX-License-Identifier: BSD-3-Clause
import unittest

from driver import curves, published
from driver.figures import Key, Summary
from driver.judge import Row
from driver.plan import Library, Plan, Plot, Published

LIBRARIES = [Library("ours", "Ours", (), ()), Library("other", "Other", (), ())]


def summary(value):
    return Summary(value, value, value, value, 3)


def row(value, size=8, pes=2, unit="times", limit=None, other=None, measure="gain"):
    summaries = {"ours": summary(value)} | ({"limit": summary(limit)} if limit else {}) | ({"other": summary(other)} if other else {})
    return Row(Key(measure, size, pes), unit, summaries, {"other": summary(other / value)} if other else {}, ())


def answer(figure, *rows):
    return published.answers(Plan("", (), (), None, published=(figure,)), rows, LIBRARIES)[0]


class PublishedTest(unittest.TestCase):
    def test_better_than_all_that_was_published_is_exceeded_within_is_kept_below_is_missed(self):
        figure = Published("figure 1", "3 to 4.6 ×", "gain", 3, 4.6)
        self.assertEqual(answer(figure, row(5.0)).verdict, "Exceeded.")
        self.assertEqual(answer(figure, row(3.0), row(9.0)).verdict, "Kept.")
        self.assertEqual(answer(figure, row(2.95)).verdict, "Kept.")    # two runs of one program differ by as much
        self.assertEqual(answer(figure, row(2.9)).verdict, "Missed.")
        self.assertEqual(answer(figure, row(2.9), row(5.0)).verdict, "Missed in 1 of 2.")

    def test_of_times_less_is_better(self):
        figure = Published("table 1", "below 0.1 s", "gain", 0, 100e6)
        self.assertEqual(answer(figure, row(6e6, unit="ns")).verdict, "Kept.")
        self.assertEqual(answer(figure, row(104e6, unit="ns")).verdict, "Missed.")
        self.assertEqual(answer(Published("", "", "gain", 40, 70), row(30, unit="%")).verdict, "Exceeded.")

    def test_the_reason_is_told_where_it_is_missed_only(self):
        figure = Published("figure 1", "2 ×", "gain", 2, because="one node")
        self.assertEqual(answer(figure, row(1.0)).verdict, "Missed: one node.")
        self.assertNotIn("one node", answer(figure, row(3.0)).verdict)

    def test_a_figure_without_a_number_has_no_verdict_and_says_why(self):
        self.assertEqual(answer(Published("", "a curve", "gain", because="a reason"), row(1.0)).verdict, "No verdict: a reason.")
        self.assertIn("No number", answer(Published("", "a curve", "gain"), row(1.0)).verdict)

    def test_only_rows_that_fit_answer_and_their_range_and_limit_are_shown(self):
        figure = Published("figure 1", "2 ×", "gain", 2, sizes=(8, 64), pes=(2,))
        found = answer(figure, row(2.0, limit=4.0), row(3.0, size=64), row(9.0, size=4096), row(9.0, pes=8), row(9.0, measure="loss"))
        self.assertEqual((found.ours, found.limit), ("2.00 × to 3.00 ×", "4.00 ×"))

    def test_what_was_not_measured_has_no_verdict(self):
        self.assertEqual(answer(Published("figure 2", "2 ×", "gain", 2), row(2.0, measure="loss")).verdict, "Not measured in this run.")

    def test_a_step_of_tuning_is_compared_with_the_first(self):
        figure = Published("", "1.26 ×", "gain", 1.26, library="other", over_first=True)
        self.assertEqual(answer(figure, row(30.0, unit="ns", other=20.0))[2:], ("1.50 ×", "-", "Exceeded."))

    def test_what_is_missed_because_the_machine_cannot_says_so(self):
        figure = Published("figure 1", "3 ×", "gain", 3, because="one node")
        self.assertEqual(answer(figure, row(1.0, limit=1.1)).verdict, "Missed: the limit of this machine is worse, too.")
        self.assertEqual(answer(figure, row(1.0, limit=1.1), row(2.0, limit=4.0), row(3.0, limit=1.0)).verdict,
                         "Missed in 2 of 3: in 1 of these the limit of this machine is worse, too.")
        self.assertEqual(answer(figure, row(1.0, limit=4.0)).verdict, "Missed: one node.")

    def test_ours_may_be_compared_with_another_library_or_with_another_measure(self):
        self.assertEqual(answer(Published("", "2 ×", "gain", 1.5, than="other"), row(10.0, unit="ns", other=20.0))[2:], ("2.00 ×", "-", "Exceeded."))
        figure = Published("", "1.5 to 2 ×", "separated", 1.5, 2, against="plain")
        rows = row(30.0, unit="ns", measure="plain"), row(99.0, unit="ns", measure="plain", size=64), row(20.0, unit="ns", measure="separated")
        self.assertEqual(answer(figure, *rows)[2:], ("1.50 ×", "-", "Kept."))
        self.assertEqual(answer(figure, rows[2]).verdict, "Not measured in this run.")

    def test_a_mean_is_compared_with_a_mean(self):
        figure = Published("abstract", "60 %", "gain", 60, mean=True)
        found = answer(figure, row(40.0, unit="%", limit=20.0), row(70.0, unit="%", limit=30.0))
        self.assertEqual((found.ours, found.limit, found.verdict), ("55.0 %", "25.0 %", "Exceeded."))

    def test_a_curve_may_run_over_the_number_of_pes(self):
        rows = [row(40.0, size=0, pes=pes, unit="iterations") for pes in (1, 2, 4)]
        drawn = curves.panels(Plot("", ("gain",), "pes"), rows, LIBRARIES)
        self.assertEqual(len(drawn), 1)
        self.assertIn("by the number of PEs", drawn[0])
        self.assertEqual(curves.panels(Plot("", ("gain",)), rows, LIBRARIES), [])
