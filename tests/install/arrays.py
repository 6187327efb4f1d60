"""What the module promises, on any number of PEs; an assertion that fails ends the job."""
# SPDX-License-Identifier: BSD-3-Clause
import copy
import os
import pickle
import traceback

import atrium
import numpy


def refused(kind, call):
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError(f"no {kind.__name__}")


assert "atrium.init() first" in refused(RuntimeError, lambda: atrium.zeros(1))
assert "atrium.init() first" in refused(RuntimeError, atrium.my_pe)
atrium.init()
me, pes = atrium.my_pe(), atrium.n_pes()
right, left = (me + 1) % pes, (me - 1) % pes


def a_child_process_is_told_that_it_is_no_pe():
    with atrium.zeros(2) as a:
        child = os.fork()
        if child == 0:
            try:
                for call in (atrium.my_pe, lambda: a.on(0), lambda: atrium.zeros(1)):
                    assert "is no PE" in refused(RuntimeError, call)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert atrium.my_pe() == me


def a_neighbours_array_is_its_memory():
    with atrium.zeros((2, 3)) as a:
        a.on(right)[1, ::2] = me + 1
        atrium.barrier_all()
        assert a.tolist() == [[0, 0, 0], [left + 1, 0, left + 1]]
        assert a.T.on(right).tolist() == a.on(right).T.tolist() == [[0, me + 1], [0, 0], [0, me + 1]]
        assert a[1, ::-2].on(right).tolist() == [me + 1, me + 1]
        assert "symmetric" in refused(ValueError, lambda: (a[1:2].copy() * 2).view(atrium.Array).on(right))
        assert not isinstance(a + 1, atrium.Array) and isinstance(float(a.sum()), float)
        b = a
        b += 0
        assert b is a and numpy.add(a, 0, out=a) is a and isinstance(a[0].__iadd__(0), atrium.Array)
        assert "no PE" in refused(IndexError, lambda: a.on(pes))
        atrium.barrier_all()


def arrays_of_every_kind():
    point = numpy.dtype([("x", "f8"), ("n", "i4")])
    with atrium.zeros(4, point) as points, atrium.array([[me, 1], [2, 3]]) as values, atrium.full(3, 2.5) as many:
        atrium.put(points["x"], [1.0, 2.0, 3.0, 4.0], right)
        atrium.put(points["n"], me, right)
        atrium.barrier_all()
        assert points["x"].tolist() == [1, 2, 3, 4] and points["n"].tolist() == [left] * 4
        assert atrium.get(values, right).tolist() == [[right, 1], [2, 3]] and many.tolist() == [2.5] * 3
        assert points.on(right)["n"].tolist() == [me] * 4
        atrium.barrier_all()
    with_gaps = numpy.dtype([("c", "i1"), ("x", ">f8"), ("s", "U3")], align=True)
    with atrium.zeros((2, 2), with_gaps) as records, atrium.full(3, (me, 1), "(2,)i4") as pairs:
        there = records[:, ::-1].on(right)
        assert there.dtype == with_gaps and not isinstance(there, atrium.Array)
        there[1, 0] = (me, 2.5, "abc")
        atrium.barrier_all()
        assert records[1, 1].tolist() == (left, 2.5, "abc") and records["c"].sum() == left
        assert pairs.on(right).tolist() == [[right, 1]] * 3
        atrium.barrier_all()
    refused(TypeError, lambda: atrium.zeros(1, object))
    assert atrium.zeros(0).size == 0
    for shape in (range(2, 4), numpy.array([2, 3]), numpy.array(3)):
        with atrium.zeros(shape) as a:
            assert a.shape == numpy.zeros(shape).shape


def puts_and_gets_take_any_shape():
    with atrium.zeros((3, 4, 5), "i4") as a:
        given = numpy.arange(60, dtype="i4").reshape(3, 4, 5) + me
        for part in (slice(None), (slice(None), 1), (slice(0, 3, 2), slice(None), slice(0, 5, 2)), (1, slice(None, None, -1), 2),
                     (Ellipsis, 0)):
            atrium.barrier_all()
            a[...] = 0
            atrium.barrier_all()
            atrium.put(a[part], given[part], right)
            atrium.barrier_all()
            wanted = numpy.zeros((3, 4, 5), "i4")
            wanted[part] = given[part] - me + left
            assert (a == wanted).all(), part
            assert (atrium.get(a[part], right) == given[part]).all(), part
        refused(ValueError, lambda: atrium.put(given, given, right))
        refused(ValueError, lambda: atrium.put(a[0], given, right))
        atrium.barrier_all()


