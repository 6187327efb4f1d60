"""The page: one self-contained HTML file with plots, bars, targets and how it was measured. No script, no network."""
# SPDX-License-Identifier: BSD-3-Clause
import html
import pathlib
import statistics

from driver import bars, curves, svg, table, units

STYLE = pathlib.Path(__file__).with_name("style.css")


def page(plan, rows, libraries, facts, holes):
    parts = [heading(plan, facts), tiles(rows, libraries), ratios(plan, rows, libraries)]
    parts += [plot_section(plot, rows, libraries) for plot in plan.plots]
    parts += [targets(rows, libraries), method(plan, rows, facts, holes)]
    return ("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            f"content=\"width=device-width, initial-scale=1\"><title>{html.escape(plan.title)}</title>\n"
            f"<style>\n{STYLE.read_text(encoding='utf-8')}</style></head>\n<body>\n" + "\n".join(filter(None, parts))
            + "\n</body></html>\n")


def heading(plan, facts):
    told = dict(facts)
    where = f"{told.get('processor')}, {told.get('usable CPUs')} CPUs, {told.get('date')}, commit {told.get('commit')}"
    return f"<h1>{html.escape(plan.title)}</h1>\n<p class=\"quiet\">{html.escape(where)}</p>"


def tiles(rows, libraries):
    judged = [row.met for row in rows if row.met is not None]
    near = [row for row in rows if "limit" in row.faster]
    found = [(f"{sum(judged)} of {len(judged)}", "rows with a target meet it")]
    for peer in libraries[1:]:
        ratios_of = [row.faster[peer.name].median for row in rows if peer.name in row.faster]
        if ratios_of:
            found.append((units.show_ratio(statistics.median(ratios_of)), f"as good as {peer.label}, median of {len(ratios_of)} figures"))
    if near:
        found.append((units.show_ratio(statistics.median(1 / row.faster["limit"].median for row in near)),
                      f"the machine's limit, median of {len(near)} figures"))
    return "<div class=\"tiles\">" + "".join(
        f"<div class=\"tile\"><b>{html.escape(number)}</b><span>{html.escape(text)}</span></div>" for number, text in found) + "</div>"


def ratios(plan, rows, libraries):
    """A bar chart for each peer, of the plan's headlines."""
    wanted = [row for row in rows if plan.is_headline(*row.key)]
    parts = []
    for index, peer in enumerate(libraries[1:], 1):
        drawn = bars.chart(wanted, peer.name, "s0")
        if drawn:
            parts.append(f"<h2>How many times as good as {html.escape(peer.label)}</h2>\n<p class=\"quiet\">To the right of 1 "
                         f"{html.escape(libraries[0].label)} is better; hollow bars are where it is not.</p>"
                         f"<div class=\"card bars\">{drawn}</div>")
    return "\n".join(parts)


def plot_section(plot, rows, libraries):
    panels = curves.panels(plot, rows, libraries)
    if not panels:
        return ""
    cards = "".join(f"<div class=\"card\">{drawn}</div>" for drawn in panels)
    return f"<h2>{html.escape(plot.title)}</h2>\n{legend(libraries)}\n<div class=\"panels\">{cards}</div>"


def legend(libraries):
    entries = [(library.label, f"s{index}", svg.SHAPES[index % 4]) for index, library in enumerate(libraries)]
    drawn = "".join(f"<span>{sample(class_, shape)}{html.escape(label)}</span>" for label, class_, shape in entries)
    return f"<div class=\"legend\">{drawn}<span>{sample('limit', None)}the machine's limit</span></div>"


def sample(class_, shape):
    parts = [svg.element("line", x1=1, x2=29, y1=6, y2=6, class_=f"curve {class_}")]
    if shape:
        parts.append(svg.marker(shape, 15, 6, class_, ""))
    return svg.element("svg", "".join(parts), viewBox="0 0 30 12", aria_hidden="true")


def targets(rows, libraries):
    judged = [row for row in rows if row.met is not None]
    others = [row for row in rows if row.met is None]
    parts = ["<h2>Targets</h2><p class=\"quiet\">Ratios are medians of the ratios within each round, so that drift cancels out; "
             "they may differ from the ratio of the two medians beside them.</p>", grid(judged, libraries)]
    if others:
        parts.append(f"<details><summary>{len(others)} figures without a target</summary>{grid(others, libraries)}</details>")
    return "\n".join(parts)


def grid(rows, libraries):
    head, *lines = table.cells(rows, libraries)
    body = "\n".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in line[:-1])}{verdict(row)}</tr>"
                     for row, line in zip(rows, lines))
    return (f"<div class=\"scroll\"><table><thead><tr>{''.join(f'<th>{html.escape(cell)}</th>' for cell in head)}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>")


def verdict(row):
    """Each target with a mark that does not need its colour."""
    marks = [f"<span class=\"{'met' if found.met else 'missed'}\">{'✓' if found.met else '✗'} {html.escape(found.target)}</span>"
             for found in row.verdicts]
    return f"<td title=\"{html.escape(row.because)}\">{' &nbsp; '.join(marks)}</td>"


def method(plan, rows, facts, holes):
    said = [f"Programs that use the standard API only were compiled with each library's own compiler and run in turns, round by round, "
            f"the machine's limits among them. Each figure is a median within a program, then the median of the rounds; thin lines in "
            f"the plots span the middle half of the rounds.", *plan.notes]
    paragraphs = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in said)
    told = "".join(f"<tr><td>{html.escape(what)}</td><td>{html.escape(value)}</td></tr>" for what, value in facts)
    missing = "".join(f"<li>{html.escape(hole)}</li>" for hole in holes)
    return (f"<h2>How it was measured</h2>{paragraphs}<div class=\"scroll\"><table class=\"facts\"><tbody>{told}</tbody></table></div>"
            + limits_explained(rows)
            + (f"<h2>What is missing</h2><ul>{missing}</ul>" if holes else ""))


def limits_explained(rows):
    """What the limit of each measure is."""
    meanings = {}
    for row in rows:
        if row.because and "limit" in row.summaries:
            meanings.setdefault(row.because, {})[row.key.measure] = None
    told = "".join(f"<tr><td>{html.escape(', '.join(measures))}</td><td>{html.escape(because)}</td></tr>"
                   for because, measures in meanings.items())
    return (f"<details><summary>What the limits are</summary><div class=\"scroll\"><table class=\"facts\"><tbody>{told}</tbody>"
            "</table></div></details>" if meanings else "")
