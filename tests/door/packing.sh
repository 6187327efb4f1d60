# What ./atrium package puts into tarballs.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2164,SC2317  # cases are called by name, with set -e

# In $work, with a file that was unpacked from a release, in a folder that belongs to a repository of something else.
function make_unpacked_tree {
  git init -q "$work" && git -C "$work" -c user.name=a -c user.email=a@b.test commit -q --allow-empty -m "something else"
  mkdir -p "$work/tree"/{dist,packaging,src/__pycache__,build}
  cp "$SOURCE_TREE"/{CMakeLists.txt,CHANGELOG.md} "$work/tree/" && cp "$SOURCE_TREE/packaging/sbom.py" "$work/tree/packaging/"
  touch "$work"/tree/{src/a.c,src/__pycache__/a.pyc,build/a.o}
  ln -s ./a.c "$work/tree/src/b.c"
}

a_source_tarball_is_made_of_the_tree_within_another_repository() {
  command -v git >/dev/null || { echo "git is not installed" && exit 77; }
  command -v python3 >/dev/null || { echo "python3 is not installed" && exit 77; }
  source "$SOURCE_TREE/tools/door/package.sh"
  make_unpacked_tree
  atrium_root=$work/tree
  package_source atrium-4.5.6
  tar -tzf "$work/tree/dist/atrium-4.5.6.tar.gz" | grep -v '/$' | sort >"$work/files"
  diff "$work/files" - <<END
atrium-4.5.6/CHANGELOG.md
atrium-4.5.6/CMakeLists.txt
atrium-4.5.6/packaging/sbom.py
atrium-4.5.6/src/a.c
atrium-4.5.6/src/b.c
END
  tar -tvzf "$work/tree/dist/atrium-4.5.6.tar.gz" | grep -q ' atrium-4.5.6/src/b.c -> ./a.c$'
}

# Whenever it is packed, and whatever the umask: two of the same sources are alike, and everybody may read what is unpacked.
binary_tarballs_of_the_same_sources_are_alike() {
  command -v xz >/dev/null || { echo "xz is not installed" && exit 77; }
  source "$SOURCE_TREE/tools/door/package.sh"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(small LANGUAGES NONE)' 'install(FILES CMakeLists.txt DESTINATION include)' >"$work/CMakeLists.txt"
  cmake -S "$work" -B "$work/build" >/dev/null
  export SOURCE_DATE_EPOCH=86400
  local mask
  for mask in 022 077; do
    mkdir "$work/$mask"
    (umask $mask && pack_binary "$work/build" atrium-4.5.6-linux-small small "$work/$mask" 2>/dev/null)
  done
  cmp "$work"/{022,077}/atrium-4.5.6-linux-small.tar.xz
  tar -tvJf "$work/077/atrium-4.5.6-linux-small.tar.xz" >"$work/listed"
  ! grep -vE '^(d|-..)r.xr.xr.x .* 1970-01-02|^-rw-r--r-- .* 1970-01-02' "$work/listed"
}
