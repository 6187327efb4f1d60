#!/usr/bin/env bash
# Proves that the lints can fail: runs one of them over a small tree that is wrong on purpose.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

lints=$SOURCE_TREE/tools/lint
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/src/{core,arena} "$tree"/{include,shnode,launch,mpi}
cat >"$tree/src/README.md" <<'END'
1. `core` below
2. `arena` above
END

# fails_with LINT TEXT: the lint fails and says so.
fails_with() {
  local said status=0
  said=$(python3 "$lints/$1" "$tree") || status=$?
  [[ $status -eq 1 && $said == *"$2"* ]] || { echo "status $status, said: $said" && exit 1; }
}

layers_accepts_a_downward_include() {
  echo '#include "core/result.hpp"' >"$tree/src/arena/heap.cpp"
  python3 "$lints/layers" "$tree"
}

layers_finds_an_upward_include() {
  printf '\n#include "arena/heap.hpp"\n' >"$tree/src/core/log.cpp"
  fails_with layers "src/core/log.cpp:2: core includes arena/heap.hpp"
}

layers_finds_an_unlisted_folder() {
  mkdir "$tree/src/utils"
  echo >"$tree/src/utils/things.hpp"
  fails_with layers "src/utils is not in the list"
}

layers_finds_a_public_header_that_includes_a_private_one() {
  echo '#include "core/result.hpp"' >"$tree/include/shmem.h"
  fails_with layers "include/shmem.h:1"
}

layers_finds_shnode_looking_into_the_library() {
  echo '#include "../src/arena/heap.hpp"' >"$tree/shnode/node.c"
  fails_with layers "shnode/node.c:1"
}

layers_finds_symbols_that_know_another_folder() {
  mkdir "$tree/symbols"
  printf '#include <string>\n#include "symbols/names.hpp"\n#include "core/result.hpp"\n' >"$tree/symbols/child.cpp"
  fails_with layers "symbols/child.cpp:3: symbols/ includes core/result.hpp"
}

layers_finds_a_tool_that_reads_another() {
  mkdir -p "$tree"/{race,profile,interpose}/report
  printf '1. `report` what it says\n' | tee "$tree/race/README.md" >"$tree/profile/README.md"
  printf '1. `say` lines\n2. `report` more\n' >"$tree/interpose/README.md"
  printf '#include "interpose/say.hpp"\n' >"$tree/race/report/print.cpp"
  python3 "$lints/layers" "$tree"
  printf '#include "profile/report/table.hpp"\n' >"$tree/race/report/print.cpp"
  fails_with layers "race/report/print.cpp:1: race/ includes profile/report/table.hpp"
  printf '#include "race/report/print.hpp"\n' >"$tree/interpose/say.cpp"
  fails_with layers "interpose/say.cpp:1: interpose/ includes race/report/print.hpp"
}

layers_finds_a_file_that_includes_one_after_it() {
  mkdir "$tree/interpose"
  printf '1. `say`, `whole_file` lines and files\n2. `tool` above\n' >"$tree/interpose/README.md"
  printf '#include "interpose/say.hpp"\n' >"$tree/interpose/tool.cpp"
  python3 "$lints/layers" "$tree"
  printf '#include "interpose/tool.hpp"\n' >"$tree/interpose/say.cpp"
  fails_with layers "interpose/say.cpp:1: say includes interpose/tool.hpp, which comes after it"
  echo >"$tree/interpose/other.cpp"
  fails_with layers "interpose/other.cpp:1: other is not in the list of interpose/README.md"
}

# Layers of the launcher: a component whose includes begin with its name.
launcher_layers() {
  mkdir -p "$tree"/launch/{cli,job}
  printf '1. `cli` below\n2. `job` above\n' >"$tree/launch/README.md"
  printf '#include "launch/cli/options.hpp"\n' >"$tree/launch/job/job.cpp"
  printf '#include "launch/job/job.hpp"\n' >"$tree/launch/main.cpp"
  python3 "$lints/layers" "$tree"
}

layers_finds_an_upward_include_between_layers() {
  launcher_layers
  echo '#include "launch/job/job.hpp"' >"$tree/launch/cli/flags.cpp"
  fails_with layers "launch/cli/flags.cpp:1: cli includes launch/job/job.hpp"
}

layers_finds_an_unlisted_layer() {
  launcher_layers
  mkdir "$tree/launch/attic"
  echo >"$tree/launch/attic/things.hpp"
  fails_with layers "launch/attic is not in the list"
}

layers_finds_a_layer_that_includes_the_top() {
  launcher_layers
  echo >"$tree/launch/main.hpp"
  echo '#include "launch/main.hpp"' >"$tree/launch/job/job.cpp"
  fails_with layers "job includes launch/main.hpp from the top"
}

