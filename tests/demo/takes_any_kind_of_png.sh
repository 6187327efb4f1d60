#!/usr/bin/env bash
# Grey, colour, palette, alpha, 8 and 16 bits, interlaced: the same picture makes the same plate.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck source=/dev/null
source "$(dirname "$0")/heat.sh"

for kind in grey8 grey16 greyalpha rgb8 rgb16 rgba palette interlaced; do
  "$MAKE_IMAGE" "$kind" 60 40 "$kind.in.png"
  heat 3 --temperature "$kind.in.png" --conductivity "$kind.in.png" --steps 20 --output "$kind.png" >"$kind.log" ||
    give_up "$kind: $(cat "$kind.log")"
  grep -q "heat: 60 x 40 cells" "$kind.log" || give_up "$kind: the plate has another size than the image"
  cmp "$kind.png" grey8.png || give_up "$kind makes another plate than grey8"
done
