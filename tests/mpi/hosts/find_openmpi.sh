# Which launcher is Open MPI's; sourced. Some say nothing of themselves: Ubuntu 26.04's lacks the file with the words.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
is_of_openmpi() {
  [[ $(readlink -f -- "$(command -v "$1")") == */mpirun.openmpi ]] ||
    [[ $("$1" --allow-run-as-root --version 2>/dev/null) =~ Open\ MPI|OpenRTE ]]
}

# Sets `openmpi` to its mpirun, whichever name the distribution gives it.
find_openmpi() { openmpi=$(command -v mpirun.openmpi || command -v mpirun) && is_of_openmpi "$openmpi"; }
