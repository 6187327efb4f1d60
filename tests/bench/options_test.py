"""The command line, the peers, the names of plans and machines."""
# SPDX-License-Identifier: BSD-3-Clause
import contextlib
import io
import unittest

from driver import machine, openshmem, options, plan


class OptionsTest(unittest.TestCase):
    def test_a_whole_run_has_seven_rounds_and_a_quick_one_three(self):
        self.assertEqual((options.parse([]).rounds, options.parse(["--quick"]).rounds), (7, 3))
        self.assertEqual(options.parse(["--quick", "--rounds", "1"]).rounds, 1)

    def test_several_quick_plans_share_their_time_and_leave_the_rest_to_the_next(self):
        whole = options.QUICK_BUDGET_OF_SEVERAL_S
        self.assertEqual(options.share(0, 5), whole / 5)
        self.assertEqual(options.share(10, 1), whole - 10)
        self.assertEqual(options.share(whole + 1, 2), 0)

    def test_a_folder_without_a_build_is_refused(self):
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
            options.parse(["--against", "/nowhere"])
        self.assertIn("no build of Atrium there", said.getvalue())

    def test_a_plan_may_be_named(self):
        self.assertEqual((options.parse([]).plan, options.parse(["mpi"]).plan), ("core", "mpi"))

    def test_the_papers_are_five_plans_or_those_that_are_named(self):
        self.assertEqual(len(plan.expand("papers", [])), 5)
        self.assertEqual(plan.expand("papers", ["ring", "mpi+mpi"]), ["paper_ring", "paper_mpi"])
        self.assertEqual(plan.expand("core", []), ["core"])
        for name in plan.expand("papers", []):
            self.assertTrue(plan.load(name).published and plan.load(name).source, name)

    def test_a_part_that_does_not_exist_names_those_that_do(self):
        with self.assertRaisesRegex(SystemExit, "no part 'posch'; there are: posh, "):
            plan.expand("papers", ["posch"])
        with self.assertRaisesRegex(SystemExit, "no part 'posh'; there are: none"):
            plan.expand("core", ["posh"])

    def test_a_plan_that_does_not_exist_names_those_that_do(self):
        with self.assertRaisesRegex(SystemExit, "no plan 'nothing'; there are: .*core"):
            plan.load("nothing")

    def test_a_peer_is_a_name_a_compiler_and_a_launcher(self):
        found = openshmem.peer("sos=cc -O3:echo --flag")
        self.assertEqual((found.name, found.compile, found.run), ("sos", ("cc", "-O3"), ("echo", "--flag")))

    def test_what_a_launcher_prints_is_its_version_where_it_has_a_number(self):
        self.assertEqual(openshmem.peer("sos=cc:echo library 1.5.3 of").version, "library 1.5.3 of --version")
        self.assertEqual(openshmem.peer("posh=cc:echo errno : 10").version, "")

    def test_half_a_peer_is_refused_with_an_example(self):
        for text in ("sos", "sos=oshcc", "atrium=a:b"):
            with self.assertRaisesRegex(SystemExit, "expected name=cc:run"):
                openshmem.peer(text)

    def test_cpu_ranges_are_counted(self):
        self.assertEqual([machine.count_cpus(text) for text in ("0", "0-3", "0-1,4-5\n")], [1, 4, 4])

    def test_the_machine_has_a_name_fit_for_a_folder(self):
        self.assertRegex(machine.name(), r"^[a-z0-9+-]+-\d+cpu$")


if __name__ == "__main__":
    unittest.main()
