# Builds what a program needs, compiles the heat equation with the project's own oshcc and runs it on every core.
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/build.sh"

run_demo() {
  local program=$atrium_root/build/demo/heat
  build_part_of_product needed_to_run demo
  compile_heat "$program"
  [[ ! -t 1 ]] || set -- --live "$@"
  say "running build/bin/oshrun -n $(nproc) build/demo/heat $*"
  "$atrium_root/build/bin/oshrun" -n "$(nproc)" "$program" "$@"
}

# What the program itself says, read from its source: nothing need be built for it.
help_demo() {
  sed -n '/^void print_usage/,/^}/s/^ *"\(.*\)\\n".*/\1/p' "$atrium_root/examples/heat/options.c" | sed 's/^usage: heat /usage: .\/atrium demo /'
  echo "Builds the library and oshrun, not the tools, then solves a heat equation on every core."
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
