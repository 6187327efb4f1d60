"""GASNet, the layer below Berkeley UPC, where pkg-config knows its conduit for shared memory: PKG_CONFIG_PATH=PREFIX/lib/pkgconfig."""
# SPDX-License-Identifier: BSD-3-Clause
import shlex

from driver import execute
from driver.plan import Library

PACKAGE = "gasnet-smp-seq"
RUN = ("sh", "-c", 'export GASNET_PSHM_NODES=$1; shift; exec "$@"')     # run with -n PES PROGRAM


def ask(*options):
    """What pkg-config says of it, in words; nothing where it is not known."""
    outcome = execute.execute(["pkg-config", *options, PACKAGE], 20)
    return () if outcome.failure else tuple(shlex.split(outcome.output))


def libraries():
    flags = ask("--cflags")
    return [Library("gasnet", "GASNet", ("cc", "-std=gnu11", *flags), RUN, version=" ".join(("GASNet", *ask("--modversion"))))] if flags else []
