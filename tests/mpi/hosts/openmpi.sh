# How Open MPI's mpirun reaches the hosts that with_hosts.sh made; sourced. From version 5 on its launcher has settings of its own.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent=$HOST_AGENT
export OMPI_MCA_oob_tcp_if_include=net0 OMPI_MCA_hwloc_base_binding_policy=none
unset PRTE_MCA_rmaps_default_mapping_policy  # which would have all ranks on the first host
export PRTE_MCA_plm_ssh_agent=$HOST_AGENT PRTE_MCA_prte_if_include=net0 PRTE_MCA_hwloc_default_binding_policy=none

# Sets `where`, arguments for mpirun: so many ranks fit on each host. By a file, since --host=ADDRESS:RANKS of version 5 counts one
# on the host that has called it.
function place_on_hosts {
  local file
  file=$(mktemp "${TMPDIR:-/tmp}/slots.XXXXXX")
  printf "%s slots=$1\n" ${HOST_LIST//,/ } >"$file"
  where=(--hostfile "$file")
}
