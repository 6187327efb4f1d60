# Builds a release, compiles the heat equation with the project's own oshcc and runs it on every core.
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/build.sh"

run_demo() {
  local program=$atrium_root/build/demo/heat
  build_product demo
  compile_heat "$program"
  [[ ! -t 1 ]] || set -- --live "$@"
  say_how_busy
  say "running build/bin/oshrun -n $(nproc) build/demo/heat $*"
  "$atrium_root/build/bin/oshrun" -n "$(nproc)" "$program" "$@"
}

# What others compute meanwhile is missing in the speed that the demo prints.
say_how_busy() {
  local load
  read -r load _ </proc/loadavg
  [[ ${load%.*} -lt $(nproc) ]] || say "note: this machine is busy (load $load on $(nproc) CPUs), which makes the demo slower than it is"
}

# Only when a source or the headers are newer than the program.
compile_heat() {
  local program=$1 sources=("$atrium_root"/examples/heat/*.c) newer pictures=
  mkdir -p "$(dirname "$program")"
  ! is_there header:png.h || pictures=-lpng
  [[ ! -f $program ]] || newer=$(find "$atrium_root/examples/heat" "$atrium_root/include" -newer "$program" -type f)
  [[ -n ${newer-new} ]] || return 0
  say "compiling: build/bin/oshcc -O3 -ffp-contract=off examples/heat/*.c ${pictures:+$pictures }-lm -o build/demo/heat"
  "$atrium_root/build/bin/oshcc" -O3 -ffp-contract=off "${sources[@]}" ${pictures:+"$pictures"} -lm -o "$program" || fail "cannot compile the demo"
}
