"""What a person sees while it works: a line that renews itself on a terminal, a line per stage elsewhere."""
# SPDX-License-Identifier: BSD-3-Clause
import sys
import time


class Progress:
    def __init__(self, stream=sys.stderr):
        self.stream = stream
        self.lively = stream.isatty()
        self.begin = time.monotonic()
        self.holes = []
        self.has_wrong_results = False
        self.is_interrupted = False

    def elapsed_s(self):
        return time.monotonic() - self.begin

    def stage(self, text):
        """A new part of the work begins."""
        self.clear()
        print(f"atrium: {text}", file=self.stream, flush=True)

    def step(self, text, done, total):
        """One of many small steps: only for who watches."""
        if not self.lively:
            return
        filled = round(20 * done / max(total, 1))
        bar = "━" * filled + "·" * (20 - filled)
        print(f"\r\033[K{bar} {self.elapsed_s():4.0f} s  {text[:70]}", end="", file=self.stream, flush=True)

    def hole(self, text):
        """Something is missing from the results; said once, however often it happens."""
        if text not in self.holes:
            self.holes.append(text)
            self.stage(text)

    def wrong(self, text):
        """A program's results are wrong: a hole, and the whole run has failed."""
        self.has_wrong_results = True
        self.hole(text)

    def interrupt(self):
        """Nothing more is measured; what there is counts."""
        self.is_interrupted = True
        self.hole("interrupted: figures and rounds are missing")

    def clear(self):
        if self.lively:
            print("\r\033[K", end="", file=self.stream, flush=True)
