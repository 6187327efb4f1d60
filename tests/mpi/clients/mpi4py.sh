#!/usr/bin/env bash
# Installs mpi4py and its tests from PyPI into a folder, once; prints nothing. Exit status 77, with the reason: cannot be had here.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: mpi4py.sh FOLDER     makes FOLDER/python (a virtual environment), FOLDER/tests and FOLDER/abi
# The wheel serves both MPIs, but knows MPICH by the name of its ABI, libmpi.so.12, which Debian does not install: FOLDER/abi has it.
set -euo pipefail
version=4.1.2
folder=$1

skip() { echo "mpi4py cannot be had here: $*" && exit 77; }

fetch() {
  python3 -m venv "$folder/python" || skip "python3 -m venv does not work (Debian: python3-venv)"
  local pip=("$folder/python/bin/pip" --disable-pip-version-check --quiet --retries 1 --timeout 20)
  "${pip[@]}" install "mpi4py==$version" numpy || skip "PyPI cannot be reached"
  "${pip[@]}" download --no-deps --no-binary mpi4py "mpi4py==$version" --dest "$folder" || skip "PyPI cannot be reached"
  tar -xzf "$folder/mpi4py-$version.tar.gz" -C "$folder"
  mv "$folder/mpi4py-$version/test" "$folder/tests"
}

mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
[[ ! -e $folder/complete ]] || exit 0
rm -rf "$folder/python" "$folder/tests" "$folder/mpi4py-$version"
(fetch) >"$folder/log" 2>&1 || { status=$?; tail -n 1 "$folder/log"; exit $status; }
mkdir -p "$folder/abi"
ln -sf "$(ldconfig -p | sed -n 's/.*libmpich\.so\.12 .*=> //p' | head -n 1)" "$folder/abi/libmpi.so.12"
touch "$folder/complete"
