# Python's module with the installed library.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC1091,SC2154,SC2317  # what is sourced is set there; cases are called by name
. "$SOURCE_TREE/tests/install/installed.sh"

# Sets `python`: the first that has what is imported. (Debian packages are seen by Debian's own alone.)
function find_python_with {
  local module=$1
  for python in python3 /usr/bin/python3; do ! $python -c "import $module" 2>/dev/null || return 0; done
  skip "$module is not installed"
}

function prepare_python {
  [[ -z $SANITIZE ]] || skip "an instrumented library cannot be loaded into python"
  find_python_with "$1"
  export ATRIUM_PREFIX=$PREFIX PYTHONPATH=$SOURCE_TREE/python PYTHONDONTWRITEBYTECODE=1
}

function plugin_of_the_wheel {
  sed -n '/pytest11/{n;s/^atrium = "\(.*\)".*/\1/p}' "$SOURCE_TREE/pyproject.toml"
}

python_solves_the_rod_with_numpy() {
  prepare_python numpy
  local pes
  for pes in 1 4; do
    says "equals the rod in one piece" timeout 60 "$bin/oshrun" -q -n $pes $python "$SOURCE_TREE/examples/python/heat.py"
  done
}

python_arrays_are_the_memory_of_their_pe() {
  prepare_python numpy
  local pes
  for pes in 1 2 3; do says "all good" timeout 60 "$bin/oshrun" -q -n $pes $python "$SOURCE_TREE/tests/install/arrays.py"; done
  says "all good" timeout 60 "$bin/oshrun" -q --check -n 3 $python "$SOURCE_TREE/tests/install/arrays.py"
}

the_types_of_the_python_module_are_true() {
  command -v mypy >/dev/null || skip "mypy is not installed"
  prepare_python numpy
  timeout 60 "$bin/oshrun" -q -n 2 $python "$SOURCE_TREE/tests/install/typed.py"
  MYPYPATH=$SOURCE_TREE/python mypy --strict --follow-imports=silent --python-executable "$(command -v $python)" --cache-dir "$work/mypy" "$SOURCE_TREE/tests/install/typed.py"
}

all_threads_of_python_may_call_if_asked_for() {
  prepare_python numpy
  cat >threads.py <<'END'
import atrium, threading
atrium.init(threads=True)
atrium.init(threads=True)
me, pes = atrium.my_pe(), atrium.n_pes()
teams = [atrium.WORLD.split_strided(0, 1, pes) for _ in range(3)]
counts = atrium.zeros(3, int)
def work(number):
    for _ in range(20):
        atrium.atomic_inc(counts, (me + 1) % pes, number)
        teams[number].sync()
threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
atrium.barrier_all()
assert counts.tolist() == [20, 20, 20]
END
  says "leak: 3 teams, without shmem_team_destroy (threads.py:5)" timeout 60 "$bin/oshrun" -q --check -n 2 $python threads.py # of finalize, at the end of the program
}

an_exception_on_one_pe_ends_the_job() {
  prepare_python numpy
  local said
  printf 'import atrium\natrium.init()\natrium.zeros(1)\nassert atrium.my_pe() != 1, "not me"\n' >dies.py
  said=$(timeout 60 "$bin/oshrun" -q -n 3 $python dies.py 2>&1) && exit 1
  [[ $said == *"PE 1: Traceback"*"AssertionError: not me"*"ended with status 1"* ]] || { echo "$said" && exit 1; }
}

exceptions_of_several_pes_do_not_mix() {
  prepare_python numpy
  printf 'import atrium\nimport no_such_module\n' >misses.py
  timeout 60 "$bin/oshrun" -q -n 8 $python misses.py >said 2>&1 && exit 1
  grep -c "PE .: Traceback" said
  [[ $(grep -A 3 "PE .: Traceback" said | grep -v ^-- | sed 's/^PE ./PE N/' | sort | uniq | wc -l) = 4 ]] || { cat said && exit 1; }
}

a_python_program_that_hangs_is_told_by_its_lines() {
  prepare_python numpy
  local said
  cat >hangs.py <<'END'
import atrium
atrium.init()
a = atrium.zeros(1, int)
def receive():
    atrium.wait_until(a, atrium.CMP_NE, 0)
if atrium.my_pe(): print("ready", flush=True), receive()
END
  said=$(timeout 120 "$bin/oshrun" -q --check=deadlock -n 2 $python hangs.py 2>&1) && exit 1
  [[ $said == *"PE 0   waits in shmem_finalize"*"PE 1   waits in shmem_int64_wait_until (hangs.py:5 in receive)"* && $said != *libffi* ]] || { echo "$said" && exit 1; }
  ATRIUM_DEADLOCK=0 "$bin/oshrun" -q -n 2 $python hangs.py >said 2>&1 & local oshrun=$!
  until grep -q ready said; do kill -0 $oshrun && sleep 0.1; done
  # However long it takes until the wait is seen: it is asked again and again.
  until grep -q "PE 1: in shmem_int64_wait_until, called from hangs.py:5 in receive, " said; do
    kill -USR1 $oshrun || { cat said && exit 1; }
    sleep 0.5
  done
  kill $oshrun; ! wait $oshrun
}