def atomic_operations_add_up():
    with atrium.zeros((2, 2), "u8") as counters, atrium.zeros((), "f8") as real:
        for _ in range(100):
            atrium.atomic_fetch_add(counters, 2, 0, (1, -1))
            atrium.atomic_inc(counters, 0, (0, 1))
        atrium.barrier_all()
        if me == 0:
            assert counters.tolist() == [[0, 100 * pes], [0, 200 * pes]]
        atrium.barrier_all()
        assert atrium.atomic_swap(real, 1.5, me) == 0 and atrium.atomic_fetch(real, me) == 1.5
        assert atrium.atomic_compare_swap(counters, 0, 7, me, (0, 0)) == 0 and atrium.atomic_fetch_or(counters, 8, me, (0, 0)) == 7
        assert "which of 4" in refused(IndexError, lambda: atrium.atomic_inc(counters, 0))
        assert "no atomic_add" in refused(TypeError, lambda: atrium.atomic_add(real, 1.0, 0))
        refused(IndexError, lambda: atrium.atomic_inc(counters, 0, (2, 0)))


def signals_arrive_behind_data():
    with atrium.zeros(1000) as data, atrium.zeros(1, "u8") as signal:
        atrium.put_signal(data, me + 1, signal, 1, right, atrium.SIGNAL_ADD)
        assert atrium.signal_wait_until(signal, atrium.CMP_GE, 1) == 1 == atrium.signal_fetch(signal)
        assert (data == left + 1).all()
        atrium.barrier_all()
        atrium.atomic_set(signal, 5, right)
        atrium.wait_until(signal, atrium.CMP_EQ, 5)
        assert "CMP_EQ" in refused(ValueError, lambda: atrium.wait_until(signal, "==", 5))
        assert atrium.test(signal, atrium.CMP_GT, 4) is True


