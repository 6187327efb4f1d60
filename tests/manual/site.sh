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

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  { echo "chromium is not installed: no link is broken, and the search was not tried" && exit 77; }

# shown PAGE [OPTION...]: what a browser makes of it.
shown() {
  timeout 100 "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=10000 --user-data-dir="$work/profile" "${@:2}" \
    --dump-dom "file://$work/site/$1" >"$work/page" 2>"$work/said" || { cat "$work/said" && exit 1; }
}

# Wide tables and lines scroll within the page, which has a side bar on each side where there is room.
cp "$work/site/mistakes.html" "$work/site/widths.html"
cat >>"$work/site/widths.html" <<'END'
<script>
const page = document.documentElement;
addEventListener("load", () => document.title = page.scrollWidth > page.clientWidth ? `${page.scrollWidth} pixels` : "fits");
</script>
END
for width in 500 1366 1600; do
  shown widths.html "--window-size=$width,900"
  grep -q "<title>fits" "$work/page" || { echo "in a window of $width pixels the page has $(grep -oE '[0-9]+ pixels' "$work/page")" && exit 1; }
done

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
