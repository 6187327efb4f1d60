#!/usr/bin/env bash
# Broken images, silly sizes, misspelt options: a line that names the culprit, once, and a non-zero status.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck source=/dev/null
source "$(dirname "$0")/heat.sh"

# refuses PATTERN ARGUMENT...
refuses() {
  local pattern=$1 output
  shift
  if output=$(heat 3 "$@" 2>&1); then give_up "heat $*: ended as if all were well: $output"; fi
  [[ $(grep -c "^heat: .*$pattern" <<<"$output") -eq 1 ]] ||
    give_up "heat $*: expected '$pattern' once: $output"
}

"$MAKE_IMAGE" grey8 64 64 good.png
"$MAKE_IMAGE" black 8 8 black.png
head -c 200 good.png >short.png
echo "no picture" >text.png

refuses "missing.png: No such file" --temperature missing.png
refuses "short.png" short.png
refuses "text.png: Not a PNG" good.png text.png
refuses "nothing conducts" --conductivity black.png
refuses "0x5" --size 0x5
refuses "12" --size 12
refuses "3x4z" --size 3x4z
refuses "99999999999x4" --size 99999999999x4
refuses "needs a value" --steps
refuses "many" --steps many
refuses "unknown option --setps" --setps 5
refuses "one image too many" good.png good.png good.png
refuses "no/such/folder/heat.png" --size 9x9 --steps 1 --output no/such/folder/heat.png

help=$(heat 2 --help) && grep -q "usage: heat" <<<"$help" || give_up "--help does not help"
