# Builds the manual: static pages in build/manual/site that can be read and searched from disk, without a network.
# SPDX-License-Identifier: BSD-3-Clause
#
# The generator (Sphinx) comes from PyPI into an environment of its own, once; after that nothing is fetched.
source "$atrium_root/tools/door/setup.sh"

run_manual() {
  [[ $# -eq 0 ]] || refuse "manual understands no options"
  local folder=$atrium_root/build/manual
  need manual
  manual_environment "$folder/venv" || fail "cannot install Sphinx from PyPI; with a network, ./atrium manual tries again"
  say "building $folder/site"
  python3 "$atrium_root/tools/manual/site.py" "$folder" || fail "the texts are not complete"
  "$folder/venv/bin/sphinx-build" -q -W --keep-going -b html -d "$folder/doctrees" "$folder/docs" "$folder/site" || fail "the manual has faults"
  python3 "$atrium_root/tools/manual/check_links.py" "$folder/site" || fail "the manual has broken links"
  say "built: $folder/site/index.html"
}

help_manual() {
  echo "usage: ./atrium manual
Builds the manual into build/manual/site: pages to read and search from disk."
}

# manual_environment FOLDER: what requirements.txt names; made again when that changes.
manual_environment() {
  local wanted=$atrium_root/tools/manual/requirements.txt
  cmp -s "$wanted" "$1/requirements.txt" && return
  say "installing Sphinx into $1"
  python3 -m venv "$1" && "$1/bin/pip" install -q --disable-pip-version-check -r "$wanted" && cp "$wanted" "$1/requirements.txt"
}
