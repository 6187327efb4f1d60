# What packaging/ci, the action of GitHub and the template of GitLab do; the compiler cache.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2164,SC2317  # cases are called by name, with set -e

# A clone that is built beside another takes all from the cache, the precompiled headers included.
ccache_knows_precompiled_headers_in_another_folder() {
  command -v ccache >/dev/null || { echo "ccache is not installed" && exit 77; }
  ! ccache --version | grep -q 'version 4\.[0-5]' || { echo "this ccache keeps nothing that uses a precompiled header" && exit 77; }
  unset CCACHE_READONLY CCACHE_RECACHE CCACHE_DISABLE
  export CCACHE_DIR=$work/cache
  local folder
  for folder in one other; do
    export CCACHE_BASEDIR=$work/$folder
    mkdir "$work/$folder"
    echo 'size_t length(const char* text) { return std::strlen(text); }' >"$work/$folder/length.cpp"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(small CXX)' 'set(ATRIUM_PRECOMPILE ON)' "include($SOURCE_TREE/precompile.cmake)" \
      'set(atrium_usual_headers <cstring>)' 'add_library(small OBJECT length.cpp)' 'atrium_precompile(small)' >"$work/$folder/CMakeLists.txt"
    cmake -S "$work/$folder" -B "$work/$folder/build" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
    ccache --zero-stats
    cmake --build "$work/$folder/build" --target small
    ccache --print-stats >"$work/$folder/stats"
  done
  local compiled
  compiled=$(sed -n 's/^cache_miss\t//p' "$work/one/stats")
  [[ $compiled -ge 2 ]]
  says cache_miss$'\t'0 0 cat "$work/other/stats"
  says "direct_cache_hit"$'\t'"$compiled" 0 cat "$work/other/stats"
}

# A tree of which a digest is made, in $work/one.
function make_small_tree {
  mkdir -p "$work"/one/{packaging/ci,src,tests,.github/actions/setup-atrium}
  cp "$SOURCE_TREE/packaging/ci/key.sh" "$work/one/packaging/ci/"
  echo 'project(atrium VERSION 4.5.6 LANGUAGES C)' >"$work/one/CMakeLists.txt"
  echo one >"$work/one/src/a.c"
}

# The runner refuses a path with "..", and hashes nothing outside of the workspace, where an action of another project is.
the_cache_of_the_action_is_named_by_the_sources() {
  local first action=$SOURCE_TREE/.github/actions/setup-atrium/action.yml
  make_small_tree
  cp -r "$work/one" "$work/other place"
  first=$(cd / && "$work/one/packaging/ci/key.sh")
  [[ $first =~ ^4\.5\.6-.*-[0-9a-f]{16}$ && $first == "$(cd "$work" && "other place/packaging/ci/key.sh")" ]]
  echo more >"$work/one/tests/t.c" && [[ $first == "$("$work/one/packaging/ci/key.sh")" ]]
  echo two >"$work/one/src/a.c" && [[ $first != "$("$work/one/packaging/ci/key.sh")" ]]
  ! grep 'hashFiles(' "$action"
  grep -q 'key: .*steps.atrium.outputs.key' "$action"
}

# What was built for one distribution or for one MPI is not what another wants, nor is another tarball what the cache has.
the_cache_of_the_action_is_for_one_system_one_mpi_and_one_tarball() {
  local mpi key=$work/one/packaging/ci/key.sh
  make_small_tree
  [[ $("$key") == "4.5.6-$(. /etc/os-release && echo "$ID${VERSION_ID:-}")-$(uname -m)-"* ]]
  mkdir "$work/bin"
  for mpi in one two; do
    printf '#!/bin/sh\necho gcc -I/usr/lib/%s/include\n' $mpi >"$work/bin/mpicc" && chmod +x "$work/bin/mpicc"
    PATH=$work/bin:$PATH "$key" true >>"$work/with_mpi"
    PATH=$work/bin:$PATH "$key" false >>"$work/without"
    "$key" false https://a.test/$mpi.tar.xz >>"$work/tarballs"
  done
  [[ $(sort -u "$work/with_mpi" | wc -l) -eq 2 && $(sort -u "$work/without" | wc -l) -eq 1 ]]
  [[ $(sort -u "$work/with_mpi" "$work/without" "$work/tarballs" | wc -l) -eq 5 ]]
}

