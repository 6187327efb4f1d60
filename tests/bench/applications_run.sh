# The plan of MPI applications, with a small program in the place of one: its time, what the library reported, its shares of MPI's
# time; and a program whose results the library changes.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

command -v mpicc.openmpi mpirun.openmpi >/dev/null || { echo "Open MPI is not installed" && exit 77; }
[[ -e $BUILD_TREE/lib/libatrium-mpi-openmpi.so ]] || { echo "Atrium was built without Open MPI" && exit 77; }
export PYTHONPATH=$SOURCE_TREE/bench PYTHONDONTWRITEBYTECODE=1
output=$BUILD_TREE/tests/bench/mpi_applications
rm -rf "$output"
mkdir -p "$output/bin" "$BUILD_TREE/bench"
export PATH=$output/bin:$PATH
build() { mpicc.openmpi -O2 "$@" -o "$output/bin/pw.x" "$SOURCE_TREE/tests/bench/application_like.c"; }
measure() { python3 -m driver mpi_applications --quick --rounds 1 --only pw. --output "$output" 2>&1 | tee "$output.txt"; }

has() { grep -Eq "$1" "$output/mpi_applications.csv" || { echo "no line has $1" && exit 1; }; }

build
measure
has '^pw\.node,0,4,atrium,ns,[0-9]'
has '^pw\.node,0,4,alone,ns,[0-9]'
has '^pw\.node\.calls_taken,0,4,atrium,%,[0-9]'
has '^pw\.node\.share\.alltoall,0,4,alone,%,[0-9]'
grep -q 'no hosts can be made here' "$output.txt" || has '^pw\.hosts,0,4,alone,ns,[0-9]'

build -DDIFFERS
status=0
measure || status=$?
[[ $status == 1 ]] || { echo "other results ended with status $status" && exit 1; }
grep -Eq 'alone: pw\.node with 4 PEs has other results than atrium: [0-9.]+ instead of [0-9.]+' "$output.txt"
has '^pw\.node,0,4,atrium,'
! grep -q '^pw\.node,0,4,alone,' "$output/mpi_applications.csv"
