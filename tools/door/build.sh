# Configures and builds; sourced by every command that needs binaries.
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/setup.sh"

run_build() {
  [[ $# -eq 0 ]] || refuse "build takes no arguments"
  build_product
  say "built: build/bin/oshcc -O2 mine.c -o mine && build/bin/oshrun -n 4 ./mine"
}

# What a user of the library needs, without the tests.
build_product() {
  need build
  build_targets "$atrium_root/build" Release product
}

# build_targets FOLDER TYPE TARGET [-DNAME=VALUE...]
build_targets() {
  local folder=$1 type=$2 target=$3
  shift 3
  mkdir -p "$folder"
  configure "$folder" -DCMAKE_BUILD_TYPE="$type" "$@"
  say "building ${folder#"$atrium_root"/}"
  quietly "$folder/build.log" cmake --build "$folder" --target "$target" --parallel "$(build_jobs)"
}

# Configures again only when there is something new to find: another option, or a package installed since.
configure() {
  local folder=$1 generator=() wish
  shift
  have ccache && set -- "$@" -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
  wish="$* without $(missing_packages build) $(missing_packages test)"
  [[ $(cat "$folder/wish" 2>/dev/null) != "$wish" ]] || return 0
  say "configuring ${folder#"$atrium_root"/}"
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

# quietly LOG COMMAND...: a terminal sees the newest line of the output; all of it is shown only when the command fails.
quietly() {
  local log=$1
  shift
  "$@" 2>&1 | tee "$log" | show_newest_line && return
  tail -n 60 "$log" >&2
  fail "failed: $* (all of it in $log)"
}

show_newest_line() {
  [[ -t 2 ]] || { cat >/dev/null && return; }
  awk '{ printf "\r\033[K%.100s", $0 > "/dev/stderr"; fflush() } END { printf "\r\033[K" > "/dev/stderr" }'
}
