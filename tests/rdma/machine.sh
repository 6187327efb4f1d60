# Sourced by scripts of cases: virtual machines with a device of Soft-RoCE each, on the first of which the case is run.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Their processors are interpreted by qemu: no device of this machine's is needed, and none of its rights. On a busy machine their clocks
# jump, which a kernel that checks its timers takes for a fault.
case_script=$1
patience=600 # all is twenty times as slow there
image=$BUILD_TREE/tests/rdma/image

# `machine NUMBER CASE MACHINES MORE...`: starts the one of that number, of as many, with MORE for qemu, and waits for its end.
# What it says is in the folder $scratch/NUMBER, which is shared with it.
function machine {
  local shared=$scratch/$1 which
  which="$(export IN_A_MACHINE=yes MACHINE="$1" MACHINES="$3" CASE_SCRIPT="$case_script" CASE_NAME="$2" CASE_FOLDER="$shared" && export -p)"
  mkdir "$shared" && echo "$which" >"$shared/environment"
  exec setpriv --pdeathsig KILL qemu-system-x86_64 -accel tcg,thread=multi -machine q35 -cpu max -smp 2 -m 3G -nodefaults -no-reboot \
    -display none -serial "file:$shared/console" -kernel "$image/kernel" -initrd "$image/system" \
    -append "console=ttyS0 quiet panic=-1 no_timer_check SOURCE_TREE=$SOURCE_TREE BUILD_TREE=$BUILD_TREE CASE_FOLDER=$shared" \
    -virtfs "local,path=$SOURCE_TREE,mount_tag=sources,security_model=none,readonly=on,multidevs=remap" \
    -virtfs "local,path=$BUILD_TREE,mount_tag=build,security_model=none,readonly=on,multidevs=remap" \
    -virtfs "local,path=$shared,mount_tag=case,security_model=none" "${@:4}"
}
# `cable NAME NUMBER`: qemu's options for the end of a cable at that machine, where it is an interface; the other end is at the
# other machine. Frames go through sockets with names in $scratch, and are lost while nobody listens at the other end.
function cable {
  echo "-netdev dgram,id=$1,local.type=unix,local.path=$scratch/$1.$2,remote.type=unix,remote.path=$scratch/$1.$((3 - $2))" \
    "-device virtio-net-pci,netdev=$1,mac=52:54:00:00:00:0$2"
}
# Ends as the case has ended on the first machine.
function end_as_there {
  local shared=$scratch/1
  [ -e "$shared/status" ] || complain "the virtual machine has ended: $(grep -v "^\[.*\]  " "$shared/console")"
  cat "$shared/output"
  exit "$(cat "$shared/status")"
}
function need_machines {
  need qemu-system-x86_64
  bash "$SOURCE_TREE/tests/rdma/make_image.sh" "$image" || exit
}

# `in_a_machine CASE MORE...`: goes on, if this is one; or starts one, with MORE for qemu, and runs the case again there.
function in_a_machine {
  [ -z "${IN_A_MACHINE:-}" ] || return 0
  need_machines
  (machine 1 "$1" 1 "${@:2}") || complain "qemu ended with status $?"
  end_as_there
}
# `on_two_machines CASE`: the same with two, which two cables join. The devices of Soft-RoCE are at one of them; the other one is for
# ssh. The first machine is machine1, the other one, which does what it is told by ssh, is machine2.
# shellcheck disable=SC2046  # lists of words
function on_two_machines {
  local second
  [ -z "${IN_A_MACHINE:-}" ] || return 0
  need_machines
  machine 2 "$1" 2 $(cable roce 2) $(cable control 2) & second=$!
  (machine 1 "$1" 2 $(cable roce 1) $(cable control 1)) || complain "qemu ended with status $?"
  kill "$second" 2>/dev/null; wait "$second"
  end_as_there
}