# Layers in an order, and one that stands alone.
mpi_layers() {
  mkdir -p "$tree"/mpi/{comm,report,window}
  printf '1. `comm` below\n2. `report` above\n\n- `window` alone\n' >"$tree/mpi/README.md"
  echo '#include "comm/state.hpp"' >"$tree/mpi/report/report.cpp"
  printf '#include <stdio.h>\n#include "window.h"\n' >"$tree/mpi/window/create.c"
  echo >"$tree/mpi/window/window.h"
  python3 "$lints/layers" "$tree"
}

layers_finds_a_cycle_between_layers() {
  mpi_layers
  echo '#include "report/report.hpp"' >"$tree/mpi/comm/cache.cpp"
  fails_with layers "mpi/comm/cache.cpp:1: comm includes report/report.hpp"
}

layers_finds_a_layer_that_should_stand_alone() {
  mpi_layers
  echo '#include "comm/state.hpp"' >"$tree/mpi/window/create.c"
  fails_with layers "window includes comm/state.hpp, and window stands alone"
  echo '#include "window/window.h"' >"$tree/mpi/report/report.cpp"
  fails_with layers "report includes window/window.h, and window stands alone"
}

# Files in an order: what each uses, code alone counts.
files() {
  mkdir "$tree/shnode/src"
  printf '1. `base.c` below\n2. `life.c` above\n' >"$tree/shnode/README.md"
  printf 'int sn_me, sn_pes;\nint sn_fail(int code) {\n  return code; /* not sn_begin */\n}\n' >"$tree/shnode/src/base.c"
  printf 'static int state = 1;\nint sn_begin(void) { return sn_fail(sn_me); }\n' >"$tree/shnode/src/life.c"
  python3 "$lints/layers" "$tree"
}

layers_finds_a_file_that_uses_one_after_it() {
  files
  printf 'int sn_fail(int code) {\n  return sn_begin();\n}\n' >"$tree/shnode/src/base.c"
  fails_with layers "shnode/src/base.c:2: base.c uses sn_begin of life.c, which comes after it"
  printf 'int sn_state;\n' >>"$tree/shnode/src/life.c"
  printf 'int sn_ready(void) { return sn_state; }\n' >"$tree/shnode/src/base.c"
  fails_with layers "base.c uses sn_state of life.c"
}

layers_finds_a_file_that_has_no_place() {
  files
  echo >"$tree/shnode/src/extra.c"
  fails_with layers "does not list extra.c"
  rm "$tree/shnode/src/"{extra,base}.c
  fails_with layers "lists base.c, which is not there"
}

# A file that uses a vector; $1 and $2 are included by a header of its own and by itself.
vector() {
  echo 'set(atrium_usual_headers <vector>)' >"$tree/precompile.cmake"
  printf '%s\n' "$1" >"$tree/src/core/list.hpp"
  printf '%s\n' '#include "core/list.hpp"' "$2" 'std::vector<int> numbers;' >"$tree/src/core/list.cpp"
}

includes_finds_what_only_a_precompiled_header_brings() {
  vector '// #include <vector>' '#include <map>'
  fails_with includes "src/core/list.cpp: uses std::vector and does not include <vector>"
}

includes_accepts_what_an_own_header_brings() {
  vector '#include <vector>' ''
  python3 "$lints/includes" "$tree"
  vector '' '#include <vector>'
  python3 "$lints/includes" "$tree"
}

includes_knows_each_precompiled_header() {
  vector '#include <vector>' ''
  echo 'set(atrium_usual_headers <vector> <regex>)' >"$tree/precompile.cmake"
  fails_with includes "does not know what <regex> promises"
}

seam_finds_ways_around_it() {
  mkdir -p "$tree"/src/{coll,transport}
  echo 'copy(there(dest, delta), source, bytes);  // there() is the seam' >"$tree/src/transport/here.hpp"
  echo '// there(dest, delta) is what nobody says here' >"$tree/src/coll/put.cpp"
  python3 "$lints/seam" "$tree"
  echo 'copy(there(dest, delta), source, bytes);' >>"$tree/src/coll/put.cpp"
  fails_with seam "src/coll/put.cpp:2: adds a delta past the seam"
  echo 'notify(team.delta[1]);' >"$tree/src/coll/put.cpp"
  fails_with seam "src/coll/put.cpp:1: wakes a peer past the seam"
}

# A pair of two tags, which a model names.
pair() {
  mkdir -p "$tree/tests/models"
  echo 'flag.store(1, std::memory_order_release);  // SYNC flag other' >"$tree/src/core/flag.cpp"
  echo 'flag.load(std::memory_order_acquire);  // SYNC flag other' >"$tree/src/arena/wait.cpp"
  echo '// Models: SYNC other flag' >"$tree/tests/models/flag.cpp"
}

sync_accepts_a_release_with_its_acquire() {
  pair
  python3 "$lints/sync" "$tree"
}

sync_finds_a_tag_without_a_test() {
  pair
  echo '// Models: SYNC flag' >"$tree/tests/models/flag.cpp"
  fails_with sync "src/arena/wait.cpp:1: SYNC other is named by no model"
}

sync_finds_a_release_without_a_tag() {
  pair
  echo 'untold.store(1, std::memory_order_release);' >"$tree/src/core/untold.cpp"
  fails_with sync "src/core/untold.cpp:1: a release without a SYNC tag"
}

sync_finds_a_test_of_nothing() {
  pair
  echo '// Litmus: SYNC gone' >"$tree/tests/models/gone.cpp"
  fails_with sync "tests/models/gone.cpp:1: SYNC gone is nowhere in the sources"
}

sync_finds_a_tag_that_means_everything() {
  pair
  for _ in {1..20}; do echo 'x.load(std::memory_order_acquire);  // SYNC flag' >>"$tree/src/core/flag.cpp"; done
  fails_with sync "SYNC flag has 22 sites: divide it"
}

sync_finds_an_orphan() {
  echo 'flag.store(1, std::memory_order_release);  // SYNC flag' >"$tree/src/core/flag.cpp"
  fails_with sync "SYNC flag has only one side"
}

survey_refuses_endless_functions() {
  { echo 'int endless(int a) {' && seq -f '  a += %g;' 300 && echo '}'; } >"$tree/src/core/endless.cpp"
  fails_with survey "functions are far too long"
}

survey_knows_all_components() {
  local component said
  said=$(python3 "$lints/survey" "$SOURCE_TREE")
  for component in race interpose fortran profile; do
    [[ $said == *$'\n'"$component "* ]] || { echo "$component is not surveyed" && exit 1; }
  done
}

life_finds_a_file_that_is_gone() {
  printf '## Life of a put\n\n1. [put.cpp](src/ops/put.cpp), `put`: x\n\n## Next\n' >"$tree/ARCHITECTURE.md"
  fails_with life "src/ops/put.cpp is missing"
}

life_finds_a_path_that_is_not_taken() {
  mkdir -p "$tree"/src/{ops,api/generated} "$tree/include/shmem"
  local step
  printf '## Life of a put\n\n`shmem_long_p(&x)`\n\n' >"$tree/ARCHITECTURE.md"
  for step in one two three four five; do
    echo "void $step();" >"$tree/src/ops/$step.hpp"
    printf '1. [a](src/ops/%s.hpp), `%s`: x\n' $step $step >>"$tree/ARCHITECTURE.md"
  done
  printf '\n## Next\n' >>"$tree/ARCHITECTURE.md"
  echo 'void shmem_long_p(x) { two(x); }' >"$tree/include/shmem/inline.h"
  echo 'void pshmem_long_p(x) { three(x); }' >"$tree/src/api/generated/put.cpp"
  echo 'void three() { four(); }' >"$tree/src/ops/three.hpp"
  fails_with life "nothing before src/ops/five.hpp uses five"
  echo 'void four() { five(); }' >"$tree/src/ops/four.hpp"
  python3 "$lints/life" "$tree"
}

root_finds_what_a_command_left_there() {
  git -C "$tree" init -q
  echo 'src/ the library' >"$tree/ARCHITECTURE.md"
  echo 'int x;' >"$tree/src/core/x.c"
  git -C "$tree" add .
  python3 "$lints/root" "$tree"
  echo >"$tree/output" && git -C "$tree" add output
  fails_with root "output is in the root"
  git -C "$tree" rm -qf output
  mkdir "$tree/attic" && echo >"$tree/attic/x" && git -C "$tree" add attic
  fails_with root "attic/ is in the root"
}

names_finds_two_types_of_one_name() {
  mkdir -p "$tree/launch/io" "$tree/race"
  printf 'namespace atrium {\nstruct Link {\n  struct Inner {};\n};\n}  // namespace atrium\n' >"$tree/src/core/link.hpp"
  printf 'namespace atrium {\nclass Other final : public Link {\n  struct Inner {};\n};\n}  // namespace atrium\n' \
    >"$tree/launch/io/link.cpp"
  python3 "$lints/names" "$tree"
  printf 'namespace atrium::race {\nenum class Other { one };\n}  // namespace atrium::race\n' >"$tree/race/other.hpp"
  fails_with names "Other is defined in launch/io/link.cpp (atrium::Other) and in race/other.hpp (atrium::race::Other)"
}

names_looks_into_nameless_namespaces_and_c() {
  mkdir -p "$tree/shnode" "$tree/race"
  printf 'namespace atrium::race {\nnamespace {\nstruct Kept {};\n}  // namespace\n}  // namespace atrium::race\n' >"$tree/race/kept.cpp"
  python3 "$lints/names" "$tree"
  printf 'static const struct Kept {\n  int word;\n} kept;\n' >"$tree/shnode/kept.c"
  fails_with names "Kept is defined in race/kept.cpp (atrium::race::(nameless)::Kept) and in shnode/kept.c (Kept)"
}

"$1"
