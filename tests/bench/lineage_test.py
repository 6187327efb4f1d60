"""The tables of docs/lineage: what is read from a run's text, and what is written where no run is there."""
# SPDX-License-Identifier: BSD-3-Clause
import pathlib
import tempfile
import unittest

import lineage_tables
from driver import published
from driver.plan import Plan

PLAN = Plan("A plan", (), (), None, source="A. Author: A work.")


class LineageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name)

    def commit(self, machine, *found):
        (self.results / machine).mkdir()
        (self.results / machine / "paper_ring.txt").write_text("\n".join(published.lines(PLAN, list(found))), encoding="utf-8")

    def test_each_machine_has_a_column_with_a_link_to_its_page(self):
        self.commit("a", published.Answer("table 1: put", "1.5 ns", "0.54 ns to 1 ns", "0.5 ns", "Missed in 1 of 2: a reason."))
        self.commit("b", published.Answer("table 1: put", "1.5 ns", "-", "-", "Not measured in this run."))
        lines = lineage_tables.table("ring", self.results).splitlines()
        self.assertIn("[a](../../bench/results/a/paper_ring.html) | [b](../../bench/results/b/paper_ring.html)", lines[2])
        self.assertEqual(lines[-1], "| table 1: put | 1.5 ns | 0.54 ns to 1 ns, limit 0.5 ns. Missed in 1 of 2: a reason | not measured |")

    def test_a_figure_that_an_older_run_did_not_have_is_told_from_one_that_was_not_measured(self):
        self.commit("a", published.Answer("table 1", "1 ns", "2 ns", "-", lineage_tables.INCOMPARABLE))
        self.commit("b", published.Answer("table 2", "1 ns", "3 ns", "-", "Kept."))
        self.assertEqual(lineage_tables.table("ring", self.results).splitlines()[-2:],
                         ["| table 1 | 1 ns | 2 ns | not in that run |", "| table 2 | 1 ns | not in that run | 3 ns. Kept |"])

    def test_a_quick_run_one_of_few_rounds_and_one_of_a_busy_machine_are_labelled(self):
        self.assertEqual(lineage_tables.how_thorough("command: ./atrium bench papers\nrounds: 3 to 7\nother work: none worth a word\n"), ", 3 to 7 rounds")
        self.assertEqual(lineage_tables.how_thorough("command: ./atrium bench papers --quick\nrounds: 1\n"), ", 1 round, `--quick`")
        self.assertEqual(lineage_tables.how_thorough("rounds: 2\nother work: other work was running meanwhile: 3.0 processes\n"),
                         ", 2 rounds, on a busy machine")
        self.commit("a", published.Answer("table 1", "1 ns", "2 ns", "-", "Kept."))
        with (self.results / "a/paper_ring.txt").open("a", encoding="utf-8") as text:
            text.write("\nrounds: 2\n")
        self.assertIn("paper_ring.html), 2 rounds |", lineage_tables.table("ring", self.results))

    def test_without_a_run_the_page_says_so(self):
        self.assertEqual(lineage_tables.table("mpi-plus-mpi", self.results), "No run of `./atrium bench papers mpi+mpi` has been committed yet.")


if __name__ == "__main__":
    unittest.main()
