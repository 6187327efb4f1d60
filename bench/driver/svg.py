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


class LogAxis:
    """From the values' range, rounded out, to pixels between `begin` and `end`."""

    def __init__(self, values, begin, end, base=10):
        low, high = min(values), max(values)
        self.low = base ** math.floor(math.log(low, base) + 1e-9)
        self.high = base ** math.ceil(math.log(high, base) - 1e-9)
        if self.low == self.high:
            self.high *= base
        self.begin, self.end, self.base = begin, end, base

    def at(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self, most=8):
        """Powers of the base, thinned out to at most so many."""
        count = round(math.log(self.high / self.low, self.base))
        step = max(1, -(-count // most))
        return [self.low * self.base ** power for power in range(0, count + 1, step)]


def marker(shape, x, y, class_, title):
    size = 3.4
    tip = element("title", html.escape(title))
    if shape == "circle":
        return element("circle", tip, cx=x, cy=y, r=size, class_=class_)
    points = {"square": [(-1, -1), (1, -1), (1, 1), (-1, 1)], "triangle": [(0, -1.3), (1.2, 1), (-1.2, 1)],
              "diamond": [(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)]}[shape]
    corners = " ".join(f"{round_off(x + size * dx)},{round_off(y + size * dy)}" for dx, dy in points)
    return element("polygon", tip, points=corners, class_=class_)
