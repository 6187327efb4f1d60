#!/usr/bin/env bash
# Images of two sizes, and a plate of a third: it runs, and says that it resampled.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck source=/dev/null
source "$(dirname "$0")/heat.sh"

"$MAKE_IMAGE" grey8 60 40 temperature.png
"$MAKE_IMAGE" rgb16 33 71 conductivity.png
output=$(heat 4 temperature.png conductivity.png --steps 10) || give_up "$output"
grep -q "conductivity.png .*resampled" <<<"$output" || give_up "not said: $output"
! grep -q "temperature.png .*resampled" <<<"$output" || give_up "wrongly said: $output"
output=$(heat 4 temperature.png conductivity.png --size 50x50 --steps 10) || give_up "$output"
grep -q "temperature.png .*resampled" <<<"$output" || give_up "not said: $output"
