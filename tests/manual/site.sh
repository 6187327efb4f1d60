#!/usr/bin/env bash
# The site: builds without a warning, no link leads nowhere, and its search finds a routine in a browser, from disk.
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

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "without a browser" && exit 0; }
timeout 100 "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=10000 --user-data-dir="$work/profile" \
  --dump-dom "file://$work/site/search.html?q=fetch_add" >"$work/found" 2>/dev/null ||
  { echo "the browser did not start" && exit 0; }
grep -q 'href="routines/shmem_atomic_add.html' "$work/found"
