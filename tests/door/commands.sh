# What ./atrium answers, and the versions of all parts.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2164,SC2317  # cases are called by name, with set -e

help_names_every_command() {
  local command
  for command in demo test build bench sim lint package setup; do says "  $command " 0 "$atrium_root/atrium" --help; done
}

# Each by its own text, in a tree that cannot be built, with nothing installed by it.
every_command_answers_help_and_builds_nothing() {
  local command
  mkdir "$work/tree"
  ln -s "$SOURCE_TREE"/{atrium,tools,bench,examples,tests} "$work/tree/"
  rm "$work/tree/atrium" && cp "$SOURCE_TREE/atrium" "$work/tree/"
  mkdir "$work/bin"
  for command in cmake apt-get sudo ninja make; do printf '#!/bin/sh\ntouch "%s/called"\n' "$work" >"$work/bin/$command"; done
  chmod +x "$work"/bin/*
  for command in demo test build bench sim lint package manual setup; do
    PATH=$work/bin:$PATH says "usage: ./atrium $command" 0 "$work/tree/atrium" "$command" --help
    PATH=$work/bin:$PATH says "usage: ./atrium $command" 0 "$work/tree/atrium" "$command" -h
  done
  PATH=$work/bin:$PATH says "usage: ./atrium bench" 0 "$work/tree/atrium" bench mpi --help
  PATH=$work/bin:$PATH says "--steps N" 0 "$work/tree/atrium" demo --help
  [[ ! -e $work/called && ! -e $work/tree/build && ! -e $work/tree/dist ]]
}

an_unknown_set_of_packages_ends_with_status_2() { says "not 'tset'" 2 "$atrium_root/atrium" setup tset; }

an_unknown_command_ends_with_status_2() { says "unknown command 'bulid'" 2 "$atrium_root/atrium" bulid; }

a_misspelt_command_is_told_its_name() {
  says "unknown command 'packge': did you mean package? try ./atrium --help" 2 "$atrium_root/atrium" packge
  says "did you mean build?" 2 "$atrium_root/atrium" bulid
  says "did you mean test?" 2 "$atrium_root/atrium" tset
  says "unknown command 'frobnicate': try ./atrium --help" 2 "$atrium_root/atrium" frobnicate
}

an_unknown_option_ends_with_status_2() { says "unknown option '--fast'" 2 "$atrium_root/atrium" test --fast; }

an_unknown_sanitizer_ends_with_status_2() { says "no sanitizer 'adress'" 2 "$atrium_root/atrium" test --sanitize=adress; }

the_version_is_that_of_the_build() {
  says "atrium $(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$BUILD_TREE/CMakeCache.txt")" 0 "$atrium_root/atrium" --version
}

# What states the version of a release states the same one.
every_part_states_the_same_version() {
  local version file
  version=$("$atrium_root/atrium" --version) && version=${version#atrium }
  cd "$SOURCE_TREE"
  for file in "CITATION.cff:version: $version" "packaging/atrium.spec:Version: *$version" "packaging/conda/recipe.yaml:version: \"$version\"" \
    "shnode/CMakeLists.txt:project(shnode VERSION $version " "packaging/debian/changelog:atrium ($version-" "CHANGELOG.md:## $version - 20[0-9-]*$"; do
    grep -q -- "${file#*:}" "${file%%:*}" || { echo "${file%%:*} does not state $version" && exit 1; }
  done
  [[ $(sed -n 's/^date-released: //p' CITATION.cff) == "$(sed -n "s/^## $version - //p" CHANGELOG.md)" ]]
}

# The bill of materials that is made with the source tarball, and the file that the soname leads to; its first number is the ABI's.
the_bill_of_materials_and_the_library_are_of_that_version() {
  command -v python3 >/dev/null || { echo "python3 is not installed" && exit 77; }
  source "$SOURCE_TREE/tools/door/package.sh"
  local version library
  version=$("$atrium_root/atrium" --version) && version=${version#atrium }
  mkdir -p "$work/tree/dist" "$work/tree/packaging"
  cp "$SOURCE_TREE/CMakeLists.txt" "$work/tree/" && cp "$SOURCE_TREE/packaging/sbom.py" "$work/tree/packaging/"
  atrium_root=$work/tree
  GIT_CEILING_DIRECTORIES=$work package_source "atrium-$(project_version)" 2>/dev/null
  python3 -c 'import json, sys
bill = json.load(open(sys.argv[1]))
assert bill["packages"][0]["versionInfo"] == sys.argv[2] and bill["name"] == "Atrium-" + sys.argv[2], bill["packages"][0]' \
    "$work/tree/dist/atrium-$version.spdx.json" "$version"
  library=$(readlink -f "$BUILD_TREE/lib/libatrium.so.1")
  [[ $library == */libatrium.so.1."${version#*.}" ]] || { echo "libatrium.so.1 leads to $library" && exit 1; }
  grep -qa 'libatrium\.so\.1' "$library"
}
