# Messages between ranks that share a window of MPI: which accesses they order, with each MPI of $FLAVOURS.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2046,SC2317
. "$SOURCE_TREE/tests/race/window_programs.sh"

a_message_orders_its_receiver_behind_its_sender() {
  clean_all 3 'if (me == 0) { mine[7] = 1; MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD); }
    if (me == 1) { MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[7]; }' \
    'int token = 0; MPI_Request requests[2]; mine[7] = me;
    MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[0]); MPI_Isend(&me, 1, MPI_INT, (me + n - 1) % n, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); sum += next[7];'
  seen 'if (me == 1) { sum += first[7]; MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD); }
    if (me == 0) { mine[7] = 1; MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }' 2
}
# Rank 0 has sent something that rank 1 has not received, when rank 1 waits for its own send, or for another message.
a_wait_takes_what_its_requests_bring() {
  local each bodies=()
  for each in 'MPI_Isend(&me, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, &r)|MPI_Recv(&token, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)' \
    'MPI_Irecv(&token, 1, MPI_INT, 2, 4, MPI_COMM_WORLD, &r)|MPI_Send(&me, 1, MPI_INT, 1, 4, MPI_COMM_WORLD)'; do
    bodies+=('MPI_Request r; int token = 0;
      if (me == 0) { mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }
      if (me == 1) { later(); '"${each%|*}"'; MPI_Wait(&r, MPI_STATUS_IGNORE); sum += first[7]; MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
      if (me == 2) '"${each#*|}"';')
  done
  seen_all 3 "${bodies[@]}"
  bodies=('MPI_Request r; int token = 0;
    if (me == 0) { MPI_Issend(&me, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &r); MPI_Wait(&r, MPI_STATUS_IGNORE); mine[7] = 1; }
    if (me == 1) { sum += first[7]; MPI_Recv(&token, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }')
  for each in 'MPI_Wait(&r[0], s); MPI_Wait(&r[1], s)' 'MPI_Waitall(2, r, s)' 'while (!done) MPI_Testall(2, r, &done, s)' 'while (at != MPI_UNDEFINED) MPI_Waitany(2, r, &at, s)' \
    'while (count != MPI_UNDEFINED) MPI_Waitsome(2, r, &count, at_all, s)' 'while (!done) MPI_Test(&r[1], &done, s); MPI_Wait(&r[0], s)' \
    'while (!done) MPI_Request_get_status(r[1], &done, s); sum += next[7]; MPI_Waitall(2, r, s)'; do
    bodies+=('MPI_Request r[2]; MPI_Status s[2]; int token = 0, done = 0, at = 0, count = 0, at_all[2]; (void)done, (void)at, (void)count, (void)at_all; mine[7] = me;
      MPI_Issend(&me, 1, MPI_INT, (me + n - 1) % n, 3, MPI_COMM_WORLD, &r[0]); MPI_Irecv(&token, 1, MPI_INT, (me + 1) % n, 3, MPI_COMM_WORLD, &r[1]);
      '"$each"'; sum += next[7];')
  done
  clean_all 3 "${bodies[@]}"
}
# Rank 0 has sent both messages when rank 1 receives the first one.
a_receive_takes_what_its_message_brings_and_not_the_next_one() {
  local each bodies=()
  for each in 'MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)' 'MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s)' \
    'MPI_Irecv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r); MPI_Wait(&r, &s)' 'MPI_Sendrecv(&me, 1, MPI_INT, 1, 5, &token, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &s); MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &s)'; do
    bodies+=('MPI_Request r; MPI_Status s; int token = 0; (void)r, (void)s;
      if (me == 0) { MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }
      if (me == 1) { later(); '"$each"'; sum += first[7]; MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }')
  done
  seen_all 2 "${bodies[@]}"
}
# One of the two messages has come when rank 1 asks for both.
a_test_that_fails_takes_nothing() {
  seen 'MPI_Request r[2]; int tokens[2] = {0}, done = 0;
    if (me == 0) { mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }
    if (me == 1) { for (int i = 0; i < 2; i++) MPI_Irecv(&tokens[i], 1, MPI_INT, 2 * i, 5, MPI_COMM_WORLD, &r[i]);
      later(); MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE); sum += first[7];
      MPI_Send(NULL, 0, MPI_INT, 2, 1, MPI_COMM_WORLD); MPI_Waitall(2, r, MPI_STATUSES_IGNORE); }
    if (me == 2) { MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }' 3
}
# In other orders than they were sent in, and more than have places; then in ways in which they are not counted.
messages_are_told_apart_however_they_are_received() {
  local each count=60 pause=0 bodies=() others='for (int i = 1; i < 12; i++) { MPI_Recv(&token, 1, MPI_INT, 0, i % 3, MPI_COMM_WORLD, &s); sum += first[i]; }'
  for each in 'for (int t = 2; t >= 0; t--) for (int i = t; i < 60; i += 3) { MPI_Recv(&token, 1, MPI_INT, t % 2 ? MPI_ANY_SOURCE : 0, t, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[i]; }' \
    'for (int i = 0; i < 60; i++) { MPI_Recv(&token, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s); sum += first[i]; }' \
    'for (int i = 0; i < 60; i++) MPI_Irecv(&tokens[i], 1, MPI_INT, 0, i % 3, MPI_COMM_WORLD, &r[i]); for (int i = 59; i >= 0; i--) { MPI_Wait(&r[i], &s); sum += first[i]; }' \
    "MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, r); MPI_Wait(r, &s); $others" \
    "MPI_Irecv(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, r); MPI_Cancel(r); MPI_Wait(r, &s); MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &s); $others" \
    "MPI_Message m; MPI_Mprobe(0, 0, MPI_COMM_WORLD, &m, &s); $others MPI_Mrecv(&token, 1, MPI_INT, &m, &s); sum += first[0];" \
    "MPI_Recv_init(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, r); MPI_Start(r); MPI_Wait(r, &s); $others MPI_Request_free(r);"; do
    [[ $each == for* ]] || { count=12; pause=0.01; }
    bodies+=('MPI_Request r[60]; MPI_Status s; int token = 0, tokens[60]; (void)r, (void)s, (void)token, (void)tokens;
      if (me == 0) for (int i = 0; i < '"$count"'; i++) { for (double end = MPI_Wtime() + '"$pause"'; MPI_Wtime() < end;); mine[i] = i; MPI_Send(&me, 1, MPI_INT, 1, i % 3, MPI_COMM_WORLD); }
      if (me == 1) { '"$each"' }')
  done
  bodies+=('MPI_Request r; int token = 0; MPI_Send_init(&me, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
    if (me == 0) { mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); mine[8] = 1; MPI_Start(&r); MPI_Wait(&r, MPI_STATUS_IGNORE); mine[9] = 1; MPI_Send(&me, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }
    if (me == 1) for (int i = 7; i < 10; i++) { MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[i]; }
    MPI_Request_free(&r);')
  clean_all 2 "${bodies[@]}"
}
# Rank 0 has sent all of them when rank 1 looks: the store behind the one that is probed is not ordered, and what is before it is.
a_probe_takes_what_the_next_message_brings() {
  local each bodies=()
  for each in 'MPI_Probe(0, 5, MPI_COMM_WORLD, &s)' 'MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)' \
    'while (!there) MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &s)' 'while (!there) MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE)' \
    'MPI_Mprobe(0, 5, MPI_COMM_WORLD, &m, &s)' 'while (!there) MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &m, MPI_STATUS_IGNORE)'; do
    bodies+=('MPI_Message m = MPI_MESSAGE_NULL; MPI_Status s; int token = 0, there = 0; (void)s, (void)there;
      if (me == 0) { mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); mine[8] = 1; MPI_Send(&me, 1, MPI_INT, 1, 6, MPI_COMM_WORLD); }
      if (me == 1) { later(); '"$each"'; sum += first[place];
        if (m == MPI_MESSAGE_NULL) MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); else MPI_Mrecv(&token, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
        MPI_Recv(&token, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }')
  done
  told_all 2 7 8 "${bodies[@]}"
}
a_probe_that_finds_nothing_orders_nothing() {
  local each bodies=()
  for each in 'MPI_Iprobe(0, 6, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE)' 'MPI_Improbe(0, 6, MPI_COMM_WORLD, &there, &m, MPI_STATUS_IGNORE)' \
    'MPI_Irecv(&token, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &r); MPI_Request_get_status(r, &there, MPI_STATUS_IGNORE); MPI_Send(&me, 1, MPI_INT, 1, 6, MPI_COMM_WORLD); MPI_Wait(&r, MPI_STATUS_IGNORE)'; do
    bodies+=('MPI_Request r; MPI_Message m; int token = 0, there = 0; (void)r, (void)m, (void)there;
      if (me == 0) { mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }
      if (me == 1) { later(); '"$each"'; sum += first[7]; MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }')
  done
  seen_all 2 "${bodies[@]}"
}
# The receive of a message that was matched is a receive: it lets a synchronous sender go, counts once, and so do those behind it.
matched_messages_are_received() {
  local each met=() both=()
  for each in 'MPI_Mrecv(&token, 1, MPI_INT, &m, MPI_STATUS_IGNORE)' 'MPI_Imrecv(&token, 1, MPI_INT, &m, &r); MPI_Wait(&r, MPI_STATUS_IGNORE)'; do
    met+=('MPI_Request r; MPI_Message m; int token = 0; (void)r; if (me == 0) { MPI_Ssend(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); mine[7] = 1; }
      if (me == 1) { MPI_Mprobe(0, 5, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE); if (place == 7) sum += first[7]; '"$each"'; if (place == 8) sum += first[7]; }')
    both+=('MPI_Request r; MPI_Message m; int token = 0; (void)r;
      if (me == 0) for (int i = 6; i < 9; i++) { mine[i] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }
      if (me == 1) { later(); MPI_Mprobe(0, 5, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE); '"$each"'; sum += first[6];
        MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[place]; MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }')
  done
  told_all 2 7 8 "${met[@]}" "${both[@]}"
  clean 'MPI_Message m; MPI_Status s; int token = 0; MPI_Mprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &m, &s); MPI_Mrecv(&token, 1, MPI_INT, &m, &s);'
}
# Whether rank 0 is many messages ahead, of one tag or of many: each brings its own.
a_sender_that_is_far_ahead_is_told_apart() {
  local tag bodies=()
  for tag in 5 'i == 0 ? 5 : i'; do
    bodies+=('int token = 0;
      if (me == 0) for (int i = 0; i < 70; i++) { mine[i] = 1; MPI_Send(&me, 1, MPI_INT, 1, '"$tag"', MPI_COMM_WORLD); }
      if (me == 1) for (int i = 0; i < 70; i++) { if (i == 0) later();
        MPI_Recv(&token, 1, MPI_INT, 0, '"$tag"', MPI_COMM_WORLD, MPI_STATUS_IGNORE); if (i == 0) for (int k = 16; k < 70; k += 16) sum += first[k]; }')
  done
  seen_all 2 "${bodies[@]}"
  clean 'int token = 0;
    if (me == 0) for (int i = 0; i < 3000; i++) { mine[i % 90] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); if (i % 90 == 89) MPI_Recv(&token, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
    if (me == 1) for (int i = 0; i < 3000; i++) { MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[i % 90]; if (i % 90 == 89) MPI_Send(&me, 1, MPI_INT, 0, 5, MPI_COMM_WORLD); }'
}
messages_of_others_order_nothing() {
  seen 'if (me == 0) { mine[7] = 1; MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD); }
    if (me == 1) MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me == 2) sum += first[7];' 3
}
what_a_message_brought_is_passed_on() {
  clean 'MPI_Comm same; MPI_Comm_dup(MPI_COMM_WORLD, &same); if (me == 0) { mine[7] = 1; MPI_Ssend(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD); mine[8] = 1; }
    if (me == 1) { mine[8] = first[8]; MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); MPI_Send(NULL, 0, MPI_INT, 2, 0, same); }
    if (me == 2) { MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, same, MPI_STATUS_IGNORE); sum += first[7]; }
    MPI_Comm_free(&same);' 3
}
