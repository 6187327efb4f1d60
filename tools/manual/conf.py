# How Sphinx makes the manual, and what its search finds (site.py copies this file beside the pages).
# SPDX-License-Identifier: BSD-3-Clause
from pathlib import Path

from sphinx.search.en import SearchEnglish

project = html_title = "Atrium"
extensions = ["myst_parser"]
myst_heading_anchors = 4
highlight_language = "none"  # a block that names no language is a command or what one printed
html_theme = "furo"
html_copy_source = html_show_sourcelink = html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["wide.css"]
html_extra_path = ["extra"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))


class NamesAndTheirEnds(SearchEnglish):
    """shmem_atomic_fetch_add is also found as atomic_fetch_add, fetch_add and add: Sphinx takes it as one word."""

    def split(self, text):
        return [end for word in super().split(text) for end in ends_of(word)]


def ends_of(word):
    parts = word.split("_")
    return [word] + ["_".join(parts[i:]) for i in range(1, len(parts)) if parts[i]]


def setup(app):
    app.add_search_language(NamesAndTheirEnds)
