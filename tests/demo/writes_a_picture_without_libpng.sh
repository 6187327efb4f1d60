#!/usr/bin/env bash
# Compiled without libpng the demo writes the same picture, as libpng reads it, and says why it reads none.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck source=/dev/null
source "$(dirname "$0")/heat.sh"

with=$HEAT
"$OSHCC" -O2 -Wall -Wextra -Werror -ffp-contract=off -DHEAT_WITHOUT_LIBPNG "$HEAT_SOURCES"/*.c -lm -o plain
for shape in 90x60 7x3; do
  HEAT=./plain heat 2 --size $shape --steps 50 --output plain.png >plain.log || give_up "$(cat plain.log)"
  HEAT=$with heat 2 --size $shape --steps 50 --output packed.png >packed.log || give_up "$(cat packed.log)"
  for picture in plain packed; do
    HEAT=$with heat 1 $picture.png --steps 1 --output $picture-again.png >again.log || give_up "$(cat again.log)"
  done
  cmp plain-again.png packed-again.png
done
! HEAT=./plain heat 1 plain.png --steps 1 >refused.log 2>&1 || give_up "read without libpng"
grep -q "plain.png: heat was compiled without libpng" refused.log || give_up "$(cat refused.log)"
