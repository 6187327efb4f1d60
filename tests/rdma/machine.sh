# Sourced by scripts of cases: a virtual machine with a device of Soft-RoCE, in which the case is run.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Its processor is one that qemu interprets: no device of this machine's is needed, and none of its rights.
case_script=$1
patience=600 # all is twenty times as slow there

# `in_a_machine CASE`: goes on, if this is one; or starts one, and runs the case again there.
function in_a_machine {
  local image=$BUILD_TREE/tests/rdma/image shared=$scratch/shared
  [ -z "${IN_A_MACHINE:-}" ] || return 0
  need qemu-system-x86_64
  bash "$SOURCE_TREE/tests/rdma/make_image.sh" "$image" || exit
  mkdir "$shared"
  (export IN_A_MACHINE=yes CASE_SCRIPT=$case_script CASE_NAME=$1 CASE_FOLDER=$shared && export -p) >"$shared/environment"
  setpriv --pdeathsig KILL qemu-system-x86_64 -accel tcg,thread=multi -machine q35 -cpu max -smp 2 -m 3G -nodefaults -no-reboot \
    -display none -serial "file:$scratch/console" -kernel "$image/kernel" -initrd "$image/system" \
    -append "console=ttyS0 quiet panic=-1 SOURCE_TREE=$SOURCE_TREE BUILD_TREE=$BUILD_TREE CASE_FOLDER=$shared" \
    -virtfs "local,path=$SOURCE_TREE,mount_tag=sources,security_model=none,readonly=on,multidevs=remap" \
    -virtfs "local,path=$BUILD_TREE,mount_tag=build,security_model=none,readonly=on,multidevs=remap" \
    -virtfs "local,path=$shared,mount_tag=case,security_model=none" || complain "qemu ended with status $?"
  [ -e "$shared/status" ] || complain "the virtual machine has ended: $(grep -v "^\[.*\]  " "$scratch/console")"
  cat "$shared/output"
  exit "$(cat "$shared/status")"
}
