# Skips what needs more than one rank where each is a job of its own; sourced.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash

# Ubuntu 24.04's MPICH: its library asks a PMIx, which its launcher is not.
function skip_where_ranks_are_alone { # LAUNCHER
  ! "$1" --version 2>/dev/null | grep -qzE 'Version: +4\.2\.0.*--with-pmix=' || { echo "this MPICH starts each rank as a job of its own"; exit 77; }
}
