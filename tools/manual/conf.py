# How Sphinx makes the manual, and what its search finds (site.py copies this file beside the pages).
# SPDX-License-Identifier: BSD-3-Clause
import re
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


def keep_together(app, name, template, context, doctree):
    """No line ends within an option (kill -9, --check) or between a number and its unit."""
    parts = re.split(r"(<pre>.*?</pre>)", context.get("body", ""), flags=re.S)
    for i in range(0, len(parts), 2):
        whole = re.sub(r'<span class="pre">(?=[^<]{1,24}</span>)(?=[^<]*-)', '<span class="pre whole">', parts[i])
        parts[i] = re.sub(r"(?<=\d) (?=(×|%|[nµm]?s|[KMGT]?i?B(/s)?|Mop/s|Gbit/s)(?![\w/]))", "\N{NO-BREAK SPACE}", whole)
    context["body"] = "".join(parts)


def setup(app):
    app.connect("html-page-context", keep_together)
    app.add_search_language(NamesAndTheirEnds)
