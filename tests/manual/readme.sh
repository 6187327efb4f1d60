#!/usr/bin/env bash
# What README shows happens: its program compiles, its commands print what stands below them, its mistake makes that report,
# and every file it leads to and every command of ./atrium it names is there.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

readme=$SOURCE_TREE/README.md
export PATH=$BUILD_TREE/bin:$PATH
work=$(mktemp -d)
job=
end() { [[ -z $job ]] || kill -TERM "$job" 2>/dev/null || true; wait; rm -rf "$work"; }
trap end EXIT
cd "$work"

awk '/^```c$/ { within = 1; next } /^```$/ { within = 0 } within' "$readme" >neighbour.c
# Block N of commands: the Nth line that begins with a prompt is command.N, what is shown below it shown.N.
awk '/^    \$ / { n++; print substr($0, 7) > "command." n; below = 1; next }
     below && /^    / { print substr($0, 5) > "shown." n; next }
     { below = 0 }' "$readme"
[[ -s neighbour.c && -s shown.1 && -s shown.2 ]] || { echo "README has no program with two commands and what they print" && exit 1; }

# A job's lines come in any order.
bash -c "$(cat command.1)" >said.1
diff <(sort shown.1) <(sort said.1) || { echo "README shows other lines than: $(cat command.1)" && exit 1; }

wait_alone=$(grep -o '`shmem_int_wait_until([^`]*)`' "$readme" | tr -d '`')
sed -i "s|shmem_barrier_all();|${wait_alone/&/\\&};|" neighbour.c
oshcc -g neighbour.c -o neighbour
: >said.2
bash -c "exec $(cat command.2)" >/dev/null 2>said.2 &
job=$!
until grep -qF "$(tail -n 1 shown.2)" said.2; do
  kill -0 "$job" 2>/dev/null || { cat said.2 && echo "the job ended without the report that README shows" && exit 1; }
  sleep 0.2
done
while IFS= read -r line; do
  grep -qxF -- "$line" said.2 || { cat said.2 && echo "not in the report: $line" && exit 1; }
done <shown.2

grep -oE '\]\([^)#]+' "$readme" | sed 's/^](//' | while read -r link; do
  [[ -e $SOURCE_TREE/$link ]] || { echo "README leads to $link, which is not there" && exit 1; }
done
grep -oE '\./atrium [a-z]+' "$readme" | sort -u | while read -r _ command; do
  "$SOURCE_TREE/atrium" help | grep -qE "^ *(\./atrium )?$command( |$)" || { echo "./atrium has no $command" && exit 1; }
done
