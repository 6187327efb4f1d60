#!/bin/bash
# Run by mmdebstrap beside the system that it has made: adds a kernel's modules and the first process, and packs all of it as the
# kernel unpacks it into memory. usage: pack_system.sh ROOT   (afterwards: ROOT/tmp/kernel, ROOT/tmp/system)
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
root=$1
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG

# The kernel is unpacked and not installed: installing it would make an image of its own. (Debian's kernel for clouds has no Soft-RoCE.)
mkdir "$root/kernel" && cd "$root/kernel"
apt-get -q download "$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)"
dpkg-deb -x linux-image-*.deb .
version=$(basename lib/modules/*)
mv "boot/vmlinuz-$version" "$root/tmp/kernel"

# Of its thousands of modules these, and what they need: folders of the host, Soft-RoCE (and what it asks for by another
# name), network cables.
chroot "$root" depmod -b /kernel "$version"
for module in virtio_pci 9pnet_virtio 9p crc32_generic crc32_pclmul rdma_rxe ib_uverbs rdma_ucm veth virtio_net; do
  chroot "$root" modprobe -d /kernel -S "$version" --show-depends "$module"
done | sed -n 's,^insmod /kernel/\([^ ]*\).*,\1,p' | sort -u >"$root/tmp/modules"
tar -c -T "$root/tmp/modules" "lib/modules/$version/"modules.{builtin,order} | tar -x -C "$root"
cd "$root"
rm -r kernel tmp/modules
chroot "$root" depmod "$version"

install -m 755 "$here/first_process.sh" init
printf '%s\n' "127.0.0.1 localhost" "198.51.100.1 machine1" "198.51.100.2 machine2" >etc/hosts
# Each machine knows the other one, and lets it in. Keys take seconds there, so all commands share the connection of the first.
mkdir -m 700 root/.ssh
chroot "$root" ssh-keygen -q -t ed25519 -N "" -f root/.ssh/id_ed25519
cp root/.ssh/id_ed25519.pub root/.ssh/authorized_keys
printf '%s\n' "ControlMaster auto" "ControlPath /run/ssh.%h" "ControlPersist yes" >root/.ssh/config
sed 's/^/machine1,machine2 /' etc/ssh/ssh_host_ed25519_key.pub >root/.ssh/known_hosts
echo "someone:x:1000:1000::/tmp:/bin/bash" >>etc/passwd
rm -rf var/cache/* var/lib/apt/* usr/share/{doc,man,locale,info}
# What is mounted in dev, proc and sys while it is made is the host's.
find . -xdev \( -path './dev/*' -o -path './proc/*' -o -path './sys/*' -o -path './tmp/*' \) -prune -o -print0 >/tmp/atrium-files.$$
chroot "$root" cpio -0 -o -H newc --quiet </tmp/atrium-files.$$ >/tmp/atrium-system.$$
rm /tmp/atrium-files.$$
mv /tmp/atrium-system.$$ tmp/system
