# Configures and builds; sourced by every command that needs binaries.
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/setup.sh"

# What a ccache must know, if there is one; what the environment says holds, and a file of its owner's gives way. It looks at a
# precompiled header as a whole, not at the macros that it was made with, which are those of the compiler alone here; no file
# of ours asks for the time. With paths that begin in the folder of the build, it knows in a second clone what was compiled in
# the first.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros} CCACHE_BASEDIR=${CCACHE_BASEDIR-$atrium_root}

run_build() {
  [[ $# -eq 0 ]] || refuse "build takes no arguments"
  build_product
  say "built: build/bin/oshcc -O2 mine.c -o mine && build/bin/oshrun -n 4 ./mine"
}

# What a user of the library needs, without the tests.
build_product() { build_part_of_product product; }

# build_part_of_product TARGET [SET...]: with the packages of these sets, if they can be had.
build_part_of_product() {
  need build
  want extra "${@:2}"
  build_targets "$atrium_root/build" Release "$1"
}

help_build() {
  echo "usage: ./atrium build
Builds a release into build/: build/bin/oshcc, oshc++, oshfort, oshrun, atrium-info, atrium-mpi, the libraries."
}

# build_targets FOLDER TYPE TARGET [-DNAME=VALUE...]
build_targets() {
  local folder=$1 type=$2 target=$3
  shift 3
  configure "$folder" -DCMAKE_BUILD_TYPE="$type" "$@"
  say "building ${folder#"$atrium_root"/}"
  quietly "$folder/build.log" build_part "$folder" "$target"
}

# build_part FOLDER PART: a target, or everything in a folder of the sources (`tests/unit/`).
build_part() {
  if [[ $2 != */ ]]; then
    cmake --build "$1" --target "$2" --parallel "$(build_jobs)"
  elif [[ -f $1/build.ninja ]]; then
    cmake --build "$1" --target "$2all" --parallel "$(build_jobs)"
  else
    make -C "$1/${2%/}" --no-print-directory "-j$(build_jobs)"
  fi
}

# Configures again only when there is something new to find: another option, or a package installed since.
configure() {
  local folder=$1 generator=() wish
  shift
  mkdir -p "$folder"
  set -- -DATRIUM_PRECOMPILE=ON "$@"
  ! have ccache || set -- "$@" -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
  wish="$* without $(missing_packages build extra demo test)"
  [[ $(cat "$folder/wish" 2>/dev/null) != "$wish" ]] || return 0
  say "configuring ${folder#"$atrium_root"/}"
  # One that failed may have been with another compiler, which CMake would keep.
  [[ -f $folder/build.ninja || -f $folder/Makefile ]] || rm -f "$folder/CMakeCache.txt"
  have ninja && [[ ! -f $folder/CMakeCache.txt ]] && generator=(-G Ninja)
  quietly "$folder/configure.log" cmake -S "$atrium_root" -B "$folder" "${generator[@]}" "$@"
  echo "$wish" >"$folder/wish"
}

# No more compilers than memory for them: half a GiB each.
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 524288) }' /proc/meminfo)
  echo $((memory < 1 ? 1 : memory < cores ? memory : cores))
}

# quietly LOG COMMAND...: how far it is shows in one line; all of its output is shown only when the command fails.
quietly() {
  local log=$1
  shift
  "$@" 2>&1 | tee "$log" | show_progress && return
  tail -n 60 "$log" >&2
  fail "failed: $* (all of it in $log)"
}

# Reads the lines of a build ("[17/240] Building ...", "[ 7%] Building ..."): a terminal has a line that shows the
# newest of them and the time, anything else a line every half a minute.
show_progress() {
  local line began=$SECONDS said=$SECONDS
  while IFS= read -r line; do
    if [[ -t 2 ]]; then
      printf '\r\033[K%.100s' "$(minutes $((SECONDS - began))) $line" >&2
    elif ((SECONDS >= said + 30)); then
      said=$SECONDS
      printf '  %s %.100s\n' "$(minutes $((SECONDS - began)))" "$line" >&2
    fi
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }
