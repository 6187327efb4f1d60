"""Bars of ratios: how many times as good the judged library is as each peer, on a logarithmic axis around 1."""
# SPDX-License-Identifier: BSD-3-Clause
from driver import names, svg, trust, units

WIDTH, LABELS, RIGHT, LINE, TOP = 700, 300, 620, 22, 26


def chart(rows, peer, class_):
    """One bar for each row that has a ratio with the peer; None when there is none."""
    rows = [row for row in rows if peer in row.faster and row.faster[peer].median > 0]
    if not rows:
        return None
    axis = svg.LogAxis([row.faster[peer].median for row in rows] + [1, 10], LABELS + 12, RIGHT)
    height = TOP + LINE * len(rows) + 8
    parts = []
    for value in axis.ticks():
        x = axis.at(value)
        parts += [svg.element("line", x1=x, x2=x, y1=TOP - 6, y2=height - 6, class_="one" if value == 1 else "grid"),
                  svg.text(f"{value:g} ×", x, TOP - 11, text_anchor="middle")]
    for number, row in enumerate(rows):
        parts += bar(row, row.faster[peer], axis, TOP + LINE * number, class_)
    return svg.picture(WIDTH, height, f"ratios against {peer}", parts)


def bar(row, faster, axis, y, class_):
    begin, end = sorted((axis.at(1), axis.at(faster.median)))
    doubts = trust.doubts(faster)
    slower = (" slower" if faster.median < 1 else "") + (" doubtful" if doubts else "")
    return [svg.text(label(row), LABELS - 8, y + 14, text_anchor="end"),
            svg.element("rect", x=begin, y=y + 3, width=max(end - begin, 1), height=LINE - 8, class_=f"bar {class_}{slower}"),
            svg.text(units.show_ratio(faster.median) + (" ?" if doubts else ""), end + 5, y + 14, class_="value")]


def label(row):
    size = f" {units.show_bytes(row.key.bytes)}" if row.key.bytes > 8 else ""
    return f"{names.for_people(row.key.measure)}{size}" + (f", {row.key.pes} PEs" if row.key.pes != 2 else "")
