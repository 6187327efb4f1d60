"""The rounds, with libraries that are shell scripts: turns, holes, and a budget."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses
import io
import os
import pathlib
import re
import tempfile
import types
import unittest

from driver import build, rounds
from driver.figures import Key
from driver.plan import Library, Plan, Program
from driver.progress import Progress

COMPILER = """#!/bin/sh
# ... -o PROGRAM: a program that says its PEs and its library.
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\nprintf "pes\\\\t0\\\\t$PES\\\\tns\\\\n"\\n' > "$2" && chmod +x "$2"
"""
LAUNCHER = """#!/bin/sh
echo "NAME $2" >> FOLDER/turns
[ NAME != broken ] || { echo no luck >&2; exit 9; }
PES=$2 exec "$3"
"""


class RoundsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.said = io.StringIO()
        self.progress = Progress(self.said)

    def script(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def library(self, name):
        launcher = LAUNCHER.replace("NAME", name).replace("FOLDER", str(self.folder))
        return Library(name, name, (self.script("compiler", COMPILER),), (self.script(f"run.{name}", launcher),))

    def measure(self, names, rounds_wanted, budget_s=1e9, reader=None, quick=False):
        args = types.SimpleNamespace(rounds=rounds_wanted, quick=quick, budget_s=budget_s)
        libraries = [self.library(name) for name in names]
        plan = Plan("A plan", (Program("programs/empty.c", pes=(2, 4), reader=reader),), (), lambda build, peers: libraries)
        paths = build.compile_all(plan, libraries, self.folder / "build", self.progress)
        return rounds.measure(plan, libraries, paths, args, self.progress)[0]

    def turns(self):
        return (self.folder / "turns").read_text(encoding="utf-8").split("\n")[:-1]

    def test_a_run_that_compares_ways_itself_has_a_measure_for_each_library_that_ran(self):
        results = self.measure(["a", "b"], 1, reader=lambda output: [("time", 8, 2.0, "us", "with"), ("time", 8, 4.0, "us", "without")])
        self.assertEqual(results.of(Key("time.b", 8, 4), "with"), {0: 2000})
        self.assertEqual(results.faster(Key("time.a", 8, 2), "with", "without").median, 2)

    def test_who_interrupts_it_gets_what_there_is(self):
        told = iter([[("time", 0, 1.0, "s")]] * 5)
        def reader(output):
            for figure in next(told, None) or self.interrupt():
                yield figure
        results = self.measure(["a", "b"], 3, reader=reader)
        self.assertEqual((results.of(Key("time", 0, 2), "b"), results.of(Key("time", 0, 4), "b")), ({0: 1e9, 1: 1e9}, {0: 1e9}))
        self.assertTrue(self.progress.is_interrupted)
        with self.assertRaises(KeyboardInterrupt):
            self.measure(["a"], 1, reader=lambda output: self.interrupt())

    @staticmethod
    def interrupt():
        raise KeyboardInterrupt

    def test_libraries_take_turns_within_each_number_of_pes_and_round(self):
        results = self.measure(["a", "b"], 2)
        self.assertEqual(self.turns(), ["a 2", "b 2", "a 4", "b 4", "b 2", "a 2", "b 4", "a 4"])
        self.assertEqual(results.of(Key("pes", 0, 4), "b"), {0: 4, 1: 4})

    def test_arguments_of_a_quick_run_may_be_others(self):
        program = Program("a.c", arguments=("--size", "9"))
        self.assertEqual(rounds.arguments(program, True), ("--size", "9", "--quick"))
        other = dataclasses.replace(program, quick_arguments=("--size", "1"))
        self.assertEqual((rounds.arguments(other, True), rounds.arguments(other, False)), (("--size", "1"), ("--size", "9")))

    def test_a_program_that_says_nothing_leaves_a_line(self):
        self.measure(["a"], 1, reader=lambda output: [])
        self.assertIn("a: empty with 2 PEs printed no figure", "\n".join(self.progress.holes))

    def test_a_library_that_fails_leaves_a_hole_and_a_line_and_the_others_go_on(self):
        results = self.measure(["broken", "b"], 2)
        self.assertEqual(results.of(Key("pes", 0, 2), "broken"), {})
        self.assertEqual(results.of(Key("pes", 0, 2), "b"), {0: 2, 1: 2})
        self.assertEqual(self.progress.holes[0], "broken: empty with 2 PEs ended with status 9: no luck")
        self.assertEqual(len(self.progress.holes), 2)

    def test_a_whole_run_is_timed_with_its_launcher(self):
        plan = Plan("A plan", (Program("programs/empty.c", wall="start to end"),), (), lambda build, peers: [])
        libraries, args = [self.library("a")], types.SimpleNamespace(rounds=1, quick=False, budget_s=1e9)
        paths = build.compile_all(plan, libraries, self.folder / "build", self.progress)
        results = rounds.measure(plan, libraries, paths, args, self.progress)[0]
        self.assertGreater(results.of(Key("start to end", 0, 2), "a")[0], 0)
        self.assertEqual(set(self.turns()), {"a 2"})

    def test_no_round_begins_that_would_not_fit_into_the_budget(self):
        self.measure(["a"], 50, budget_s=0)
        self.assertEqual(len(self.turns()), 2)
        self.assertIn("stopping after 1 rounds", self.said.getvalue())

    def test_what_is_not_run_again_takes_no_time_of_the_next_round(self):
        programs = (Program("programs/empty.c", pes=(100,), rounds=1, called="long"), Program("programs/empty.c", pes=(2,)))
        libraries, args = [self.library("a")], types.SimpleNamespace(rounds=3, quick=False, budget_s=150)
        plan = Plan("A plan", programs, (), lambda build, peers: libraries)
        paths = build.compile_all(plan, libraries, self.folder / "build", self.progress)
        (self.folder / "turns").touch()
        self.progress.elapsed_s = lambda: sum(int(turn.split()[1]) for turn in self.turns())     # a second for each PE
        rounds.measure(plan, libraries, paths, args, self.progress)
        self.assertEqual(self.turns(), ["a 100", "a 2", "a 2", "a 2"])

    def test_a_quick_run_leaves_out_what_its_time_is_over_for_and_says_so(self):
        self.measure(["a"], 1, budget_s=0, quick=True)
        self.assertFalse((self.folder / "turns").exists())
        self.assertIn("a: empty with 4 PEs was left out: the 0 s of --quick were over", self.progress.holes)

    def test_a_quick_run_compiles_nothing_after_its_time(self):
        slow = self.library("slow")
        slow = dataclasses.replace(slow, compile=(self.script("slow.compiler", "#!/bin/sh\nexec sleep 60\n"),))
        plan = Plan("A plan", (Program("programs/empty.c"),), (), lambda build, peers: [])
        for budget_s, why in ((self.progress.elapsed_s() + 0.2, "still running after 0"), (0, "the time of --quick was over")):
            self.assertEqual(build.compile_all(plan, [slow], self.folder / "build", self.progress, budget_s=budget_s), {})
            self.assertIn(why, self.progress.holes[-1])

    def test_what_ran_into_its_time_limit_is_not_run_again(self):
        elsewhere = self.folder / "elsewhere"
        (elsewhere / "a").mkdir(parents=True)
        self.script("elsewhere/a/hangs", f"#!/bin/sh\necho 3\necho turn >>{self.folder}/hung\nexec sleep 60\n")
        program = Program("hangs", (2,), built=True, timeout_s=0.5, reader=lambda text: [("figure", 0, float(text), "s")])
        libraries, args = [self.library("a")], types.SimpleNamespace(rounds=3, quick=False, budget_s=1e9)
        plan = Plan("A plan", (program,), (), lambda build, peers: libraries)
        paths = build.compile_all(plan, libraries, self.folder / "build", self.progress, elsewhere)
        results = rounds.measure(plan, libraries, paths, args, self.progress)[0]
        self.assertEqual((self.folder / "hung").read_text(encoding="utf-8"), "turn\n")
        self.assertEqual(results.of(Key("figure", 0, 2), "a"), {0: 3e9})
        self.assertIn("a: hangs with 2 PEs still running after 0.5 s", self.progress.holes)

    def test_a_program_that_does_not_compile_is_a_hole(self):
        broken = dataclasses.replace(self.library("a"), compile=("false",))
        plan = Plan("A plan", (Program("programs/empty.c"),), (), lambda build, peers: [broken])
        self.assertEqual(build.compile_all(plan, [broken], self.folder / "build", self.progress), {})
        self.assertIn("a: programs/empty.c: cannot be compiled: ended with status 1", self.progress.holes)

    def test_a_program_that_was_built_elsewhere_is_run_from_there_and_read_on_both_streams(self):
        elsewhere = self.folder / "elsewhere"
        (elsewhere / "a").mkdir(parents=True)
        self.script("elsewhere/a/solver", "#!/bin/sh\necho 3 seconds >&2\necho $KEYS > log\n[ $KEYS = 5 ]\n")
        program = Program("solver", (2,), built=True, arguments=("-n", "9"), environment={"KEYS": "5"},
                          reader=lambda text: [("solver", 0, float(text.split()[0]), "s")])
        libraries, args = [self.library("a"), self.library("b")], types.SimpleNamespace(rounds=1, quick=False, budget_s=1e9)
        plan = Plan("A plan", (program,), (), lambda build, peers: libraries)
        paths = build.compile_all(plan, libraries, self.folder / "build", self.progress, elsewhere)
        results = rounds.measure(plan, libraries, paths, args, self.progress)[0]
        self.assertEqual(results.of(Key("solver", 0, 2), "a"), {0: 3e9})
        self.assertFalse(pathlib.Path("log").exists())      # it writes where nobody looks
        self.assertEqual(self.progress.holes, [f"b: solver: not in {elsewhere / 'b'}"])
        same = dataclasses.replace(libraries[1], folder="a")     # another way to run what was built for the same
        self.assertIn(("solver", "b"), build.compile_all(plan, [same], self.folder / "build", self.progress, elsewhere))

    def installed(self, script):
        """Two rounds of a program in PATH, with a library `a` that says that it is there."""
        self.addCleanup(os.environ.__setitem__, "PATH", os.environ["PATH"])
        os.environ["PATH"] += f":{self.folder}"
        self.script("energies", f"#!/bin/sh\n{script}\n")
        program = Program("energies", (2,), installed=True, results=lambda text: re.findall("energy (.*)", text),
                          reader=lambda text: [("time", 0, float(second), "s") for second in re.findall("(.*) seconds", text)])
        libraries = [self.library("a"), dataclasses.replace(self.library("b"), environment={"WHO": "b"})]
        plan = Plan("A plan", (program, Program("nowhere", installed=True), Program("nobody", installed=True)), (), lambda build, peers: libraries)
        paths = build.compile_all(plan, libraries, self.folder / "build", self.progress)
        args = types.SimpleNamespace(rounds=2, quick=False, budget_s=1e9)
        return rounds.measure(plan, libraries, paths, args, self.progress)[0]

    def test_a_program_of_the_system_is_run_and_one_that_is_not_installed_is_left_out(self):
        results = self.installed("echo energy 1.5; echo 2 seconds")
        self.assertEqual([results.of(Key("time", 0, 2), name) for name in "ab"], [{0: 2e9, 1: 2e9}] * 2)
        self.assertEqual(self.progress.holes, ["nowhere, nobody: not installed, and left out (docs/howto/benchmark.md)"])
        self.assertFalse(self.progress.has_wrong_results)

    def test_a_run_with_other_results_has_no_figures_and_is_wrong(self):
        results = self.installed("echo energy 1.5; echo energy 2.${WHO:+5}; echo 2 seconds")
        self.assertEqual([results.of(Key("time", 0, 2), name) for name in "ab"], [{0: 2e9, 1: 2e9}, {}])
        self.assertIn("b: energies with 2 PEs has other results than a: 2.5 instead of 2.", self.progress.holes)
        self.assertTrue(self.progress.has_wrong_results)

    def test_a_run_that_prints_fewer_results_or_none_has_no_figures_and_is_wrong(self):
        results = self.installed("[ -n \"$WHO\" ] || echo energy 1.5; echo 2 seconds")
        self.assertEqual(results.of(Key("time", 0, 2), "b"), {})
        self.assertIn("b: energies with 2 PEs printed no results", self.progress.holes)
        self.installed("echo energy 1.5; [ -n \"$WHO\" ] || echo energy 2.5; echo 2 seconds")
        self.assertIn("b: energies with 2 PEs has other results than a: nothing instead of 2.5", self.progress.holes)

    def test_a_run_that_ends_badly_has_no_figures_although_it_printed_its_results(self):
        results = self.installed("echo energy 1.5; echo 2 seconds; [ -z \"$WHO\" ]")
        self.assertEqual(results.of(Key("time", 0, 2), "b"), {})
        self.assertIn("b: energies with 2 PEs ended with status 1", self.progress.holes)

    def test_where_nobody_says_where_programs_lie_one_line_says_which_are_left_out(self):
        plan = Plan("A plan", tuple(Program(name, built=True) for name in ("solver", "sorter")), (), None)
        self.assertEqual(build.compile_all(plan, [self.library("a"), self.library("b")], self.folder / "build", self.progress), {})
        hole, = self.progress.holes
        self.assertTrue(hole.startswith("solver, sorter: not compiled here, and left out: --programs FOLDER"), hole)


if __name__ == "__main__":
    unittest.main()
