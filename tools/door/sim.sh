# Builds the simulator, then hands over to it (sim/).
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/build.sh"

run_sim() {
  need build
  build_targets "$atrium_root/build" Release atrium-sim
  export ATRIUM_SIM_COSTS=$atrium_root/sim/costs
  exec "$atrium_root/build/bin/atrium-sim" "$@"
}

help_sim() {
  cat <<'END'
usage: ./atrium sim [OPTION VALUE...]          one collective on many PEs: its time, messages, partners, bytes
       ./atrium sim random [OPTION VALUE...]   random jobs with all collectives, every result checked

The library's own code runs on a virtual clock; docs/design/simulator.md says how, and what is not in it.

  --nodes N         nodes (16); of random jobs the most that one has (300)
  --pes N           PEs of a node (4); of random jobs the most (8)
  --costs NAME      a machine of sim/costs/: tcp, aries, seastar, slingshot, ndr; or the path of such a file

  --larger N        so many nodes, the first ones, have one PE more (0)
  --collective C    barrier, broadcast, sum, scan, exscan, fcollect, collect, collect_uneven, alltoall or split (barrier);
                    several of them, with commas between
  --bytes N         of each PE, or of each block of an alltoall (8); also several
  --tree N:R        N nodes of a switch, whose links are R times narrower than its cards (no switches)
  --endpoints N     PEs of a node with an endpoint of their own, at most (4)
  --rounds N        operations whose mean is told (5)
  --schedule FILE   writes which messages are sent and received, in the language of LogGOPSim (sim/loggopsim.py)
  --csv             figures for other programs, with a line of names

  --jobs N          how many random jobs (1000)
  --minutes M       as many as fit into this time
  --seed N          the first job's seed, the next one's is the number after it (1); the same seed gives the same run
END
}