# In a job with a container, contexts of the runner name folders of the host: the action finds itself and its prefix by variables.
the_action_finds_its_folders_in_a_container() {
  local action=$SOURCE_TREE/.github/actions/setup-atrium/action.yml
  ! grep -E '\$\{\{ *(github\.action_path|runner\.temp|env\.)' "$action"
  make_small_tree
  awk '/^    - id: cache/ { exit } on { print } /^      run: [|]/ { on = 1 }' "$action" >"$work/lines"
  export GITHUB_ACTION_PATH=$work/one/.github/actions/setup-atrium GITHUB_OUTPUT=$work/said RUNNER_TEMP=/__w/_temp MPI=false BINARY=''
  PREFIX='' bash -e "$work/lines"
  grep -qx 'prefix=/__w/_temp/atrium' "$work/said" && grep -qx "sources=$work/one" "$work/said" && grep -q '^key=4.5.6-' "$work/said"
  PREFIX=/opt/here bash -e "$work/lines"
  grep -qx 'prefix=/opt/here' "$work/said"
}

# One whose programs run, one whose programs do not, and the first where releases have their files.
function make_tarballs {
  local kind folder
  for kind in good bad; do
    mkdir -p "$work/$kind/bin"
    printf '#!/bin/sh\nexit %d\n' "$([[ $kind == good ]] && echo 0 || echo 1)" >"$work/$kind/bin/oshrun" && chmod +x "$work/$kind/bin/oshrun"
    tar -C "$work" -cJf "$work/$kind.tar.xz" "$kind"
  done
  for folder in on_github/releases/download/v4.5.6 on_gitlab/-/releases/v4.5.6/downloads; do
    mkdir -p "$work/$folder" && cp "$work/good.tar.xz" "$work/$folder/atrium-4.5.6-linux-$(uname -m).tar.xz"
  done
}

# The action's own lines, with a tarball that is there, one that is not, and one whose programs do not run here.
the_action_takes_a_binary_or_builds() {
  command -v curl >/dev/null || { echo "curl is not installed" && exit 77; }
  awk '/as_root=/ { exit } on { print } /^        # A release has its tarball/ { on = 1 }' "$SOURCE_TREE/.github/actions/setup-atrium/action.yml" >"$work/lines"
  echo 'echo "it is built"' >>"$work/lines"
  local address
  make_tarballs
  export SOURCES=$SOURCE_TREE REPOSITORY=file://$work/on_github PREFIX=$work/prefix MPI=false BINARY='' REF=v4.5.6
  says "taken from" 0 bash -e "$work/lines"
  "$PREFIX/bin/oshrun" && rm -r "$PREFIX"
  MPI=true says "it is built" 0 bash -e "$work/lines"
  REF=main says "it is built" 0 bash -e "$work/lines"
  for address in "file://$work/nothing.tar.xz" "file://$work/bad.tar.xz"; do
    BINARY=$address says "it is built" 0 bash -e "$work/lines"
    [[ ! -e $PREFIX ]]
  done
}

