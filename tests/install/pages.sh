# The manual's pages.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/install/installed.sh"

the_page_has_every_variable() {
  local name missing=
  for name in $("$bin/atrium-info" --variables | sed -n 's/^  \([A-Z_]*\) .*/\1/p'); do
    grep -qw "$name" "$PREFIX/share/man/man7/atrium.7" || { echo "atrium(7) lacks $name" && missing=yes; }
  done
  [[ -z $missing ]]
}

# That of the one variable in CMakeLists.txt, in each page's footer.
every_page_has_the_version() {
  local page version
  version=$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$BUILD_TREE/CMakeCache.txt")
  for page in "$PREFIX"/share/man/man*/*; do
    [[ $(head -c 4 "$page") != .so* ]] || continue
    grep -qE "^\.TH [^ ]+ [1-9] \"[0-9]*\" \"Atrium $version\" \"" "$page" || { echo "$page is not of version $version" && exit 1; }
  done
}

# Messages, settings, wrappers and manual pages name what can be found by whoever has no sources. NAME.html is what a user has made,
# the manual is there where it was built.
every_page_that_is_named_is_installed() {
  local page missing=
  for page in $(grep -raohE '[A-Za-z0-9_/-]+\.(md|html)\b' "$PREFIX"/{bin,lib,include,share/man} | sort -u); do
    [[ $page == NAME.html || $page == manual/* || -e $PREFIX/share/doc/atrium/$page ]] || { grep -ralE "$page" "$PREFIX"/{bin,lib,include,share/man} | head -n 3; echo "names $page, which is not installed" && missing=yes; }
  done
  [[ -z $missing ]]
}

# The links of what is installed to be read.
every_link_of_a_document_leads_somewhere() {
  local page link missing=
  while read -r page; do
    for link in $(grep -oE '\]\([^)# ]+' "$page" | sed 's/^](//'); do
      [[ $link == *:* || -e $(dirname "$page")/$link ]] || { echo "$page links $link, which is not installed" && missing=yes; }
    done
  done < <(find "$PREFIX/share/doc/atrium" -name '*.md')
  [[ -z $missing ]]
}

man_finds_the_pages() {
  need man
  local page
  for page in oshcc oshc++ oshfort oshrun atrium-info atrium-mpi atrium shmem_put shmem_putmem shmem_ctx_quiet shmem_ctx_long_atomic_fetch_add; do
    man -M "$PREFIX/share/man" -w "$page" >/dev/null
  done
}

# As wide as a terminal is; groff sees tables that do not fit, and mistakes.
man_warns_of_no_page() {
  need man
  local page said
  for page in "$PREFIX"/share/man/man*/*; do
    [[ $(head -c 4 "$page") != .so* ]] || continue
    said=$(MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "$page" 2>&1 >/dev/null)
    [[ -z $said ]] || { echo "$page: $said" && exit 1; }
  done
}
