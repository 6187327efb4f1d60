# The suites' programs on hosts that are made of namespaces: what pretended nodes cannot show is a network with addresses. Each
# suite on one number of hosts at least; on two and three, each has run by hand, and does on pretended nodes.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/nodes/on_hosts.sh"
patience=300

# `run_all SUITE NAMES...`: neighbours, of which litmus programs make pairs, are dealt to two hosts in turn; or one, two and
# three PEs to each of three.
function run_all {
  local suite=$1 name placed
  shift
  if [ ${#hosts[@]} = 2 ]; then
    placed=(-n 4 --hosts "$HOST_LIST" --map-by node)
  else
    placed=(-n 6 --hosts "${hosts[0]}:1,${hosts[1]}:2,${hosts[2]}:3")
  fi
  for name in "$@"; do
    expect_status 0 oshrun --agent "$HOST_AGENT %h" "${placed[@]}" -x TEST_ROUNDS -x TEST_TYPES -x ATRIUM_WAIT "$BUILD_TREE/tests/$suite/${suite}_$name"
  done
}
# `run_third NUMBER SUITE NAMES...`: every third of the names, from that one on.
function run_third {
  local at=$1 suite=$2 mine=()
  shift 2
  for (( ; at <= $#; at += 3)); do mine+=("${!at}"); done
  run_all "$suite" "${mine[@]}"
}
# shellcheck disable=SC2086  # lists of words
{
conformance_on_three_hosts_first_third() { on_hosts 3 "${FUNCNAME[0]}"; run_third 1 conformance $CONFORMANCE; }
conformance_on_three_hosts_second_third() { on_hosts 3 "${FUNCNAME[0]}"; run_third 2 conformance $CONFORMANCE; }
conformance_on_three_hosts_last_third() { on_hosts 3 "${FUNCNAME[0]}"; run_third 3 conformance $CONFORMANCE; }
litmus_on_two_hosts() { on_hosts 2 "${FUNCNAME[0]}"; run_all litmus $LITMUS; }
stress_on_two_hosts() { on_hosts 2 "${FUNCNAME[0]}"; run_all stress $STRESS; }
stress_on_three_hosts() { on_hosts 3 "${FUNCNAME[0]}"; run_all stress $STRESS; }
}
