"""--check: what is written is read again, and only what fell beyond the spread is named."""
# SPDX-License-Identifier: BSD-3-Clause
import pathlib
import tempfile
import unittest

import sample
from driver import check, judge, record
from driver.figures import Summary


def rows():
    return judge.rows(sample.plan(), sample.LIBRARIES, sample.results())


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def test_ratios_survive_the_file(self):
        record.write(self.path / "core.csv", rows(), sample.LIBRARIES)
        self.assertEqual(record.read_ratios(self.path / "core.csv")[sample.STORE, "other"], Summary(10, 10, 10, 10, 3))

    def test_the_same_again_is_not_worse(self):
        record.write(self.path / "core.csv", rows(), sample.LIBRARIES)
        self.assertEqual(list(check.worse(record.read_ratios(self.path / "core.csv"), rows())), [])

    def test_a_ratio_below_the_spread_is_named(self):
        before = {(sample.STORE, "other"): Summary(20, 18, 18, 22, 7)}
        found = list(check.worse(before, rows()))
        self.assertEqual([(key, library) for key, library, *_ in found], [(sample.STORE, "other")])
        self.assertIn("20.0 × (18.0 × to 22.0 ×) became 10.0 ×", next(check.lines(found)))

    def test_a_ratio_within_the_spread_is_not(self):
        before = {(sample.STORE, "other"): Summary(12, 9, 9, 15, 7)}
        self.assertEqual(list(check.worse(before, rows())), [])

    def test_of_two_builds_the_slower_one_is_named(self):
        times = {"atrium": Summary(10, 10, 10, 10, 7), "other": Summary(8, 8, 8, 8, 7)}
        row = lambda ratio: judge.Row(sample.STORE, "ns", times, {"other": ratio}, ())
        for ratio in (Summary(1.2, 1, 1.1, 1.3, 7), Summary(0.95, 0.9, 0.93, 0.97, 7), Summary(0.8, 0.6, 0.7, 1.01, 7)):
            self.assertEqual(list(check.slower([row(ratio)], "atrium", "other")), [])
        found = list(check.slower([row(Summary(0.8, 0.7, 0.7, 0.9, 7))], "atrium", "other"))
        self.assertEqual(len(found), 1)
        self.assertIn("10.0 ns, the other build 8.00 ns (0.80 ×)", found[0])

    def test_an_unknown_machine_is_compared_with_the_nearest(self):
        for name in ("amd-epyc-family26-2cpu", "intel-xeon-8592-64cpu"):
            (self.path / name).mkdir()
            (self.path / name / "core.csv").touch()
        self.assertEqual(check.committed(self.path, "amd-epyc-family25-8cpu", "core").parent.name, "amd-epyc-family26-2cpu")
        self.assertIsNone(check.committed(self.path, "any", "mpi"))


if __name__ == "__main__":
    unittest.main()
