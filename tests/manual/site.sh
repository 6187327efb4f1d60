#!/usr/bin/env bash
# The site: builds without a warning, no link leads nowhere, no page is wider than a phone's or a laptop's window, and its search finds
# the right page first in a browser, from disk.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

sphinx=$SOURCE_TREE/build/manual/venv/bin/sphinx-build
[[ -x $sphinx ]] || { echo "Sphinx is not installed: ./atrium manual does that" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 "$SOURCE_TREE/tools/manual/site.py" "$work"
"$sphinx" -q -W --keep-going -b html "$work/docs" "$work/site"
python3 "$SOURCE_TREE/tools/manual/check_links.py" "$work/site"
# Nothing is loaded from elsewhere: the pages work without a network.
! grep -rlE '(src|href)="(https?:)?//[^"]*\.(js|css|woff2?)"' "$work/site" --include=*.html

# Options and numbers with their units stay in one line, and a file that the site does not have is named once.
grep -q '<span class="pre whole">--check</span>' "$work/site/guides/finding-faults.html"
! grep -E '<td>.*[0-9] ×' "$work/site/measurements.html"
! grep '01_hello.c (' "$work/site/examples/index.html"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  { echo "chromium is not installed: no link is broken, and the search was not tried" && exit 77; }

# shown PAGE [OPTION...]: what a browser makes of it.
shown() {
  timeout 100 "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=10000 --user-data-dir="$work/profile" "${@:2}" \
    --dump-dom "file://$work/site/$1" >"$work/page" 2>"$work/said" || { cat "$work/said" && exit 1; }
}

# Wide tables and long lines of code scroll within the page, which has a side bar on each side where there is room. Each page is shown in
# frames of a phone's width, a tablet's and two laptops', and of a wide window.
cat >"$work/site/widths.html" <<'END'
<title>waits</title>
<script>
const pages = ["mistakes", "ARCHITECTURE", "howto/see-where-time-goes", "routines/shmem_team_split_strided"], widths = [390, 800, 1280, 1366, 1600];
const frames = pages.flatMap(page => widths.map(width => Object.assign(document.createElement("iframe"), {src: page + ".html", width, height: 900})));
let left = frames.length, said = "";
function look(event) {
  const page = event.target.contentDocument.documentElement;
  if (page.scrollWidth > event.target.width) said += ` ${event.target.getAttribute("src")} ${page.scrollWidth} instead of ${event.target.width} pixels;`;
  if (--left === 0) document.title = said || "all fit";
}
addEventListener("load", () => frames.forEach(frame => { frame.onload = look; document.body.append(frame); }));
</script>
<body></body>
END
shown widths.html --window-size=1700,900 --allow-file-access-from-files
grep -q "<title>all fit" "$work/page" || { echo "pages are wider than their window: $(grep -o '<title>[^<]*' "$work/page")" && exit 1; }

# finds WHAT PAGE: the first page that is found. (The side bar names every page, so only the results are looked at.)
finds() {
  local first
  shown "search.html?q=$1"
  first=$(sed -n '/id="search-results"/,$p' "$work/page" | grep -o '<li[^>]*><a href="[^"#]*' | head -n 1 | sed 's/.*"//' || true)
  [[ $first == "$2" ]] || { echo "the search for '$1' finds '$first' first, not '$2'" && exit 1; }
}
finds fetch_add routines/shmem_atomic_add.html
finds shmem_int_put routines/shmem_put.html
finds deadlock howto/find-a-deadlock.html
finds nonesuchword ""
