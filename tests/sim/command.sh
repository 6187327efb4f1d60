# ./atrium sim, and what the simulator takes for granted of the library.
# SPDX-License-Identifier: BSD-3-Clause

the_same_seed_gives_the_same_history() {
  local first second other
  first=$("$ATRIUM_SIM" random --jobs 4 --nodes 40 --seed 77)
  second=$("$ATRIUM_SIM" random --jobs 4 --nodes 40 --seed 77)
  other=$("$ATRIUM_SIM" random --jobs 4 --nodes 40 --seed 78)
  [[ $first == "$second" ]] || complain "two histories of one seed: $first, $second"
  [[ ${first##*history} != "${other##*history}" ]] || complain "one history of two seeds: $first"
}

a_measurement_tells_time_messages_and_partners() {
  local row
  row=$("$ATRIUM_SIM" --nodes 16 --pes 4 --collective sum --bytes 8 --csv | tail -1)
  # In each of log4 16 rounds each of three leaders of a node sends a message, and receives one.
  [[ $row == default,sum,8,16,4,*,6.00,0.00,*,4,0.00 ]] || complain "$row"
}

several_collectives_and_sizes_are_rows_of_their_own() {
  local rows
  rows=$("$ATRIUM_SIM" --nodes 4 --pes 2 --larger 1 --collective sum,collect_uneven --bytes 8,64 --csv | tail -n +2 | cut -d, -f2-5)
  [[ $rows == $'sum,8,4,2.25\nsum,64,4,2.25\ncollect_uneven,8,4,2.25\ncollect_uneven,64,4,2.25' ]] || complain "$rows"
}

# Two of them would be written to one file.
a_schedule_is_of_one_collective() {
  ! "$ATRIUM_SIM" --nodes 2 --collective sum,barrier --schedule "$scratch/schedule" >out 2>&1 || complain "accepted: $(cat out)"
  grep -q 'try:' out || complain "$(cat out)"
}

a_search_for_cliffs_tells_steps() {
  local found
  found=$(ATRIUM_SIM_COSTS=$SOURCE_TREE/sim/costs "$SOURCE_TREE/sim/cliffs.py" --sim "$ATRIUM_SIM" --costs ndr --collectives sum --nodes 2 --pes 1 \
    --bytes 8,64 --keep "$scratch/points") || complain "$found"
  [[ ${found##*$'\n'} == "8 points, 0 cliffs" ]] || complain "$found"
  sed -i 's/^ndr,sum,8,3,1,0,.*/ndr,sum,8,3,1,0,1000/' "$scratch/points"
  found=$(ATRIUM_SIM_COSTS=$SOURCE_TREE/sim/costs "$SOURCE_TREE/sim/cliffs.py" --sim "$ATRIUM_SIM" --costs ndr --collectives sum --nodes 2 --pes 1 \
    --bytes 8,64 --keep "$scratch/points")
  [[ $found == *"sum 8 B 2 x 1 -> sum 8 B 3 x 1"* ]] || complain "a cliff is not told: $found"
}

a_search_compares_two_simulators() {
  local found slower=$scratch/slower grid=(--costs ndr --collectives sum --nodes 2 --pes 1 --bytes 8)
  found=$("$SOURCE_TREE/sim/cliffs.py" --sim "$ATRIUM_SIM" "${grid[@]}" --against "$ATRIUM_SIM") || complain "$found"
  [[ $found == "4 points, 0 slower, 0 faster" ]] || complain "$found"
  printf '#!/bin/sh\nexec env SHMEM_REDUCE_ALGORITHM=leaders_slices "%s" "$@"\n' "$ATRIUM_SIM" >"$slower"
  chmod +x "$slower"
  found=$("$SOURCE_TREE/sim/cliffs.py" --sim "$ATRIUM_SIM" "${grid[@]}" --against "$slower") || complain "$found"
  [[ $found == *"sum 8 B 3 x 1: "* && $found == *$'\n'"4 points, 0 slower, 4 faster" ]] || complain "$found"
}

an_allocation_sends_no_message_more_than_its_barrier() {
  local nodes barrier allocation
  for nodes in 2 3 16; do
    barrier=$("$ATRIUM_SIM" --nodes $nodes --pes 4 --collective barrier --csv | tail -1 | cut -d, -f7)
    allocation=$("$ATRIUM_SIM" --nodes $nodes --pes 4 --collective allocation --csv | tail -1 | cut -d, -f7)
    [[ $barrier == [1-9]* && $allocation == "$barrier" ]] || complain "$nodes nodes: a barrier $barrier, an allocation $allocation"
  done
}

wrong_options_are_refused() {
  local options
  for options in "--nodes" "--nodes 0" "--nodes x" "--what 1" "--costs nowhere" "--collective gossip" "--collective sum,gossip" "--bytes 8,x" "--larger -1" "--tree 0" "--tree 4:" "--tree 4:0.5" "random --jobs 0"; do
    # shellcheck disable=SC2086  # they are words
    ! "$ATRIUM_SIM" $options >out 2>&1 || complain "accepted: $options"
    grep -q 'try:' out || complain "$options: $(cat out)"
  done
}

# Each variable of the layers that are simulated is a PE's own, and marked (core/per_pe.hpp), or all PEs' alike, and listed.
variables_of_the_library_are_marked_or_listed() {
  local folder found listed=$SOURCE_TREE/tests/sim/variables_of_all_pes.txt
  command -v objdump >/dev/null || skip "objdump is not installed"
  for folder in topology wait copy arena transport wire network team context coll memory; do
    find "$LIBRARY_OBJECTS/$folder" -name '*.o' -exec objdump -tC {} +
  done >"$scratch/symbols"
  found=$(awk '$0 ~ / O \.(data|bss)/ && $0 !~ /\.data\.rel\.ro|guard variable|DW\.ref|__odr_asan/ { sub(/^.*\t[0-9a-f]+ +(\.hidden )?/, ""); print }' "$scratch/symbols" |
    sed 's/(anonymous namespace):://; s/^atrium:://; s/^detail:://' | sort -u)
  diff <(echo "$found") <(sed 's/ *#.*//' "$listed" | grep . | sort -u) >"$scratch/difference" || complain "<: neither marked nor listed in $listed, >: listed only
$(cat "$scratch/difference")"
  grep -q ' atrium_pe' "$scratch/symbols" || complain "no variable is marked"
}
