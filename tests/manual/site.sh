#!/usr/bin/env bash
# The site: builds without a warning, no link leads nowhere, and its search finds the right page first in a browser, from disk.
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

# finds WHAT PAGE: the first page that is found. (The side bar names every page, so only the results are looked at.)
finds() {
  timeout 100 "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=10000 --user-data-dir="$work/profile" \
    --dump-dom "file://$work/site/search.html?q=$1" >"$work/page" 2>"$work/said" || { cat "$work/said" && exit 1; }
  local first
  first=$(sed -n '/id="search-results"/,$p' "$work/page" | grep -o '<li[^>]*><a href="[^"#]*' | head -n 1 | sed 's/.*"//' || true)
  [[ $first == "$2" ]] || { echo "the search for '$1' finds '$first' first, not '$2'" && exit 1; }
}
finds fetch_add routines/shmem_atomic_add.html
finds shmem_int_put routines/shmem_put.html
finds deadlock howto/find-a-deadlock.html
finds nonesuchword ""
