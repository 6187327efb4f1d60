"""SVG by hand: elements, a logarithmic axis, the shapes of markers. Colours are classes; style.css has them for light and dark."""
# SPDX-License-Identifier: BSD-3-Clause
import html
import math

SHAPES = ("circle", "square", "triangle", "diamond")


def element(name, text=None, **attributes):
    """<name attributes>text</name>; class_ is class, and _ stands for -."""
    words = "".join(f' {key.rstrip("_").replace("_", "-")}="{html.escape(value if isinstance(value, str) else round_off(value))}"'
                    for key, value in attributes.items())
    return f"<{name}{words}/>" if text is None else f"<{name}{words}>{text}</{name}>"


def round_off(number):
    return f"{number:.1f}".rstrip("0").rstrip(".")


def text(content, x, y, **attributes):
    return element("text", html.escape(content), x=x, y=y, **attributes)


def picture(width, height, label, parts):
    return element("svg", "".join(parts), viewBox=f"0 0 {width} {height}", role="img", aria_label=label)


PAPER = ".paper { fill: #fff; } @media (prefers-color-scheme: dark) { .paper { fill: #0d1117; } }\n"


def file_picture(width, height, label, style, parts):
    """A picture in a file of its own. A page may be dark where the reader's system is light, and the other way around, so it has paper."""
    paper = element("rect", width=width, height=height, class_="paper")
    drawn = picture(width, height, label, [element("style", style + PAPER), paper, *parts])
    return drawn.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" ', 1) + "\n"


class LogAxis:
    """From the values' range, and a little more, to pixels between `begin` and `end`."""

    def __init__(self, values, begin, end, base=10, margin=1.0):
        self.low, self.high = min(values) / margin, max(values) * margin
        if self.high / self.low < base:     # room for one tick at least
            middle = math.sqrt(self.low * self.high)
            self.low, self.high = middle / math.sqrt(base), middle * math.sqrt(base)
        self.begin, self.end, self.base = begin, end, base

    def at(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self, most=8):
        """Powers of the base within the range, thinned out to at most so many."""
        first = math.ceil(math.log(self.low, self.base) - 1e-9)
        last = math.floor(math.log(self.high, self.base) + 1e-9)
        step = max(1, -(-(last - first + 1) // most))
        return [float(self.base) ** power for power in range(first, last + 1, step)]


def marker(shape, x, y, class_, title):
    size = 3.4
    tip = element("title", html.escape(title))
    if shape == "circle":
        return element("circle", tip, cx=x, cy=y, r=size, class_=class_)
    points = {"square": [(-1, -1), (1, -1), (1, 1), (-1, 1)], "triangle": [(0, -1.3), (1.2, 1), (-1.2, 1)],
              "diamond": [(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)]}[shape]
    corners = " ".join(f"{round_off(x + size * dx)},{round_off(y + size * dy)}" for dx, dy in points)
    return element("polygon", tip, points=corners, class_=class_)
