#!/usr/bin/env bash
# Tries the wheel where there is no compiler, no network and no root: a fresh virtual environment in a minimal system.
# usage: packaging/try/wheel.sh [WHEEL]   (without, ./atrium package wheel makes it)
# SPDX-License-Identifier: BSD-3-Clause
source "$(dirname -- "${BASH_SOURCE[0]}")/roots.sh"
work_in wheel

wheel=$(product wheel "atrium_openshmem-*.whl" "$@")

new_root "$work/root"
in_root "$work/root" bash -ec 'apt-get -q update >/dev/null; apt-get -qy install --no-install-recommends python3 python3-venv >/dev/null
  useradd --create-home someone; ! command -v cc'
cp "$wheel" "$sources"/examples/python/heat.py "$sources"/packaging/debian/tests/ring.c "$work/root/home/someone/"
in_root "$work/root" su someone -c 'cd; python3 -m venv fetch; fetch/bin/pip -q download numpy pytest' # while there is a network
cat >"$work/root/home/someone/beside.py" <<'END'
import ctypes, sys
# As a compiled module does, which is linked with the library:
ctypes.CDLL(sys.prefix + "/lib/libatrium.so.1", mode=ctypes.RTLD_GLOBAL).shmem_init()
import atrium
atrium.init()
atrium.finalize() # who called shmem_init ends it, too: else a PE that ends early has left the others
END
cat >"$work/root/home/someone/test_ring.py" <<'END'
import atrium


def test_ring(pe, pes):
    with atrium.zeros(1, int) as a:
        atrium.put(a, pe, (pe + 1) % pes)
        atrium.barrier_all()
        assert a[0] == (pe - 1) % pes
END

step "as a user, without compiler and network"
without_network bash -ec "source '$sources/packaging/try/roots.sh'; in_root '$work/root' su someone -c '
  set -e; cd
  python3 -m venv env; . env/bin/activate
  pip -q install --no-index --find-links . ./atrium_openshmem-*.whl
  oshrun -n 4 python heat.py
  oshrun -n 2 python beside.py
  pip -q install --no-index --find-links . pytest
  oshrun -n 2 python -m pytest -q test_ring.py
  oshrun --version; atrium-info --variables >/dev/null
  oshcc x.c 2>&1 | grep \"no compiler .cc.\"
  test ! -e env/bin/oshfort || oshfort x.f90 2>&1 | grep \"no compiler .gfortran.\"
  man=env/share/man/man3; ls \$man/shmem_put.3 && if grep -l \"^[.]so\" \$man/*; then exit 1; fi
  pip -q uninstall -y atrium-openshmem; ! ls env/bin | grep -E \"osh|atrium\"'"

step "with a compiler"
in_root "$work/root" bash -ec 'apt-get -qy install --no-install-recommends gcc g++ libc6-dev >/dev/null'
in_root "$work/root" su someone -c '
  set -e; cd; . env/bin/activate
  pip -q install --no-index --find-links . ./atrium_openshmem-*.whl
  for flags in "" -static "-L env/lib -lsma"; do oshcc -O2 ring.c -o ring $flags 2>/dev/null; oshrun -n 2 ./ring; done'

step "on another system pip refuses it"
other=$work/root/home/someone/$(basename "$wheel" | sed 's/x86_64/s390x/; s/aarch64/s390x/')
cp "$wheel" "$other"
in_root "$work/root" su someone -c "cd; . env/bin/activate; ! pip install --no-index './$(basename "$other")' 2>said; cat said; grep -q 'not a supported wheel' said"
echo
echo "the wheel is good"
