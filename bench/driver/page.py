"""The page: one self-contained HTML file."""
# SPDX-License-Identifier: BSD-3-Clause
def page(plan, rows, limits, libraries, facts, holes):
    return "<!doctype html>"
