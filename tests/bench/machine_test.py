"""The name of a machine, by which its results are kept apart from those of others."""
# SPDX-License-Identifier: BSD-3-Clause
import unittest
from unittest import mock

from driver import machine


def name_of(cpuinfo):
    with mock.patch.object(machine, "read", lambda path: cpuinfo), mock.patch.object(machine, "usable_cpus", lambda: 2):
        return machine.name()


class MachineTest(unittest.TestCase):
    def test_models_whose_names_have_no_number_are_told_apart(self):
        xeon = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: {}\nmodel name\t: Intel(R) Xeon(R) Processor @ 2.80GHz\n"
        self.assertEqual(name_of(xeon.format(106)), "intel-xeon-family6model106-2cpu")
        self.assertEqual(name_of(xeon.format(207)), "intel-xeon-family6model207-2cpu")

    def test_a_name_with_a_number_says_enough(self):
        epyc = "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC 7763 64-Core Processor\n"
        self.assertEqual(name_of(epyc), "amd-epyc-7763-2cpu")

    def test_a_processor_of_arm_has_the_number_of_its_part(self):
        self.assertEqual(name_of("CPU implementer\t: 0x41\nCPU part\t: 0xd40\n"), "0xd40-2cpu")


if __name__ == "__main__":
    unittest.main()
