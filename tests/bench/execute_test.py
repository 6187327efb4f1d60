"""A command that fails, hangs or does not exist is one line, and leaves nothing behind."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import tempfile
import time
import unittest

from driver import execute


class ExecuteTest(unittest.TestCase):
    def test_output_and_success_come_back(self):
        outcome = execute.execute(["sh", "-c", "echo $WORD"], 20, {"WORD": "hello"})
        self.assertEqual((outcome.output, outcome.failure), ("hello\n", ""))

    def test_a_failure_says_the_status_and_the_first_words(self):
        self.assertEqual(execute.execute(["sh", "-c", "echo oh >&2; exit 3"], 20).failure, "ended with status 3: oh")

    def test_a_signal_is_named(self):
        self.assertEqual(execute.execute(["sh", "-c", "kill -9 $$"], 20).failure, "ended with signal 9")

    def test_a_missing_program_is_no_exception(self):
        self.assertIn("cannot start", execute.execute(["/nowhere/at/all"], 20).failure)

    def test_what_hangs_is_ended_with_its_children_and_keeps_its_output(self):
        with tempfile.NamedTemporaryFile("r") as file:
            outcome = execute.execute(["sh", "-c", f"echo before; sleep 100 & echo $! >{file.name}; wait"], 0.5)
            child = int(file.read())
        self.assertEqual((outcome.output, outcome.failure), ("before\n", "still running after 0.5 s"))
        self.assertTrue(self.is_gone(child))

    @staticmethod
    def is_gone(process):
        """A child that nobody has waited for yet is gone as well."""
        for _ in range(100):
            try:
                os.kill(process, 0)
                with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                    if file.read().rpartition(")")[2].split()[0] == "Z":
                        return True
            except (ProcessLookupError, FileNotFoundError):
                return True
            time.sleep(0.05)
        return False


if __name__ == "__main__":
    unittest.main()
