// Initialises and finalises the library: calls each layer in order, and undoes it in reverse.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/job.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "arena/arena.hpp"
#include "arena/map.hpp"
#include "arena/system.hpp"
#include "atrium_system.hpp"
#include "bootstrap/bootstrap.hpp"
#include "check/caller.hpp"
#include "check/check.hpp"
#include "check/fault_handler.hpp"
#include "check/foreign_address.hpp"
#include "check/leaks.hpp"
#include "coll/coll.hpp"
#include "coll/select/family.hpp"
#include "context/context.hpp"
#include "copy/copy.hpp"
#include "core/forked_child.hpp"
#include "core/log.hpp"
#include "core/never_destroyed.hpp"
#include "core/settings.hpp"
#include "job/agreement.hpp"
#include "job/common_settings.hpp"
#include "job/forked_child.hpp"
#include "job/greeting.hpp"
#include "job/inline_path.hpp"
#include "job/last_output.hpp"
#include "job/leak_report.hpp"
#include "job/lone_mpi.hpp"
#include "job/long_wait.hpp"
#include "job/need.hpp"
#include "job/network.hpp"
#include "job/node_end.hpp"
#include "job/only_copy.hpp"
#include "job/segment_plan.hpp"
#include "job/watch.hpp"
#include "lobby/visit.hpp"
#include "memory/memory.hpp"
#include "network/background_thread.hpp"
#include "os/crash.hpp"
#include "segment/segment.hpp"
#include "shmem/constants.h"
#include "team/leader_count.hpp"
#include "team/same_call.hpp"
#include "team/world.hpp"
#include "topology/cpus.hpp"
#include "topology/domain.hpp"
#include "topology/placement.hpp"
#include "topology/quota.hpp"
#include "wait/park.hpp"
#include "wait/policy.hpp"

