"""The tables of docs/ that show committed runs."""
# SPDX-License-Identifier: BSD-3-Clause
import pathlib
import tempfile
import unittest

import page_tables
from driver import published
from driver.plan import Plan
from tables import measured, simulated
from tables.published import INCOMPARABLE, how_thorough, table

PLAN = Plan("A plan", (), (), None, source="A. Author: A work.")


class PublishedTest(unittest.TestCase):
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
        lines = table("ring", self.results).splitlines()
        self.assertIn("[a](../../bench/results/a/paper_ring.html) | [b](../../bench/results/b/paper_ring.html)", lines[2])
        self.assertEqual(lines[-1], "| table 1: put | 1.5 ns | 0.54 ns to 1 ns, limit 0.5 ns. Missed in 1 of 2: a reason | not measured |")

    def test_a_figure_that_an_older_run_did_not_have_is_told_from_one_that_was_not_measured(self):
        self.commit("a", published.Answer("table 1", "1 ns", "2 ns", "-", INCOMPARABLE))
        self.commit("b", published.Answer("table 2", "1 ns", "3 ns", "-", "Kept."))
        self.assertEqual(table("ring", self.results).splitlines()[-2:],
                         ["| table 1 | 1 ns | 2 ns | not in that run |", "| table 2 | 1 ns | not in that run | 3 ns. Kept |"])

    def test_a_quick_run_one_of_few_rounds_and_one_of_a_busy_machine_are_labelled(self):
        self.assertEqual(how_thorough("command: ./atrium bench papers\nrounds: 3 to 7\nother work: none worth a word\n"), ", 3 to 7 rounds")
        self.assertEqual(how_thorough("command: ./atrium bench papers --quick\nrounds: 1\n"), ", 1 round, `--quick`")
        self.assertEqual(how_thorough("rounds: 2\nother work: other work was running meanwhile: 3.0 processes\n"),
                         ", 2 rounds, on a busy machine")
        self.commit("a", published.Answer("table 1", "1 ns", "2 ns", "-", "Kept."))
        with (self.results / "a/paper_ring.txt").open("a", encoding="utf-8") as text:
            text.write("\nrounds: 2\n")
        self.assertIn("paper_ring.html), 2 rounds |", table("ring", self.results))

    def test_without_a_run_the_page_says_so(self):
        self.assertEqual(table("mpi-plus-mpi", self.results), "No run of `./atrium bench papers mpi+mpi` has been committed yet.")


class MeasuredTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name)
        (self.results / "here").mkdir()

    def commit(self, plan, *lines):
        head = "measure,bytes,pes,library,unit,median,faster"
        (self.results / "here" / f"{plan}.csv").write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")

    def test_two_ways_are_a_row_for_each_number_of_ranks(self):
        self.commit("mpi", "alltoall,8,2,atrium,ns,100,", "alltoall,8,2,alone,ns,210,2.08", "alltoall,1024,4,atrium,ns,2000,",
                    "alltoall,1024,4,alone,ns,1000,0.5", "barrier,0,2,atrium,ns,7,", "barrier,0,2,alone,ns,21,3")
        self.assertEqual(measured.ways("mpi", "here", "=alltoall", results=self.results).splitlines(),
                         ["| ranks | 8 B | 1 KiB |", "| --- | --- | --- |", "| 2 | 2.08 × (210 ns → 100 ns) |  |", "| 4 |  | 0.50 × (1.00 µs → 2.00 µs) |"])
        self.assertEqual(measured.ways("mpi", "here", "a_barrier=barrier", "all=alltoall", results=self.results).splitlines()[2:4],
                         ["| a barrier | 2 | 3.00 × (21.0 ns → 7.00 ns) |  |  |", "| all | 2 |  | 2.08 × (210 ns → 100 ns) |  |"])

    def test_measures_are_columns_and_what_no_row_has_is_none(self):
        self.commit("windows", "cg.node,0,2,mpich,ns,3e9,", "cg.node,0,2,openmpi,ns,2e9,", "cg.rank,0,2,openmpi,iterations,46,", "other,8,2,openmpi,ns,1,",
                    "cg.node,0,2,limit,ns,1e9,")
        self.assertEqual(measured.measures("windows", "here", "the_node=cg.node", "a_rank=cg.rank", "least=limit/cg.node", results=self.results).splitlines(),
                         ["| MPI | ranks | the node | a rank | least |", "| --- | --- | --- | --- | --- |",
                          "| Open MPI | 2 | 2.00 s | 46 iterations | 1.00 s |", "| MPICH | 2 | 3.00 s |  | 1.00 s |"])

    def simulate(self, *lines):
        rows = self.results / "scale.csv"
        rows.write_text("\n".join(["series,costs,collective,bytes,nodes,pes_per_node,us,messages_per_node,command", *lines]) + "\n", encoding="utf-8")
        return rows

    def test_simulated_sums_have_a_column_for_each_number_of_pes_per_leader(self):
        rows = self.simulate("sum,aries,sum,1048576,4,64,24394.1,9,SHMEM_REDUCE_ALGORITHM=push ./atrium sim", "sum,aries,sum,1048576,4,64,1142.4,9,ATRIUM_LEADERS=64 ./atrium sim",
                             "sum,aries,sum,8,128,64,7,9,ATRIUM_LEADERS=64 ./atrium sim", "sum,aries,sum,8,128,64,7,9,ATRIUM_LEADERS=1 ./atrium sim", "other,aries,sum,8,1,64,7,9,./atrium sim")
        self.assertEqual(simulated.leaders("sum", rows=rows).splitlines(),
                         ["| µs | without leaders | 64 PEs per leader | 1 PE |", "| --- | --- | --- | --- |",
                          "| sum of 1 MiB, 4 nodes | 24,394 |  | **1,142** |", "| sum of 8 B, 128 nodes |  | 7 | 7 |"])

    def test_simulated_alltoalls_have_a_column_for_each_size_and_three_rows_for_each_machine(self):
        rows = self.simulate("x,ndr,alltoall,8,32,16,12.6,31,SHMEM_ALLTOALL_ALGORITHM=auto ./atrium sim", "x,ndr,alltoall,8,32,16,127.5,1207,SHMEM_ALLTOALL_ALGORITHM=put ./atrium sim")
        self.assertEqual(simulated.blocks("x", rows=rows).splitlines()[2:],
                         ["| 32 nodes × 16, ndr: each PE by itself | 128 |", "| the rules | 13 |", "| messages of a node | 31 |"])

    def test_what_real_jobs_send_stands_beside_what_the_simulator_says(self):
        rows = self.results / "counted.csv"
        rows.write_text("collective,bytes,nodes,pes_per_node,figure,real,simulated\nbarrier,8,16,1,messages,4.00,4.00\nsum,8,16,1,messages,3.99,4.00\n"
                        "sum,8,2,1,messages,1.00,1.00\nsum,8,2,1,transfers,1.00,1.00\n", encoding="utf-8")
        self.assertEqual(simulated.counted("messages", rows=rows).splitlines()[2:], ["| barrier | messages |  | 4, 4 |", "| sum of 8 B | messages | 1, 1 | 3.99, 4 |"])

    def test_what_stands_between_the_comments_is_written_anew_and_nothing_else(self):
        page = "before\n<!-- table: published ring -->\n<!-- end -->\nbetween\n<!-- end -->\n"
        new = page_tables.renewed(page)
        self.assertTrue(new.startswith("before\n<!-- table: published ring -->\n\nRuns of `./atrium bench papers ring`"))
        self.assertTrue(new.endswith(" |\n\n<!-- end -->\nbetween\n<!-- end -->\n"))
        self.assertEqual(page_tables.renewed(new), new)
        self.assertEqual(page_tables.renewed(new.replace("Runs of", "Old runs of")), new)


if __name__ == "__main__":
    unittest.main()
