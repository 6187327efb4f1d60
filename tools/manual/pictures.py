#!/usr/bin/env python3
"""Draws the pictures of the manual: docs/pictures/NAME.txt becomes NAME.svg.

usage: pictures.py [--check]    (--check: say which committed pictures differ from what would be drawn)

A line of a text is one thing in the picture, later ones lie above earlier ones; # begins a comment. Places are in pixels:

    size WIDTH HEIGHT "what the picture says, for who cannot see it"
    box X Y WIDTH HEIGHT KIND "label"             its label stands in the middle
    arrow X1 Y1 X2 Y2 KIND ["label"]              its label stands over the middle
    line X1 Y1 X2 Y2 KIND
    text X Y KIND "label"                         begins at X; KIND may be small, strong or middle (centred at X)

KIND is what the style has a colour for: pe, memory, node, other, move, answer, faint.
"""
# SPDX-License-Identifier: BSD-3-Clause
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from driver import svg  # noqa: E402

FOLDER = ROOT / "docs/pictures"
STYLE = """
svg { font: 14px system-ui, sans-serif; } text { fill: #24292f; } .small { font-size: 12px; } .strong { font-weight: 600; } .middle { text-anchor: middle; }
rect { fill: none; stroke: #57606a; } rect.paper { fill: #fff; stroke: none; } rect.pe { fill: #ddf4ff; stroke: #0969da; } rect.memory { fill: #fff8c5; stroke: #9a6700; }
rect.node, rect.faint { stroke: #afb8c1; stroke-dasharray: 5 4; } rect.other { fill: #ffebe9; stroke: #cf222e; }
line { stroke: #57606a; stroke-width: 1.5; } line.move { stroke: #0969da; stroke-width: 2; } line.answer { stroke: #bc4c00; stroke-width: 2; }
line.faint { stroke: #afb8c1; stroke-dasharray: 4 4; } .head { fill: #57606a; } .head.move { fill: #0969da; } .head.answer { fill: #bc4c00; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } rect { stroke: #8b949e; } rect.paper { fill: #0d1117; } rect.pe { fill: #0c2d6b; stroke: #58a6ff; }
rect.memory { fill: #3b2300; stroke: #d29922; } rect.node, rect.faint, line.faint { stroke: #6e7681; } rect.other { fill: #490202; stroke: #f85149; }
line { stroke: #8b949e; } line.move { stroke: #58a6ff; } line.answer { stroke: #f0883e; } .head { fill: #8b949e; } .head.move { fill: #58a6ff; }
.head.answer { fill: #f0883e; } }
"""


def box(x, y, width, height, kind, label=""):
    return [svg.element("rect", x=x, y=y, width=width, height=height, rx=5, class_=kind),
            svg.text(label, x + width / 2, y + height / 2 + 5, class_="middle")]


def arrow(x1, y1, x2, y2, kind, label=""):
    """Its head is a triangle of 9 by 8 pixels, so that no marker has to be shared by pictures of one page."""
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    along, up = (x2 - x1) / length, (y2 - y1) / length
    back, side = (x2 - 9 * along, y2 - 9 * up), (4 * up, -4 * along)
    corners = [(x2, y2), (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])]
    points = " ".join(f"{svg.round_off(x)},{svg.round_off(y)}" for x, y in corners)
    return [*line(x1, y1, *back, kind), svg.element("polygon", points=points, class_=f"head {kind}"),
            *([svg.text(label, (x1 + x2) / 2, (y1 + y2) / 2 - 7, class_="middle small")] if label else [])]


def line(x1, y1, x2, y2, kind):
    return [svg.element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)]


def text(x, y, kind, label):
    return [svg.text(label, x, y, class_=kind)]


SHAPES = {"box": box, "arrow": arrow, "line": line, "text": text}


def draw(path):
    parts, size = [], None
    for number, written in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = [number_or_word(word) for word in shlex.split(written, comments=True)]
        try:
            if words and words[0] == "size":
                size = words[1:]
            elif words:
                parts += SHAPES[words[0]](*words[1:])
        except (KeyError, TypeError, ZeroDivisionError) as error:
            raise SystemExit(f"{path}:{number}: cannot draw '{written}': {error}") from error
    if size is None:
        raise SystemExit(f"{path}: no line 'size WIDTH HEIGHT \"what it says\"'")
    width, height, said = size
    # A page may be dark where the reader's system is light, and the other way around: a picture has paper of its own.
    parts.insert(0, svg.element("rect", x=0, y=0, width=width, height=height, class_="paper"))
    return svg.element("svg", f"\n<style>{STYLE}</style>\n" + "\n".join(parts) + "\n", xmlns="http://www.w3.org/2000/svg",
                       viewBox=f"0 0 {width:g} {height:g}", width=width, height=height, role="img", aria_label=said) + "\n"


def number_or_word(word):
    try:
        return float(word)
    except ValueError:
        return word


def main(arguments):
    differ = []
    for path in sorted(FOLDER.glob("*.txt")):
        drawn, picture = draw(path), path.with_suffix(".svg")
        if arguments != ["--check"]:
            picture.write_text(drawn, encoding="utf-8")
        elif not picture.exists() or picture.read_text(encoding="utf-8") != drawn:
            differ.append(picture.name)
    if differ:
        print(f"{', '.join(differ)}: not what tools/manual/pictures.py draws from the texts beside them; run it")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
