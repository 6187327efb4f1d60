#!/bin/bash
# What a window says of its waits with ATRIUM_REPORT=1, and that it says nothing without. usage: profile.sh FLAVOUR PROGRAM
# SPDX-License-Identifier: BSD-3-Clause
set -u
flavour=$1 program=$2

run() { said=$(timeout 50 bash "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 3 "$@" 2>&1) || { echo "it failed: $said" && exit 1; }; }
says() { grep -qE "$1" <<<"$said" || { echo "it does not say '$1':" && echo "$said" && exit 1; }; }

run env ATRIUM_REPORT=1 "$program"
says '^atrium: node window late: 3 ranks, 3000 bytes, freed after [0-9.]+ s$'
says '^atrium:   post +7 calls$'
says '^atrium:   wait +7 calls, waited +[0-9.]+ % of the time: most rank 1, [0-9.]+ s, least rank [02], 0\.000 s$'
says '^atrium:   barrier +15 calls, waited +[0-9.]+ % of the time: most rank [01], [0-9.]+ s, least rank 2, '
says '^atrium:   fence +3 calls, '
says '^atrium:   longest wait for posts of one rank: rank 1 for rank 0, (0\.[2-9]|[1-9])'
[ "$(grep -c 'node window' <<<"$said")" = 1 ] || { echo "more than one rank speaks: $said" && exit 1; }

run "$program"
[ -z "$said" ] || { echo "it says something unasked: $said" && exit 1; }

# Variables that differ: rank 0 of the node decides, and nobody hangs.
# shellcheck disable=SC2016  # for the shell of each rank
run sh -c '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] && mine=0 || mine=1; ATRIUM_REPORT=$mine exec "$0"' "$program"
[ -z "$said" ] || { echo "rank 0 has not asked: $said" && exit 1; }
