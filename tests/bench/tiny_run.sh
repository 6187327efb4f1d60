# The whole way from the driver's command line to table, CSV and page, with the quickest programs of the core.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

export PYTHONPATH=$SOURCE_TREE/bench PYTHONDONTWRITEBYTECODE=1
output=$BUILD_TREE/tests/bench/tiny
rm -rf "$output"
mkdir -p "${output%/*}"
python3 -m driver --quick --alone --no-limits --rounds 1 --only locks --output "$output" | tee "$output.txt"

grep -Eq '^measure +bytes +PEs +Atrium' "$output.txt"
grep -Eq '^lock\.uncontended .* 2 .* ns' "$output.txt"
python3 - "$output" <<'END'
import csv, html.parser, pathlib, sys

folder = pathlib.Path(sys.argv[1])
rows = list(csv.DictReader((folder / "core.csv").open()))
assert any(row["measure"] == "lock.uncontended" and float(row["median"]) > 0 for row in rows), rows
html.parser.HTMLParser().feed((folder / "core.html").read_text())
assert "lock.uncontended" in (folder / "core.html").read_text()
assert "usable CPUs: " in (folder / "core.txt").read_text()
END
