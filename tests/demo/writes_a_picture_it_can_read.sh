#!/usr/bin/env bash
# The picture at the end is a PNG that a strict reader takes: the demo itself.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck source=/dev/null
source "$(dirname "$0")/heat.sh"

heat 2 --size 90x60 --steps 50 >first.log || give_up "$(cat first.log)"
[[ -s heat.png ]] || give_up "no heat.png"
heat 2 heat.png --size 120x40 --steps 5 --output second.png >second.log || give_up "$(cat second.log)"
[[ -s second.png ]] || give_up "no second.png"
