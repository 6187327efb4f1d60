# Minimal Debian systems to try things in, made by mmdebstrap; sourced by the scripts beside it. Requires: root, a mirror.
# SPDX-License-Identifier: BSD-3-Clause
#
#   new_root FOLDER            a fresh minimal system (its base is kept in $ATRIUM_ROOTS, /var/tmp/atrium-roots)
#   in_root FOLDER COMMAND...  runs a command in it, as on a machine of its own: the folder is the root of a mount namespace (no
#                              chroot, in which no further namespace could be made), processes, host name, System V IPC,
#                              /dev/shm and /tmp are its own
#   work_in NAME               $work is a folder for this run, which goes with it
#   product KIND FILES [GIVEN] prints the file that is given, or makes ./atrium package KIND and prints what that matches
#   DEBIAN_SUITE=trixie        in the environment: Debian 13, not 12 (bookworm); jammy, noble, resolute: Ubuntu 22.04, 24.04, 26.04
#   without_network COMMAND... the same command in a network of its own that has interfaces, as a machine has, and reaches nothing
set -euo pipefail

suite=${DEBIAN_SUITE:-bookworm}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
# Debian has no key of Ubuntu's, and these systems live for minutes.
[[ $suite != @(jammy|noble|resolute) ]] || mirror="deb [trusted=yes] ${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu} $suite main universe"
roots=${ATRIUM_ROOTS:-/var/tmp/atrium-roots}
sources=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../..")

[[ $(id -u) -eq 0 ]] || { echo "please run this as root: it makes systems and changes root into them" >&2 && exit 77; }
command -v mmdebstrap >/dev/null || { echo "mmdebstrap is missing (Debian: mmdebstrap)" >&2 && exit 77; }

work_in() {
  work=$(mktemp -d "${TMPDIR:-/var/tmp}/atrium-$1-XXXXXX")
  trap 'rm -rf --one-file-system "$work"' EXIT
}

product() {
  [[ -z ${3:-} ]] || { readlink -f -- "$3" && return; }
  "$sources/atrium" package "$1" >&2
  find "$sources/dist" -maxdepth 1 -name "$2" | sort -V | tail -n 1
}

new_root() {
  mkdir -p "$roots" "$1"
  [[ -f $roots/$suite.tar ]] || mmdebstrap --quiet --format=tar --variant=minbase --include=apt "$suite" "$roots/$suite.tar.new" "$mirror" >&2
  [[ -f $roots/$suite.tar ]] || mv "$roots/$suite.tar.new" "$roots/$suite.tar"
  tar -C "$1" -xf "$roots/$suite.tar"
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  echo "127.0.0.1 localhost machine" >"$1/etc/hosts"  # as containers have it: MPIs look their own name up, and would ask the network
}

# Variables: HOME and the proxies go along, and the certificates that pip is to trust ($PIP_CERT), which a proxy may need; nothing
# else. What compilers made lies in the cache of this system's own ccache,
# $CCACHE_DIR, where the next time finds it.
in_root() {
  local root=$1
  shift
  cache=${CCACHE_DIR:-$HOME/.cache/ccache} unshare --mount --pid --ipc --uts --fork --kill-child bash -ec '
    root=$1 && shift
    mount --make-rprivate / && mount --bind "$root" "$root"
    mount -t proc proc "$root/proc" && mount -t sysfs sysfs "$root/sys" && mount --rbind /dev "$root/dev"
    [[ ! -d /sys/fs/cgroup ]] || mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
    mount -t tmpfs -o "size=${SHM_SIZE:-64m}" tmpfs "$root/dev/shm"
    mkdir -p "$root/root/.cache/ccache" "$cache" && mount --bind "$cache" "$root/root/.cache/ccache"
    [[ ! -f ${PIP_CERT:-} ]] || cp "$PIP_CERT" "$root/usr/local/share/certificates.pem"
    hostname machine
    cd "$root" && pivot_root . . && umount --lazy .
    exec /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=${LANG:-C.UTF-8} \
      DEBIAN_FRONTEND=noninteractive \
      CCACHE_BASEDIR=/root CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
      ${PIP_CERT:+PIP_CERT=/usr/local/share/certificates.pem} "$@"' \
    in_root "$root" "$@"
}

# Where there is none but loopback, there is no way to other nodes.
without_network() {
  unshare --net bash -ec 'ip link set lo up
    ip link add net0 type veth peer name nowhere && ip address add 192.0.2.1/24 dev net0 && ip link set net0 up && ip link set nowhere up
    exec "$@"' without_network "$@"
}

step() { printf '\n== %s\n' "$*"; }
