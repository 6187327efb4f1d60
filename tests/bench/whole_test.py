"""Output is written as a whole, or what was there before stays."""
# SPDX-License-Identifier: BSD-3-Clause
import pathlib
import tempfile
import unittest
from unittest import mock

from driver import whole


class WholeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "page.html"
        self.path.write_text("before")

    def names(self):
        return [path.name for path in self.path.parent.iterdir()]

    def test_a_file_is_replaced(self):
        whole.write_text(self.path, "after\n")
        self.assertEqual((self.path.read_text(), self.names()), ("after\n", ["page.html"]))

    def test_a_full_disk_leaves_what_was_there(self):
        def fill(part, *_, **__):
            part.write_bytes(b"aft")
            raise OSError(28, "No space left on device")
        with mock.patch.object(pathlib.Path, "write_text", autospec=True, side_effect=fill):
            with self.assertRaisesRegex(SystemExit, "page.html': No space left on device; nothing of it is left"):
                whole.write_text(self.path, "after")
        self.assertEqual((self.path.read_text(), self.names()), ("before", ["page.html"]))


if __name__ == "__main__":
    unittest.main()
