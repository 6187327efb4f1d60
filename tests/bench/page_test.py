"""The page stands alone, is well formed, and shows what was measured."""
# SPDX-License-Identifier: BSD-3-Clause
import html
import html.parser
import unittest

import sample
from driver import figures, judge, names, page, svg, trust

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
        self.assertNotIn("http", drawn())

    def test_it_has_plots_bars_targets_facts_and_holes(self):
        reader = Balance()
        reader.feed(drawn())
        text = "\n".join(reader.texts)
        for part in ("put, 2 PEs", "Other <1>", "10.0 ×", "✓ ≤ 1.15 × limit", "a & b", "still running after 60 s"):
            self.assertIn(part, text)
        self.assertLessEqual({"svg", "polyline", "rect", "table"}, reader.seen)

    def test_rounds_load_and_doubt_are_said(self):
        text = drawn()
        self.assertIn("Rounds: 3;", text)
        self.assertNotIn("These figures are not to be trusted", text)
        results, plan = sample.results(), sample.plan(sample.STORE_RULE)
        rows = judge.rows(plan, sample.LIBRARIES, results)
        busy = page.page(plan, rows, sample.LIBRARIES, [("other work", trust.doubts_of_run([2, 3])[0])], [])
        self.assertIn("These figures are not to be trusted", busy)
        self.assertIn("2.5 processes", busy)

    def test_one_round_or_a_wide_spread_is_doubted_and_left_out_of_headlines(self):
        self.assertEqual(trust.doubts(figures.summarize([5.0])), ["one round"])
        self.assertTrue(trust.doubts(figures.summarize([1, 1, 4, 9])))
        self.assertEqual(trust.doubts(figures.summarize([1, 1.1, 1.2, 1.3])), [])
        found = figures.Figures()
        found.add(sample.STORE, "atrium", 0, 1, "ns")
        found.add(sample.STORE, "other", 0, 308138, "ns")
        text = page.page(sample.plan(), judge.rows(sample.plan(), sample.LIBRARIES, found), sample.LIBRARIES, [], [])
        self.assertIn("308138 × ?", text)
        self.assertNotIn("as good as Other <1>: median", html.unescape(text))

    def test_kinds_of_figures_have_medians_of_their_own(self):
        self.assertIn("median of 1 times", drawn())
        self.assertIn("median of 2 bandwidths", drawn())

    def test_measures_have_names_for_people(self):
        self.assertEqual(names.for_people("put_nbi.heap.stream"), "non-blocking put, in the heap, same buffer again")
        self.assertEqual(names.for_people("something_new.odd_part"), "something new, odd part")
        self.assertIn("put of one word (p)", drawn())

    def test_a_logarithmic_axis_spreads_decades_evenly(self):
        axis = svg.LogAxis([1, 100], 0, 200)
        self.assertEqual([round(axis.at(value)) for value in axis.ticks()], [0, 100, 200])

    def test_an_axis_of_one_value_still_has_a_tick(self):
        self.assertTrue(svg.LogAxis([3], 0, 100).ticks())

    def test_a_picture_in_a_file_lies_on_paper_that_is_light_or_dark_as_its_words(self):
        picture = svg.file_picture(10, 20, "a box", "text { fill: black; }", ["<rect id='box'/>"])
        self.assertLess(picture.index('class="paper"'), picture.index("id='box'"))
        self.assertIn("(prefers-color-scheme: dark) { .paper {", picture)


if __name__ == "__main__":
    unittest.main()
