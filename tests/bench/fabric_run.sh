# The plan of what is between hosts, on nodes that are pretended: a program and the limit beside it.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

export PYTHONPATH=$SOURCE_TREE/bench PYTHONDONTWRITEBYTECODE=1
unset HOST_LIST HOST_AGENT
output=$BUILD_TREE/tests/bench/fabric
rm -rf "$output"
mkdir -p "${output%/*}"
python3 -m driver fabric --quick --alone --rounds 1 --only together --output "$output" | tee "$output.txt"

grep -Eq '^barrier .* 2 ' "$output.txt"
grep -Eq '^alltoall +8 B +8 ' "$output.txt"
# Raw libfabric is measured, or the page says why not.
for row in libfabric libfabric_descriptor; do
  grep -Eq "^$row.by_hand .*[0-9] [^ ]*s" "$output.txt" || grep -q 'Raw libfabric was left out' "$output/fabric.html"
done
grep -q ",limit," "$output/fabric.csv"
grep -q 'two nodes are pretended' "$output/fabric.html"

# shnode's plan for hosts runs the same way.
python3 -m driver shnode_fabric --quick --alone --rounds 1 --only isort --output "$output" | tee "$output.shnode.txt"
grep -Eq '^isort.strong.separated.gain .* 4 ' "$output.shnode.txt"