# Through ctypes itself, and where another thread of Python computes all the time.
a_wrong_call_of_python_is_told_by_its_line() {
  prepare_python numpy
  local said
  cat >wrong.py <<'END'
import sys, threading
import atrium
atrium.init()
def compute():
    while True: pass
def step():
    atrium.shmem.shmem_putmem(id(atrium), id(atrium), 8, 7)
if len(sys.argv) > 1: threading.Thread(target=compute, daemon=True).start()
step()
END
  for thread in "" thread; do
    said=$(timeout 120 "$bin/oshrun" -q --check -n 2 $python wrong.py $thread 2>&1) && exit 1
    [[ $said == *"PE number 7 does not exist"*"wrong.py:7 in step"* ]] || { echo "$said" && exit 1; }
  done
}

ctrl_c_ends_a_python_program_that_waits() {
  prepare_python numpy
  cat >waits.py <<'END'
import atrium, os, signal, subprocess, sys, time
if sys.argv[1:]:
    atrium.init()
    a = atrium.zeros(1, int)
    print("waits", flush=True)
    atrium.wait_until(a, atrium.CMP_NE, 0)
child = subprocess.Popen([sys.executable, __file__, "wait"], stdout=subprocess.PIPE, start_new_session=True,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
assert child.stdout.readline() == b"waits\n"
time.sleep(1)
child.send_signal(signal.SIGINT)
try:
    assert child.wait(20) == -signal.SIGINT
finally:
    child.kill()
END
  timeout 60 $python waits.py
}

a_test_of_pytest_passes_if_it_passes_on_all_pes() {
  prepare_python pytest
  $python -c 'import numpy' || skip "numpy is not installed"
  local said
  printf 'def test_alike(pes): assert pes == 2\ndef test_not_alike(pe): assert pe == 0\ndef test_after(pe): assert pe in (0, 1)\n' >test_pes.py
  said=$(timeout 60 "$bin/oshrun" -q -n 2 $python -m pytest -q -p "$(plugin_of_the_wheel)" test_pes.py 2>&1) && exit 1
  [[ $said == *"PE 1: test_pes.py::test_not_alike"* && $said == *"1 failed, 2 passed"* && ! -e .pytest_cache ]] || { echo "$said" && exit 1; }
}

pe_0_writes_the_report_of_junit() {
  prepare_python pytest
  $python -c 'import numpy' || skip "numpy is not installed"
  local said
  printf 'import time\ndef test_pes(pe):\n    if pe: time.sleep(0.1)\n    assert pe == 0\n' >test_pes.py
  said=$(timeout 60 "$bin/oshrun" -q -n 2 $python -m pytest -q --junitxml=report.xml -p "$(plugin_of_the_wheel)" test_pes.py 2>&1) && exit 1
  grep "failed in its call on 1 other PE" report.xml || { echo "$said" && cat report.xml && exit 1; }
}

# As pytest-xdist calls its option.
pytest_starts_no_processes_beside_the_pes() {
  prepare_python pytest
  $python -c 'import numpy' || skip "numpy is not installed"
  local said
  printf 'def pytest_addoption(parser): parser.addoption("--numprocesses", type=int)\n' >conftest.py
  printf 'def test_pes(pes): assert pes == 2\n' >test_pes.py
  said=$(timeout 60 "$bin/oshrun" -q -n 2 $python -m pytest -q --numprocesses 2 -p "$(plugin_of_the_wheel)" test_pes.py 2>&1) && exit 1
  [[ $said == *"processes that are no PEs of this job"* ]] || { echo "$said" && exit 1; }
  timeout 60 "$bin/oshrun" -q -n 2 $python -m pytest -q --numprocesses 0 -p "$(plugin_of_the_wheel)" test_pes.py
}

the_pytest_plugin_loads_no_library_without_oshrun() {
  prepare_python pytest
  printf 'import sys\ndef test_other(): assert "atrium" not in sys.modules\n' >test_other.py
  ATRIUM_PREFIX=$work/nowhere timeout 60 $python -m pytest -q -p no:cacheprovider -p "$(plugin_of_the_wheel)" test_other.py
}

a_test_that_one_pe_skips_in_its_set_up_is_skipped_by_all() {
  prepare_python pytest
  $python -c 'import numpy' || skip "numpy is not installed"
  local said
  cat >test_skips.py <<'END'
import atrium, pytest
@pytest.fixture
def only_on_pe_0(pe):
    if pe: pytest.skip("not here")
def test_skipped(only_on_pe_0): atrium.barrier_all()
def test_after(pe, pes):
    with atrium.zeros(1, int) as a:
        atrium.put(a, pe, (pe + 1) % pes)
        atrium.barrier_all()
        assert a[0] == (pe - 1) % pes
END
  said=$(timeout 60 "$bin/oshrun" -q --check=deadlock -n 2 $python -m pytest -q -rs -p "$(plugin_of_the_wheel)" test_skips.py 2>&1) || { echo "$said" && exit 1; }
  [[ $said == *"SKIPPED"*"test_skips.py:5: on 1 other PE(s)"*"1 passed, 1 skipped"* ]] || { echo "$said" && exit 1; }
}

a_module_that_one_pe_skips_is_skipped_by_all() {
  prepare_python pytest
  $python -c 'import numpy' || skip "numpy is not installed"
  local said who
  printf 'import atrium\ndef test_all(): atrium.barrier_all()\n' >test_b.py
  for who in 0 1; do
    printf 'import atrium, pytest\nif atrium.my_pe() == %s: pytest.skip("not here", allow_module_level=True)\ndef test_one(): atrium.barrier_all()\n' $who >test_a.py
    said=$(timeout 60 "$bin/oshrun" -q --check=deadlock -n 2 $python -m pytest -q -p "$(plugin_of_the_wheel)" test_a.py test_b.py 2>&1) || { echo "$said" && exit 1; }
    [[ $said == *"1 passed, 1 skipped"* ]] || { echo "$said" && exit 1; }
  done
}

tests_run_in_one_order_on_all_pes() {
  prepare_python pytest
  $python -c 'import numpy' || skip "numpy is not installed"
  local said
  printf 'def pytest_collection_modifyitems(items):\n    import atrium\n    if atrium.my_pe(): items.reverse()\n' >conftest.py
  printf 'import atrium\ndef test_zeros(): atrium.zeros(1)\ndef test_barrier(): atrium.barrier_all()\n' >test_order.py
  said=$(timeout 60 "$bin/oshrun" -q --check=deadlock -n 2 $python -m pytest -q -p "$(plugin_of_the_wheel)" test_order.py 2>&1) || { echo "$said" && exit 1; }
  [[ $said == *"2 passed"* ]] || { echo "$said" && exit 1; }
}

a_module_that_one_pe_cannot_collect_is_an_error_of_all() {
  prepare_python pytest
  $python -c 'import numpy' || skip "numpy is not installed"
  local said
  printf 'import atrium\nassert atrium.my_pe() != 1, "not on PE 1"\ndef test_all(): atrium.barrier_all()\n' >test_one.py
  said=$(timeout 60 "$bin/oshrun" -q --check=deadlock -n 3 $python -m pytest -q -p "$(plugin_of_the_wheel)" test_one.py 2>&1) && exit 1
  [[ $said == *"PE 1: test_one.py, collection:"*"not on PE 1"*"1 error during collection"* ]] || { echo "$said" && exit 1; }
}

python_without_the_library_says_why() {
  prepare_python numpy
  local said
  mkdir -p broken/lib && echo "no ELF file" >broken/lib/libatrium.so.1
  said=$(ATRIUM_PREFIX=$work/broken $python -c 'import atrium' 2>&1) && exit 1
  [[ $said == *"cannot load $work/broken/lib/libatrium.so.1"*"because:"*"this is $(uname -m)"*"try:"* ]] || { echo "$said" && exit 1; }
  said=$(ATRIUM_PREFIX=$work/nowhere $python -c 'import atrium' 2>&1) && exit 1
  [[ $said == *"cannot find $work/nowhere/lib/libatrium.so.1"*"try:"*"ATRIUM_PREFIX="* && $said != *"built for"* ]] || { echo "$said" && exit 1; }
}

# As in Fedora's and in Debian's own folders.
python_finds_the_library_where_distributions_have_it() {
  prepare_python numpy
  local folder
  for folder in lib64 "lib/$(uname -m)-linux-gnu"; do
    rm -rf there
    mkdir -p there/bin "there/$folder"
    touch there/bin/oshrun
    chmod +x there/bin/oshrun
    cp "$PREFIX/lib/libatrium.so.1" "there/$folder/"
    ATRIUM_PREFIX=$work/there $python -c 'import atrium'
    env -u ATRIUM_PREFIX PATH="$work/there/bin:$PATH" $python -c 'import atrium'
  done
}

python_without_the_wheel_takes_the_library_beside_oshrun() {
  prepare_python numpy
  unset ATRIUM_PREFIX
  ! $python -c 'from importlib import metadata; metadata.files("atrium-openshmem")' 2>/dev/null || skip "the wheel is installed"
  local said
  said=$(PATH=$bin:$PATH $python -c 'import atrium.library; print(atrium.library.prefix())')
  [[ $said -ef $PREFIX ]] || { echo "$said" && exit 1; }
}