namespace atrium {
namespace {

struct JobState {
  std::unique_ptr<Bootstrap> bootstrap;
  std::optional<LobbyVisit> lobby;
  std::unique_ptr<Segment> segment;
  Layout layout;
  NetworkChoice network_choice;  // how this node's PEs reach others
  int thread_level = SHMEM_THREAD_SINGLE;
  bool ends_at_exit = false;  // started by start_pes, whose finalize is the end of the program
};
ATRIUM_CONSTINIT_VECTOR NeverDestroyed<JobState> kept_job;
JobState& job = kept_job.object;
std::atomic<int> depth = 0;  // inits that no finalize has matched; read by query_initialized at any time

// A PE of the first node prints the error at once, and its end ends the others while they wait.
bool speaks_for_node() {
  if (placement.node() > 0) ::usleep(500'000);
  return true;
}

// An error on one PE often occurs on all. Then the first PE prints it for all of them, and its end is
// the end of the job. The others wait for that, because their own end could come before the message is out.
bool is_first_to_say(const Error& error) {
  if (is_forked_child()) return true;
  const auto fingerprint = static_cast<uint32_t>(std::hash<std::string>{}(error.what)) | 1;
  uint32_t said = 0;
  if (job.lobby->lobby().complaint.compare_exchange_strong(said, fingerprint) || said != fingerprint)
    return speaks_for_node();
  ::sleep(1);
  return false;
}

void after_last_words() {
  if (!job.lobby || is_forked_child()) return;
  job.lobby->set_state(PeState::explained);
  // A launcher that cannot be reached ends no PE of this node, whatever the reason.
  if (placement.nodes() > 1 && !job.bootstrap->watches_hosts()) end_node(*job.bootstrap);
}

pid_t process_at(int place) { return job.lobby->lobby().slots()[place].pid.load(std::memory_order_relaxed); }

void join() {
  need(require_only_copy());
  job.bootstrap = need(join_job(introduce_watch));
  set_placement(job.bootstrap->placement());
  const std::string speaker = "PE " + std::to_string(placement.me()) + " on " + host_name();
  set_speaker(speaker);
  report_crashes(speaker, flag_setting("ATRIUM_BACKTRACE") ? CrashDetail::back_trace : CrashDetail::place);
  job.lobby.emplace(need(LobbyVisit::enter(job.bootstrap->job_memory(), placement)));
  publish_long_waits_in(job.lobby->lobby().waits()[placement.place()]);
  note_faults_in(job.lobby->slot().faults);
  know_neighbours_by(process_at);
  on_fatal(is_first_to_say, after_last_words);
  need(check_settings());
  // As long as PEs are still being started: those that wait for them must leave them the CPUs that are known so far.
  need(configure_waiting(placement.places(), job.lobby->count_cpus()));
  be_the_pe();
  flush_at_global_exit(job.lobby->lobby());
  watch_start(*job.bootstrap, *job.lobby);
}

std::unique_ptr<Segment> create_and_publish(SegmentPlan plan) {
  auto segment = need(segment_kinds()[plan.kind].create(job.bootstrap->job_memory(), job.layout.total()));
  plan.ticket_owner = segment->ticket().owner;
  plan.ticket_number = segment->ticket().number;
  job.lobby->publish_plan(plan);
  return segment;
}

SegmentPlan agree(const SegmentPlan& mine) {
  while (true) {
    JobPlan plan = need(agree_on_plan(*job.bootstrap, *job.lobby, mine, network_offer(*job.bootstrap)));
    job.network_choice = std::move(plan.network);
    if (!job.network_choice.difference) return plan.segment;
    need(pass_providers_over(*job.bootstrap, job.network_choice));
  }
}

// PEs that share this machine's memory.
int neighbours() { return job.bootstrap->pretends_nodes() ? placement.pes() : placement.places(); }

void share_memory() {
  const DataSegment data = need(find_data_segment());
  if (placement.place() == 0) {
    const SegmentPlan plan = agree(need(plan_segment(placement, neighbours(), data, network_pins_memory())));
    job.layout = need(layout_of(plan, placement));
    job.segment = create_and_publish(plan);
  } else {
    agree({});  // my node's first PE contributes for me
    const SegmentPlan plan = job.lobby->await_plan();
    need(check_same_program(plan, data));
    job.layout = need(layout_of(plan, placement));
    job.segment = need(segment_kinds()[plan.kind].attach(job.bootstrap->job_memory(),
                                                         {plan.ticket_owner, plan.ticket_number}));
  }
  need(build_arena(*job.segment, job.layout, data, placement));
}

Result<std::vector<Domain>> domains_of_node() {
  auto pretended = number_setting("ATRIUM_DOMAINS");
  if (!pretended) return pretended.error();
  const int places = placement.places();
  return *pretended > 0 ? pretend_domains(places, static_cast<int>(std::min<long>(*pretended, places)))
                        : job.lobby->domains();
}

// Pretended nodes share this machine's.
int cpus_of_node(int usable) {
  return job.bootstrap->pretends_nodes() ? std::max(1, usable / placement.nodes()) : usable;
}

uint32_t my_traits() {
  return (job.thread_level == SHMEM_THREAD_MULTIPLE ? pe_has_threads : 0) |
         (wants_checks() ? pe_wants_checks : 0) | (wants_leaks() ? pe_wants_leaks : 0);
}

// After the barrier of this init. `cpus`: of this node.
JobTraits agree_with_all(int cpus) {
  const uint32_t of_node = job.lobby->traits_of_any();
  const JobTraits traits = need(agree_on_traits(*job.bootstrap, *job.lobby,
                                                {.oversubscribed = placement.places() > cpus,
                                                 .threaded = (of_node & pe_has_threads) != 0,
                                                 .checked = (of_node & pe_wants_checks) != 0,
                                                 .leaks = (of_node & pe_wants_leaks) != 0,
                                                 .bounded = job.segment->is_bounded(),
                                                 .pinned = network_pins_memory(),
                                                 .settings = fingerprint_of_common_settings(),
                                                 .cpus = cpus_of_node(cpus)}));
  if (!traits.same_settings || !job.lobby->has_settings_of_first()) fatal(different_settings());
  return traits;
}

// Everything that lives in the arena; again after each re-initialisation. Every PE allocates the same here,
// in the same order, so that these objects are symmetric.
void open_job() {
  my_park_slot = static_cast<ParkSlot*>(require_system(sizeof(ParkSlot), "the place where this PE sleeps"));
  need(choose_leader_count(INT_MAX));  // whatever CPUs the nodes are found to have, no more lead on the world
  need(create_world_teams(placement, arena.delta));
  job.lobby->slot().traits.store(my_traits(), std::memory_order_relaxed);
  job.lobby->slot().settings.store(fingerprint_of_common_settings(), std::memory_order_relaxed);
  // All PEs have moved their globals, zeroed their park slots and blocks, and said which CPUs, traits and settings they have.
  need(job.bootstrap->barrier(*job.lobby));
  const double quota = job.lobby->await_plan().cpu_quota;
  const int cpus = limit_to_quota(job.lobby->count_cpus(), quota);
  need(configure_waiting(placement.places(), cpus, quota != no_quota));
  set_cpus_of_background_threads(job.lobby->cpus());
  need(serve_network());  // its threads read how to wait
  set_domains_of_places(need(domains_of_node()));
  const JobTraits traits = agree_with_all(cpus);
  configure_checks(traits.checked);
  configure_leaks(traits.leaks);
  need(set_up_collectives((traits.oversubscribed ? uint64_t{oversubscribed} : 0) |
                              (traits.threaded ? uint64_t{threaded} : 0) |
                              (placement.nodes() > 1 ? uint64_t{many_nodes} : 0) |
                              (network_has_costly_messages() ? uint64_t{costly_messages} : 0),
                          traits.cpus));
  open_heap(*job.segment, job.layout, {traits.bounded, traits.pinned, neighbours()});
  open_inline_path();
  stop_watching_start();
}

void start() {
  if (!job.bootstrap) {
    join();
    need(select_copy());
    need(find_network(*job.bootstrap));
    share_memory();
    need(open_network(*job.bootstrap, *job.lobby, *job.segment, job.layout, job.network_choice));
    guard_job_from_children([] { depth = 0; });
    greet();
  } else {
    job.lobby->set_state(PeState::running);
    set_watch_paused(false);
    need(job.bootstrap->barrier(*job.lobby));  // all have left the last finalize: its flags may be freed
    reopen_arena();
    resume_network();
  }
  open_job();
}

// Between nodes the last barrier is the launcher's, so that no message of it is under way on the network, which is closed then.
void leave_network_together() {
  if (placement.nodes() == 1) return;
  complete_network(*job.lobby);
  need(job.bootstrap->barrier(*job.lobby), "shmem_finalize");
}

// The stack is walked for a caller only where a tool's routine is between the program and this one: that takes as long as all else.
const void* find_line(const void* returns) {
  return place_in_program(returns) != 0 ? returns : called_from(nullptr);
}

void stop(const void* returns) {
  job.lobby->set_exits(
      false);  // a handler of the program's exit that calls shmem_finalize has something left to do
  note_lone_mpi(job.bootstrap->kind());  // MPI_Init may have come behind shmem_init
  if (looking_for_leaks()) report_leaks();
  const void* const line = find_line(returns);
  const CallAtMeeting announced(world_team, {CollectiveRoutine::end}, line);
  const CallsOfLivingTeams teams(line);
  barrier_all();
  announced.compare();
  teams.compare();
  leave_network_together();
  pause_network();
  close_inline_path();
  my_park_slot = nullptr;
  close_heap();
  close_arena();
  job.lobby->set_state(PeState::left);
  job.bootstrap->leave();
}

// Harmless; but a program that expects the job to go on after the first one is wrong.
void warn_of_late_finalize() {
  if (placement.me() == 0)
    warn("shmem_finalize is called once more than shmem_init" + line_in_program(caller_in_program()));
}

// A PE that ends on an error does not wait for the others: its status ends them (launch/report/exit_rules.cpp).
void finalize_at_exit(int status) {
  if (status != 0 || !job.ends_at_exit || depth == 0) return;
  name_waits_at_exit("shmem_finalize");
  finalize(nullptr);
}

void note_exit(int status, void*) {
  if (is_forked_child()) return;
  finalize_at_exit(status);
  if (job.lobby) job.lobby->set_exits(true);
}

// After the last finalize the numbers are still right. Before shmem_init each process would be PE 0, which no program means.
void require_numbers() {
  if (!job.lobby) refuse_uninitialised();
}

}  // namespace

void init() {
  int provided;
  init_thread(SHMEM_THREAD_SINGLE, &provided);
}

int init_thread(int requested, int* provided) {
  if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) {
    if (wants_checks())
      refuse_value("requested", requested, "SHMEM_THREAD_SINGLE, _FUNNELED, _SERIALIZED or _MULTIPLE");
    return 1;
  }
  if (is_forked_child()) refuse_uninitialised();
  require_result("provided", provided);
  if (depth == 0) {
    job.thread_level = requested;
    if (!job.bootstrap) on_exit(note_exit, nullptr);  // the C library's own, because it tells the status
    start();
    expect_calls_of_this_thread_alone(requested < SHMEM_THREAD_SERIALIZED);
    note_lone_mpi(job.bootstrap->kind());
  }
  ++depth;
  *provided = job.thread_level;
  return 0;
}

void finalize(const void* returns) {
  if (is_forked_child()) return;  // a child that exits runs its parent's exit handlers
  if (depth == 0) return warn_of_late_finalize();
  if (depth > 1)
    barrier_all();
  else
    stop(returns);
  --depth;
}

void query_initialized(int* initialized) {
  require_result("initialized", initialized);
  *initialized = depth > 0;
}
void query_thread(int* provided) {
  require_result("provided", provided);
  *provided = job.thread_level;
}

// The system passes on eight bits. A failure must not become a success.
int status_that_is_seen(int status) {
  if (status == 0 || (status & 0xff) != 0) return status;
  warn("shmem_global_exit was given " + std::to_string(status) +
       ", of which the system passes on eight bits, all 0: the status of the job is 1 instead" +
       line_in_program(caller_in_program()));
  return 1;
}

// As soon as the launcher is notified, it ends all PEs with SIGTERM and, after a moment, SIGKILL. Buffered output
// must be written before that, and exit handlers run in that moment.
void global_exit(int status) {
  if (is_forked_child()) refuse_uninitialised();
  status = status_that_is_seen(status);
  if (job.lobby) {
    std::fflush(stdout);
    std::signal(SIGTERM, SIG_IGN);
    job.lobby->lobby().exit_status.store(status, std::memory_order_relaxed);
    job.lobby->lobby().exit_requested.store(1, std::memory_order_release);  // SYNC exit
    job.bootstrap->abort_job(status);
  }
  job.ends_at_exit = false;
  exit_past_readers();
  std::exit(status);
}

int my_pe() {
  require_numbers();
  return placement.me();
}
int n_pes() {
  require_numbers();
  return placement.pes();
}

// Where shmem_init_thread came first, the end of the program is still this call's to make.
void start_pes(int) {
  if (depth == 0) init();
  job.ends_at_exit = true;
}

void pcontrol(int) {}

}  // namespace atrium