# The lines of GitLab's recipe, run by `sh`, with programs that write down their calls.
function pretend_gitlab {
  awk '/^    - \|$/ { on = 1; next } /^    - / { on = 0 } on' "$SOURCE_TREE/packaging/ci/gitlab.yml" >"$work/block"
  mkdir "$work/bin" "$work/project" && cd "$work/project"
  printf '#!/bin/sh\nif [ "$1" = ls-remote ]; then printf "%%s\\trefs/heads/main\\n" "$HEAD"; else echo clone >>../calls; fi\n' >"$work/bin/git"
  printf '#!/bin/sh\nmkdir -p .atrium\n' >"$work/bin/cmake"
  printf '#!/bin/sh\necho "$*" >>../installed\n' >"$work/bin/apt-get"
  chmod +x "$work"/bin/*
  export PATH=$work/bin:$PATH HEAD=1111 ATRIUM_REF=main ATRIUM_SOURCE=/somewhere ATRIUM_BINARY=''
}

the_cache_of_gitlab_is_made_anew_when_the_branch_has_moved() {
  pretend_gitlab
  local head
  for head in 1111 1111 2222 2222; do HEAD=$head sh -e "$work/block"; done
  [[ $(wc -l <"$work/calls") -eq 2 && $(grep -c 'recommends libhwloc-dev' "$work/installed") -eq 4 ]]
  ! ATRIUM_SOURCE='' sh -e "$work/block" 2>"$work/said"
  grep -q "set it to where Atrium is" "$work/said"
}

# What runs on other machines, or in another image, is not taken. GitLab 18.2 keeps nothing under a name with a slash, as
# linux/amd64 and many branches have.
the_cache_of_gitlab_is_for_one_kind_of_machine() {
  pretend_gitlab
  local machine image
  for machine in x86_64 aarch64; do
    printf '#!/bin/sh\necho %s\n' $machine >"$work/bin/uname" && chmod +x "$work/bin/uname"
    for image in debian:bookworm debian:bookworm debian:trixie; do CI_JOB_IMAGE=$image sh -e "$work/block"; done
  done
  [[ $(wc -l <"$work/calls") -eq 4 ]]
  ! grep -E '^ *key:.*[$/]' "$SOURCE_TREE/packaging/ci/gitlab.yml"
}

# Its jobs would be those of each project that includes it.
gitlabs_recipe_has_no_job() {
  local names
  names=$(grep -oE '^[^ #.][^:]*:' "$SOURCE_TREE/packaging/ci/gitlab.yml")
  [[ $names == variables: ]] || { echo "$names" && exit 1; }
}

gitlab_takes_a_binary_or_builds() {
  command -v curl >/dev/null || { echo "curl is not installed" && exit 77; }
  make_tarballs
  pretend_gitlab
  ATRIUM_REF=v4.5.6 ATRIUM_SOURCE=file://$work/on_github.git says "taken from file://$work/on_github/releases/download/v4.5.6" 0 sh -e "$work/block"
  .atrium/bin/oshrun
  HEAD=2222 ATRIUM_REF=v4.5.6 ATRIUM_SOURCE=file://$work/on_gitlab says "taken from file://$work/on_gitlab/-/releases/v4.5.6/downloads" 0 sh -e "$work/block"
  HEAD=3333 ATRIUM_BINARY=file://$work/good.tar.xz says "taken from" 0 sh -e "$work/block"
  [[ ! -e $work/calls && ! -e $work/installed ]]
  local binary
  for binary in nothing bad; do
    HEAD=$binary ATRIUM_BINARY=file://$work/$binary.tar.xz sh -e "$work/block" 2>/dev/null
    [[ -e .atrium/is_built && ! -e .atrium/bin ]]
  done
  HEAD=4444 ATRIUM_SOURCE=file://$work/on_github sh -e "$work/block"
  [[ $(wc -l <"$work/calls") -eq 3 ]]
}

# One variable has the address of the project, HOMEPAGE_URL of its CMakeLists.txt; where there is none, none is made up.
addresses_are_those_of_the_project_or_left_out() {
  command -v python3 >/dev/null || { echo "python3 is not installed" && exit 77; }
  local name=example.invalid address
  ! grep -rn "$name" "$SOURCE_TREE"/{packaging,.github,docs,CMakeLists.txt,README.md,CITATION.cff,pyproject.toml}
  mkdir "$work/atrium-4.5.6"
  for address in "" https://atrium.test/home; do
    echo "project(atrium VERSION 4.5.6 HOMEPAGE_URL \"$address\" LANGUAGES C)" >"$work/atrium-4.5.6/CMakeLists.txt"
    tar -C "$work" -czf "$work/atrium-4.5.6.tar.gz" atrium-4.5.6
    python3 "$SOURCE_TREE/packaging/sbom.py" "$work/atrium-4.5.6.tar.gz" >"$work/bill"
    grep -q "\"documentNamespace\": \"${address:-https://spdx.org/spdxdocs}/" "$work/bill"
    [[ $(grep -c '"homepage"' "$work/bill") -eq $([[ -z $address ]] && echo 0 || echo 1) ]]
  done
}
