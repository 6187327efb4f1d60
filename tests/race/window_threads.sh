# Threads that call MPI at the same time (MPI_THREAD_MULTIPLE), of ranks that share a window of MPI: which accesses messages order, with each MPI of $FLAVOURS.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2046,SC2317
. "$SOURCE_TREE/tests/race/window_programs.sh"
mpi_init='int level; MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level); if (level != MPI_THREAD_MULTIPLE) return 77'

# As in most programs that ask for this level.
the_messages_of_one_thread_are_told_apart() {
  local each bodies=()
  for each in 'MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)' 'MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r); MPI_Wait(&r, MPI_STATUS_IGNORE)' \
    'MPI_Sendrecv(&me, 1, MPI_INT, 1, 6, &token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); MPI_Recv(&token, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE)'; do
    bodies+=('MPI_Request r; int token = 0; (void)r;
      if (me == 0) { mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); mine[8] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }
      if (me == 1) { later(); '"$each"'; sum += first[place]; MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }')
  done
  told_all 2 7 8 "${bodies[@]}"
}
threads_are_told_apart_by_communicators_tags_and_turns() {
  local each
  cp "$SOURCE_TREE/tests/race/window_threads.c" "$scratch/p.c"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1 -pthread
    expect_status 0 start "$flavour" 2 "$scratch/p" clean
    is_silent
    expect_status 66 start "$flavour" 2 "$scratch/p" racy
    for each in own_communicators own_tags own_tags_of_any any_tag_of_own_communicators requests probes matches in_turn; do both_sides_are_told "$each"; done
  done
}
# They are taken for no less than their message; and nothing changes for other tags, if threads sent, and behind them, if threads received.
calls_that_overlap_are_said_and_order_no_less_than_they_do() {
  cp "$SOURCE_TREE/tests/race/window_threads.c" "$scratch/p.c"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1 -pthread
    expect_status 66 start "$flavour" 2 "$scratch/p" sends
    both_sides_are_told own_tags; both_sides_are_told in_turn
    expect [ -z "$(grep 'in sends_that_overlap' "$scratch/err")" ]
    says '^  limit  sends with one communicator, rank and tag began at the same time, of threads or by MPI_Startall, first by MPI_Ssend, p.c:[0-9]+; '
    expect_status 66 start "$flavour" 2 "$scratch/p" receives
    both_sides_are_told own_tags; both_sides_are_told in_turn
    expect [ -z "$(grep 'in receives_that_overlap' "$scratch/err")" ]
    says '^  limit  receives that might have got the same message began at the same time, of threads or by MPI_Startall, first by MPI_Recv, p.c:[0-9]+; '
  done
}
random_messages_of_threads_are_told_apart() {
  local seed
  cp "$SOURCE_TREE/tests/race/random_threads.c" "$scratch/p.c"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1 -pthread -w
    for seed in 1 2 $RANDOM; do
      echo "$flavour, seed $seed"
      expect_status 0 start "$flavour" $((2 + seed % 2)) "$scratch/p" $seed 30
      is_silent
      expect_status 66 start "$flavour" $((2 + seed % 2)) "$scratch/p" $seed 10 racy
    done
  done
}
# Each communicator is seen for the first time by several threads at once, which send with many tags.
threads_may_use_one_communicator() {
  write_program 'for (int round = 0; round < 100; round++) {
    pthread_t threads[4]; MPI_Comm_dup(MPI_COMM_WORLD, &shared); mine[7] = round;
    for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    MPI_Barrier(shared); sum += next[7]; MPI_Barrier(shared); MPI_Comm_free(&shared); }'
  sed -i 's/^int main/#include <pthread.h>\nstatic MPI_Comm shared;\nstatic void *work(void *number) {\n  int rank, in, out = 0; MPI_Comm_rank(shared, \&rank);\n  for (int i = 0; i < 40; i++) MPI_Sendrecv(\&out, 1, MPI_INT, rank, (int)(long)number * 1000 + i, \&in, 1, MPI_INT, rank, (int)(long)number * 1000 + i, shared, MPI_STATUS_IGNORE);\n  return NULL;\n}\n&/' "$scratch/p.c"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1
    expect_status 0 start "$flavour" 2 "$scratch/p"
    is_silent
  done
}
