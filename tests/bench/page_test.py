"""The page stands alone, is well formed, and shows what was measured."""
# SPDX-License-Identifier: BSD-3-Clause
import html.parser
import unittest

import sample
from driver import judge, page, svg

ALONE = {"meta"}


class Balance(html.parser.HTMLParser):
    """Every element that opens closes, and nothing is fetched."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.seen = [], [], set()

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        assert not {"src", "href"} & {name for name, _ in attributes}, attributes
        if tag not in ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.texts.append(data)


def drawn():
    results, plan = sample.results(), sample.plan(sample.STORE_RULE)
    judge.add_limits(plan, results, sample.machine(), "atrium")
    return page.page(plan, judge.rows(plan, sample.LIBRARIES, results), sample.LIBRARIES, [("processor", "a & b")],
                     ["other: put with 8 PEs still running after 60 s"])


class PageTest(unittest.TestCase):
    def test_it_is_well_formed_and_fetches_nothing(self):
        reader = Balance()
        reader.feed(drawn())
        self.assertEqual(reader.open, [])
        self.assertNotIn("script", reader.seen)
        self.assertNotIn("http", drawn())

    def test_it_has_plots_bars_targets_facts_and_holes(self):
        reader = Balance()
        reader.feed(drawn())
        text = "\n".join(reader.texts)
        for part in ("put, 2 PEs", "Other <1>", "10.0 ×", "✓ ≤ 1.15 × limit", "a & b", "still running after 60 s"):
            self.assertIn(part, text)
        self.assertLessEqual({"svg", "polyline", "rect", "table"}, reader.seen)

    def test_a_logarithmic_axis_spreads_decades_evenly(self):
        axis = svg.LogAxis([1, 100], 0, 200)
        self.assertEqual([round(axis.at(value)) for value in axis.ticks()], [0, 100, 200])

    def test_an_axis_of_one_value_still_has_a_tick(self):
        self.assertTrue(svg.LogAxis([3], 0, 100).ticks())


if __name__ == "__main__":
    unittest.main()