def collectives_of_all_and_of_teams():
    with atrium.full(3, me + 1) as a, atrium.zeros(3, int) as b, atrium.zeros(3 * pes, int) as c:
        atrium.sum_reduce(b, a)
        assert b.tolist() == [pes * (pes + 1) // 2] * 3
        atrium.max_reduce(b, a), atrium.fcollect(c, a)
        assert b[0] == pes and c.tolist() == [pe + 1 for pe in range(pes) for _ in range(3)]
        atrium.broadcast(b, a, pes - 1), atrium.sum_exscan(a)
        assert b[0] == pes and a[0] == me * (me + 1) // 2
        with atrium.zeros(3 * pes, int) as d:
            atrium.alltoall(d, c)
            assert d.tolist() == [me + 1] * (3 * pes)
        even = atrium.WORLD.split_strided(0, 2, (pes + 1) // 2)
        assert (even is None) == (me % 2 == 1)
        if even:
            with even:
                assert even.translate_pe(even.my_pe()) == me and even.n_pes() == (pes + 1) // 2
                a[...] = me
                atrium.sum_reduce(a, team=even)
                assert a[0] == sum(range(0, pes, 2))
        refused(ValueError, lambda: atrium.sum_reduce(a, b[:1]))
        refused(ValueError, lambda: atrium.sum_reduce(numpy.zeros(3, int)))
        refused(ValueError, lambda: atrium.free(a[1:]))
        refused(ValueError, lambda: atrium.free(a[:1]))
        assert atrium.SHARED.n_pes() >= 1
        atrium.barrier_all()


def fields_of_records_go_where_they_lie():
    record = numpy.dtype([("small", "i4"), ("large", "i8"), ("last", "i4")])  # the large one at 4
    with atrium.zeros(5, record) as a:
        atrium.put(a["large"], numpy.arange(5) + me, right)
        atrium.barrier_all()
        assert a["large"].tolist() == [i + left for i in range(5)] and not a["small"].any() and not a["last"].any()
        assert atrium.get(a["large"][1::2], right).tolist() == [1 + me, 3 + me]
        atrium.barrier_all()


def a_collect_for_which_one_dest_is_too_small_is_refused_on_all():
    together = pes * (pes + 1) // 2
    with atrium.zeros(pes, int) as mine, atrium.zeros(together + 1, int) as all_of_them:
        mine[...] = me
        atrium.collect(all_of_them, mine[:me + 1])
        assert all_of_them.tolist() == [pe for pe in range(pes) for _ in range(pe + 1)] + [0]
        room = together if me > 0 else together - 1
        said = refused(ValueError, lambda: atrium.collect(all_of_them[:room], mine[:me + 1]))
        assert f"all together bring {together} elements, and the smallest dest has room for {together - 1}" in said, said
        mine[...] = -1
        atrium.collect(all_of_them[:together], mine[:me + 1])
        assert all_of_them.tolist() == [-1] * together + [0]
        atrium.collect(all_of_them[:0], mine[:0])


def mistakes_are_told_in_plain_words():
    with atrium.zeros((2, 2)) as a, atrium.zeros(2, int) as n, atrium.zeros(1, "u8") as signal, atrium.zeros(2, bool) as flags, \
            atrium.zeros(pes + 2, int) as many:
        between, unchanging = many.view("u1")[1:9].view(int), numpy.broadcast_to(n, (2,))
        no_array, ones = "of type list, and no array in symmetric memory: atrium.array() makes one", [1, 2]
        for kind, words, call in (
            (TypeError, f"dest is {no_array}", lambda: atrium.sum_reduce(ones)),
            (TypeError, f"source is {no_array}", lambda: atrium.broadcast(n, ones, 0)),
            (TypeError, f"dest is {no_array}", lambda: atrium.fcollect(ones, n)),
            (TypeError, f"dest is {no_array}", lambda: atrium.collect(ones, n)),
            (TypeError, f"dest is {no_array}", lambda: atrium.alltoall(ones, n)),
            (TypeError, f"target is {no_array}", lambda: atrium.put(ones, 1, 0)),
            (TypeError, f"source is {no_array}", lambda: atrium.get(ones, 0)),
            (TypeError, f"target is {no_array}", lambda: atrium.put_signal(ones, 1, signal, 1, 0)),
            (TypeError, f"signal is {no_array}", lambda: atrium.signal_fetch(ones)),
            (TypeError, f"the array is {no_array}", lambda: atrium.wait_until(ones, atrium.CMP_EQ, 1)),
            (TypeError, f"the array is {no_array}", lambda: atrium.test(ones, atrium.CMP_EQ, 1)),
            (TypeError, f"the array is {no_array}", lambda: atrium.atomic_add(ones, 1, 0)),
            (TypeError, f"the array is {no_array}", lambda: atrium.free(ones)),
            (TypeError, "out is of type list", lambda: atrium.get(n, 0, ones)),
            (ValueError, "out is read-only", lambda: atrium.get(n, 0, numpy.frombuffer(bytes(16), int))),
            (ValueError, "dest is read-only", lambda: atrium.fcollect(numpy.broadcast_to(n, (pes, 2)), n)),
            (TypeError, "pe is of type str: it must be a whole number", lambda: atrium.put(n, 1, "1")),
            (TypeError, "pe is of type float", lambda: a.on(0.5)),
            (IndexError, "there is no PE -1", lambda: atrium.get(n, -1)),
            (TypeError, "value is of type float", lambda: atrium.atomic_add(n, 1.5, 0, 0)),
            (ValueError, "value is 9223372036854775808: it must be from", lambda: atrium.atomic_set(n, 2**63, 0, 0)),
            (TypeError, "value is 'x': it must be a number", lambda: atrium.atomic_swap(a, "x", 0, (0, 0))),
            (ValueError, "value is -1", lambda: atrium.signal_wait_until(signal, atrium.CMP_EQ, -1)),
            (TypeError, "no wait_until for elements of type bool", lambda: atrium.wait_until(flags, atrium.CMP_EQ, 1, 0)),
            (TypeError, "no test for elements of type bool", lambda: atrium.test(flags, atrium.CMP_EQ, 1, 0)),
            (TypeError, "a signal has elements of type uint64", lambda: atrium.signal_fetch(n)),
            (ValueError, "one of SIGNAL_SET and SIGNAL_ADD", lambda: atrium.put_signal(n, 1, signal, 1, 0, 7)),
            (TypeError, "index is of type str", lambda: atrium.atomic_inc(n, 0, "0")),
            (IndexError, "has no element", lambda: atrium.atomic_inc(n, 0, (0, 0))),
            (ValueError, "values have shape (3,), target (2,)", lambda: atrium.put(n, [1, 2, 3], 0)),
            (TypeError, "a size in shape is of type str", lambda: atrium.zeros("2")),
            (TypeError, "a size in shape is of type float", lambda: atrium.zeros((2, 2.5))),
            (ValueError, "a size in shape is -1", lambda: atrium.empty(-1)),
            (MemoryError, "SHMEM_SYMMETRIC_SIZE", lambda: atrium.zeros(2**50)),
            (TypeError, "team is None", lambda: atrium.sum_reduce(n, team=None)),
            (TypeError, "team is of type int", lambda: atrium.alltoall(n, n, 1)),
            (ValueError, f"root is {pes}: it must be from 0 to {pes - 1}", lambda: atrium.broadcast(n, n, pes)),
            (TypeError, "start is of type str", lambda: atrium.WORLD.split_strided("0", 1, 1)),
            (TypeError, "pe is of type NoneType", lambda: atrium.WORLD.translate_pe(None)),
            (ValueError, "not destroyed", atrium.WORLD.destroy),
            (TypeError, "a team cannot be copied", lambda: copy.deepcopy(atrium.WORLD)),
            (TypeError, "a team cannot be copied or pickled", lambda: pickle.dumps(atrium.SHARED)),
            (ValueError, "target is read-only", lambda: atrium.put(unchanging, 1, 0)),
            (ValueError, "the array is read-only", lambda: atrium.atomic_inc(unchanging, 0, 0)),
            (ValueError, "no multiple of its size", lambda: atrium.atomic_inc(between, 0)),
            (ValueError, "no multiple of its size", lambda: atrium.put_signal(n, 1, between.view("u8"), 1, 0)),
            (ValueError, "overlap: they must be apart", lambda: atrium.fcollect(many[1:pes + 1], many[me + 1:me + 2])),
            (ValueError, "apart, or the same", lambda: atrium.sum_reduce(many[1:], many[:-1])),
            (MemoryError, "SHMEM_SYMMETRIC_SIZE", lambda: atrium.empty(2**61 + 1)),
        ):
            said = refused(kind, call)
            assert words in said, f"{words!r} is not in {said!r}"
        team = atrium.WORLD.split_strided(0, 1, pes)
        team.destroy()
        for call in (team.sync, team.destroy, team.my_pe, team.n_pes, lambda: atrium.sum_reduce(n, team=team)):
            assert "was destroyed" in refused(ValueError, call)
        atrium.sum_reduce(atrium.zeros((0, 3)))
        atrium.barrier_all()


for case in (a_neighbours_array_is_its_memory, a_child_process_is_told_that_it_is_no_pe, arrays_of_every_kind,
             puts_and_gets_take_any_shape, atomic_operations_add_up,
             signals_arrive_behind_data, collectives_of_all_and_of_teams, fields_of_records_go_where_they_lie,
             a_collect_for_which_one_dest_is_too_small_is_refused_on_all, mistakes_are_told_in_plain_words):
    case()
atrium.barrier_all()
of_ended_job = atrium.zeros(2)
atrium.finalize()
assert "atrium.init() first" in refused(RuntimeError, atrium.barrier_all)
atrium.init()
assert "never allocated here" in refused(ValueError, lambda: atrium.free(of_ended_job))
assert "without threads=True" in refused(RuntimeError, lambda: atrium.init(threads=True))
atrium.finalize()
if me == 0:
    print(f"all good on {pes} PEs")
