"""The page: one self-contained HTML file with plots, bars, targets and how it was measured. No network; its one script
filters the tables, and without it they are whole."""
# SPDX-License-Identifier: BSD-3-Clause
import html
import pathlib
import statistics

from driver import bars, curves, names, published, svg, table, trust, units

# How a ratio of each kind is read; they are not mixed into one number.
KINDS = {"ns": "times", "GB/s": "bandwidths", "Mop/s": "rates", "B": "sizes in memory"}
FILTER = pathlib.Path(__file__).with_name("filter.js")
STYLE = pathlib.Path(__file__).with_name("style.css")


def page(plan, rows, libraries, facts, holes):
    parts = [heading(plan, facts), warnings(rows, facts), tiles(rows, libraries), beside_the_source(plan, rows, libraries),
             ratios(plan, rows, libraries)]
    parts += [plot_section(plot, rows, libraries) for plot in plan.plots]
    parts += [targets(rows, libraries), method(plan, rows, facts, holes)]
    return ("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            f"content=\"width=device-width, initial-scale=1\"><title>{html.escape(plan.title)}</title>\n"
            f"<style>\n{STYLE.read_text(encoding='utf-8')}</style></head>\n<body>\n" + "\n".join(filter(None, parts))
            + f"\n<script>\n{FILTER.read_text(encoding='utf-8')}</script>\n</body></html>\n")


def heading(plan, facts):
    told = dict(facts)
    where = f"{told.get('processor')}, {told.get('usable CPUs')} CPUs, {told.get('date')}, commit {told.get('commit')}"
    return f"<h1>{html.escape(plan.title)}</h1>\n<p class=\"quiet\">{html.escape(where)}</p>"


def warnings(rows, facts):
    """Rounds, spread and load, before any figure; loudly when they say that the figures are not to be trusted."""
    told = dict(facts)
    counts = [summary.rounds for row in rows for summary in row.summaries.values()]
    few, busy = bool(counts) and max(counts) < trust.FEWEST_ROUNDS, "meanwhile" in told.get("other work", "")
    said = (f"Rounds: {trust.rounds_text(rows)}; half of the figures spread by less than {trust.spread_text(rows)} between their "
            f"quartiles; other work: {told.get('other work', 'not recorded')}.")
    return (f"<p class=\"{'warning' if few or busy else 'quiet'}\">{'These figures are not to be trusted. ' if few or busy else ''}"
            f"{html.escape(said)}</p>")


def tiles(rows, libraries):
    judged = [row.met for row in rows if row.met is not None]
    found = [(f"{sum(judged)} of {len(judged)}", "rows with a target meet it")] if judged else []
    for peer in libraries[1:]:
        found += medians(rows, peer.name, f"as good as {peer.label}", lambda ratio: ratio)
    found += medians(rows, "limit", "the machine's limit", lambda ratio: 1 / ratio)
    return "<div class=\"tiles\">" + "".join(
        f"<div class=\"tile\"><b>{html.escape(number)}</b><span>{html.escape(text)}</span></div>" for number, text in found) + "</div>"


def beside_the_source(plan, rows, libraries):
    """Each published figure with ours, the limit and the verdict."""
    if not plan.published:
        return ""
    head = "".join(f"<th>{cell}</th>" for cell in ("in the source", "published", "ours", "limit", "verdict"))
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in answer)}</tr>"
                   for answer in published.answers(plan, rows, libraries))
    return (f"<h2>Beside the source</h2>\n<p class=\"quiet\">{html.escape(plan.source)} Machines differ; a ratio within one machine is "
            f"what can be compared.</p>\n<div class=\"scroll\"><table class=\"facts\"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>")


def medians(rows, other, what, reading):
    """A tile for each kind of figure, of those that can be trusted."""
    for unit, kind in KINDS.items():
        ratios_of = [reading(row.faster[other].median) for row in rows
                     if row.unit == unit and other in row.faster and not trust.doubts(row.faster[other])]
        if ratios_of:
            yield units.show_ratio(statistics.median(ratios_of)), f"{what}: median of {len(ratios_of)} {kind}"


def ratios(plan, rows, libraries):
    """A bar chart for each peer, of the plan's headlines."""
    wanted = [row for row in rows if plan.is_headline(*row.key)]
    parts = []
    for index, peer in enumerate(libraries[1:], 1):
        drawn = bars.chart(wanted, peer.name, "s0")
        if drawn:
            parts.append(f"<h2>How many times as good as {html.escape(peer.label)}</h2>\n<p class=\"quiet\">To the right of 1 "
                         f"{html.escape(libraries[0].label)} is better; hollow bars are where it is not, pale ones with a question mark are not to be "
                         f"trusted: fewer than {trust.FEWEST_ROUNDS} rounds, or a spread above {trust.WIDEST} ×.</p>"
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
             "they may differ from the ratio of the two medians beside them. The limit is the best loop that we know: a "
             "library may beat it by a cache line here and there, and 0.97 × means nothing but at the limit. A question mark: not "
             "to be trusted.</p>", grid(judged, libraries)]
    if others:
        parts.append(f"<details><summary>{len(others)} figures without a target</summary>{grid(others, libraries)}</details>")
    return "\n".join(parts)


def grid(rows, libraries):
    head, *lines = table.cells(rows, libraries)
    body = "\n".join(f"<tr>{measure(row)}{''.join(f'<td>{html.escape(cell)}</td>' for cell in line[1:-1])}{verdict(row)}</tr>"
                     for row, line in zip(rows, lines))
    return (f"<div class=\"scroll\"><table><thead><tr>{''.join(f'<th>{html.escape(cell)}</th>' for cell in head)}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>")


def measure(row):
    """For people; with the name that programs and options know, and why it is doubted, for who points at it."""
    why = "; ".join(f"against {name}: {', '.join(found)}" for name, summary in row.faster.items() if (found := trust.doubts(summary)))
    tip = row.key.measure + (f" (not to be trusted {why})" if why else "")
    return f"<td title=\"{html.escape(tip)}\">{html.escape(names.for_people(row.key.measure))}</td>"


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
