# Small measurements side by side: Atrium and, where it is installed, Debian's Open MPI. Medians of interleaved runs.
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/build.sh"

run_bench() {
  local libraries=(atrium) library results=$atrium_root/build/bench/results.tsv
  [[ $# -eq 0 ]] || refuse "bench takes no arguments"
  build_product
  if [[ $(/usr/bin/oshcc --showme:version 2>&1) == *'Open SHMEM'* ]]; then
    libraries+=(openmpi)
  else
    say "Open MPI's OpenSHMEM is not installed (./atrium setup test): measuring Atrium alone"
  fi
  for library in "${libraries[@]}"; do compile_programs "$library"; done
  measure_all "${libraries[@]}" >"$results"
  show_medians <"$results"
}

atrium_compile() { "$atrium_root/build/bin/oshcc" "$@"; }
atrium_run() { "$atrium_root/build/bin/oshrun" "$@"; }
openmpi_compile() { /usr/bin/oshcc "$@"; }
openmpi_run() {
  UCX_TLS=posix,sysv,cma,self /usr/bin/oshrun --allow-run-as-root --oversubscribe --mca osc ucx "$@"
}

compile_programs() {
  local source folder=$atrium_root/build/bench/$1
  mkdir -p "$folder"
  for source in "$atrium_root"/bench/*.c; do
    "$1_compile" -O2 "$source" -o "$folder/$(basename "$source" .c)" || fail "cannot compile $source with $1"
  done
}

# Lines of library, what was measured, number. Interleaved, so that a slow minute of the machine hurts everybody.
measure_all() {
  local repeat library
  for repeat in 1 2 3 4 5; do
    say "measuring, round $repeat of 5"
    for library in "$@"; do
      measure_once "$library" | sed "s/^/$library\t/"
    done
  done
}

measure_once() {
  local folder=$atrium_root/build/bench/$1
  run_program "$1" 2 "$folder/one_sided"
  run_program "$1" 2 "$folder/pingpong"
  run_program "$1" 2 "$folder/barrier"
  run_program "$1" 8 "$folder/barrier"
  local begin=${EPOCHREALTIME/./} end
  run_program "$1" 2 "$folder/empty"
  end=${EPOCHREALTIME/./}
  printf 'an empty program of 2 PEs [ms]\t%s\n' "$(((end - begin) / 1000))"
}

# A library that fails or hangs leaves holes in the table instead of ending the measurement.
run_program() {
  export -f "$1_run"
  export atrium_root
  timeout 60 bash -c "$1_run -n $2 '$3'" 2>/dev/null || say "$1: $(basename "$3") with $2 PEs failed"
}

show_medians() {
  awk -F '\t' '
    function median(list, n, values, i, j, t) {
      n = split(list, values, " ")
      for (i = 2; i <= n; i++)
        for (j = i; j > 1 && values[j] + 0 < values[j - 1] + 0; j--) { t = values[j]; values[j] = values[j - 1]; values[j - 1] = t }
      return n ? values[int((n + 1) / 2)] : "-"
    }
    !($2 in seen) { seen[$2]; order[++rows] = $2 }
    { all[$1, $2] = all[$1, $2] " " $3 }
    END {
      printf "%-36s %12s %12s %8s\n", "median of 5", "Atrium", "Open MPI", "faster"
      for (row = 1; row <= rows; row++) {
        what = order[row]
        ours = median(all["atrium", what])
        theirs = median(all["openmpi", what])
        ratio = (ours + 0 > 0 && theirs != "-" && what !~ /plain/) ? sprintf("%.1f", what ~ /GB/ ? ours / theirs : theirs / ours) : "-"
        printf "%-36s %12s %12s %8s\n", what, ours, theirs, ratio
      }
    }'
}
