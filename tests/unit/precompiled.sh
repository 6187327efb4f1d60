#!/bin/bash
# A unit test is compiled with flags for which gcc takes the precompiled headers: it refuses them without an error, and
# reads all of them again.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
command -v python3 >/dev/null || { echo "python3 is not installed" && exit 77; }
file=$SOURCE_TREE/tests/unit/words_test.cpp
compile=$(python3 - "$BUILD_TREE/compile_commands.json" "$file" <<'END'
import json
import sys

print(next(command["command"] for command in json.load(open(sys.argv[1])) if command["file"] == sys.argv[2]))
END
)
[[ $compile == *cmake_pch* ]] || { echo "no precompiled headers: $compile" && exit 1; }
cd "$BUILD_TREE"
bash -c "${compile/ -o * -c / } -fsyntax-only -Winvalid-pch -Werror=invalid-pch"
