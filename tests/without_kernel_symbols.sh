#!/bin/bash
# Becomes the command of its arguments, in surroundings where /proc/kallsyms is empty, where that is allowed.
# SPDX-License-Identifier: BSD-3-Clause
#
# Each process that loads libfabric 1.17 reads all of that file twice, for a provider that is not used here (verbs asks
# what the kernel can do; newer versions ask when it is used): 0.1 s of a CPU for each PE, more than most tests take.
if unshare --mount mount --bind /dev/null /proc/kallsyms 2>/dev/null; then
  exec unshare --mount sh -c 'mount --bind /dev/null /proc/kallsyms && exec "$@"' sh "$@"
fi
exec "$@"
