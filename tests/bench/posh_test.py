"""The peers of POSH's plan: GASNet is one where pkg-config knows it, and its program belongs to nobody else."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

from driver import build, gasnet
from plans import paper_posh

KNOWN = "Name: gasnet\nDescription: a stand-in\nVersion: 1.28.2\nCflags: -DGASNET_SEQ -I/opt/gasnet/include\nLibs: -lgasnet-smp-seq\n"


@unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not here")
class GasnetTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        paths = mock.patch.dict(os.environ, {"PKG_CONFIG_LIBDIR": folder.name, "PKG_CONFIG_PATH": ""})
        paths.start()
        self.addCleanup(paths.stop)

    def test_without_it_there_is_no_such_peer(self):
        self.assertEqual((gasnet.libraries(), gasnet.ask("--libs")), ([], ()))

    def test_with_it_its_program_is_compiled_with_its_flags_and_told_how_many_processes_to_make(self):
        (self.folder / "gasnet-smp-seq.pc").write_text(KNOWN, encoding="utf-8")
        found, = gasnet.libraries()
        self.assertEqual((found.name, found.version), ("gasnet", "GASNet 1.28.2"))
        self.assertIn("-DGASNET_SEQ", found.compile)
        self.assertIn("-lgasnet-smp-seq", gasnet.ask("--libs"))
        output = subprocess.run([*found.run, "-n", "2", "sh", "-c", "echo $GASNET_PSHM_NODES $1", "-", "--quick"],
                                               capture_output=True, text=True, check=True).stdout
        self.assertEqual(output, "2 --quick\n")


class ProgramsTest(unittest.TestCase):
    def test_each_library_gets_the_programs_that_it_can_compile(self):
        names = {program.name: program for program in paper_posh.PROGRAMS}
        library = mock.Mock()
        library.name = "gasnet"
        wanted = [name for name, program in names.items() if not program.limit and build.wanted(program, library)]
        self.assertEqual(wanted, ["gasnet"])
        library.name = "posh"
        self.assertEqual([name for name, program in names.items() if not program.limit and build.wanted(program, library)], ["posh"])


if __name__ == "__main__":
    unittest.main()
