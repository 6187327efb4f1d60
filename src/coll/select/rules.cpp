// Which algorithm runs when: for each family the list of its algorithms and the rules that choose among them.
// SPDX-License-Identifier: BSD-3-Clause
//
// A rule reads "teams up to so many members, up to so many bytes (per PE; per block in alltoall), when: this
// one". The first that holds, and whose algorithm can do it, wins. Teams that span nodes have rules of their own.
// SHMEM_<COLL>_ALGORITHM=<name> forces one wherever it can run. Each crossover cites its measurement: [table] is a
// table of docs/measurements/collectives.md "On one node", with the command that makes it again, and [Between nodes] the
// section there; [16 CPUs] the one "PEs with a CPU each"; [cannot] is an algorithm's own limit; [unseen] follows from what
// flags cost near and far, on no machine that has so many caches; [nodes]: one message between nodes costs more than all
// flags inside one; [simulated]: by ./atrium sim, in the section of [Between nodes]; [own CPUs]: on 16 CPUs, there, too.
#include "coll/alltoall/alltoall.hpp"
#include "coll/barrier/barrier.hpp"
#include "coll/broadcast/broadcast.hpp"
#include "coll/collect/collect.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/scan/scan.hpp"
#include "coll/select/nodes_tests.hpp"
#include "coll/steps/direction.hpp"

namespace atrium {
namespace {

constexpr size_t KiB = 1024;

constexpr const BarrierAlgorithm* barrier_list[] = {&barrier_by::dissemination, &barrier_by::central,
                                                    &barrier_by::tree, &barrier_by::two_level,
                                                    &barrier_by::leaders};
constexpr Rule<BarrierRun> barrier_rules[] = {
    {2, any_bytes, When::always, &barrier_by::dissemination},              // [barrier]
    {any_members, any_bytes, When::oversubscribed, &barrier_by::central},  // [barrier], 4 and 8 PEs
    {16, any_bytes, When::always, &barrier_by::dissemination},
    {any_members, any_bytes, When::spread, &barrier_by::two_level},  // [unseen]
    {64, any_bytes, When::always, &barrier_by::dissemination},       // [unseen]
    {any_members, any_bytes, When::always, &barrier_by::tree},
};
constexpr Rule<BarrierRun> barrier_across[] = {
    {any_members, any_bytes, When::always, &barrier_by::leaders},  // [nodes]
};

constexpr const BroadcastAlgorithm* broadcast_list[] = {
    &broadcast_by::eager,     &broadcast_by::tree,    &broadcast_by::put,           &broadcast_by::pull,
    &broadcast_by::two_level, &broadcast_by::leaders, &broadcast_by::leaders_spread};
constexpr Rule<BroadcastRun> broadcast_rules[] = {
    {16, any_bytes, When::always, &broadcast_by::eager},
    {any_members, any_bytes, When::oversubscribed, &broadcast_by::eager},
    {2, 256 * KiB, When::always, &broadcast_by::put},                    // [2 PEs]
    {any_members, 256 * KiB, When::oversubscribed, &broadcast_by::put},  // [8 PEs]
    {any_members, any_bytes, When::oversubscribed, &broadcast_by::pull},
    {4, 2 * KiB, When::always, &broadcast_by::put},  // [16 CPUs]
    {16, any_bytes, When::always, &broadcast_by::pull},
    {any_members, any_bytes, When::spread, &broadcast_by::two_level},  // [unseen]
    {any_members, any_bytes, When::always, &broadcast_by::tree},
    {any_members, any_bytes, When::always, &broadcast_by::pull},
};
constexpr Rule<BroadcastRun> broadcast_across[] = {
    {any_members, 64 * KiB, When::always.where(messages_cost).where(leaders_share_rounds),
     &broadcast_by::leaders_spread},                                  // [simulated]
    {any_members, 64 * KiB, When::always, &broadcast_by::two_level},  // [Between nodes]
    {any_members, any_bytes, When::always.where(at_most_per_node<24 * KiB>),
     &broadcast_by::two_level},                                             // [simulated]
    {any_members, any_bytes, When::over_nodes(2), &broadcast_by::leaders},  // [Between nodes]
    {any_members, any_bytes, When::always, &broadcast_by::two_level},       // [nodes]
};

constexpr const CollectAlgorithm* fcollect_list[] = {
    &fcollect_by::eager_exchange, &fcollect_by::share, &fcollect_by::put,        &fcollect_by::pull,
    &fcollect_by::leaders,        &fcollect_by::bruck, &fcollect_by::leaders_put};
constexpr Rule<CollectRun> fcollect_rules[] = {
    {8, any_bytes, When::always, &fcollect_by::eager_exchange},
    {2, any_bytes, When::always, &fcollect_by::put},  // [2 PEs]
    {any_members, any_bytes, When::always, &fcollect_by::share},
    {any_members, any_bytes, When::oversubscribed, &fcollect_by::put},           // [8 PEs]
    {any_members, any_bytes, When::total_up_to(own_cache), &fcollect_by::pull},  // [16 CPUs]
    {any_members, any_bytes, When::always, &fcollect_by::put},                   // [16 CPUs]
};
constexpr Rule<CollectRun> fcollect_across[] = {
    {any_members, 8 * KiB, When::always, &fcollect_by::leaders},                                // [nodes]
    {any_members, 16 * KiB, When::always.where(messages_cost), &fcollect_by::leaders},          // [simulated]
    {any_members, any_bytes, When::always.where(nodes_are_shared), &fcollect_by::leaders_put},  // [simulated]
    {any_members, 64 * KiB, When::always, &fcollect_by::leaders},                               // [nodes]
    {any_members, any_bytes, When::always, &fcollect_by::leaders_put},                          // [simulated]
};

constexpr const CollectAlgorithm* collect_list[] = {&collect_by::eager_exchange, &collect_by::share,
                                                    &collect_by::put, &collect_by::pull,
                                                    &collect_by::leaders};
constexpr Rule<CollectRun> collect_rules[] = {
    {4, any_bytes, When::always, &collect_by::eager_exchange},  // [16 CPUs]
    {8, any_bytes, When::oversubscribed, &collect_by::eager_exchange},
    {any_members, any_bytes, When::always, &collect_by::share},
};
constexpr Rule<CollectRun> collect_across[] = {
    {any_members, any_bytes, When::always, &collect_by::leaders},  // [nodes]
};

constexpr const AlltoallAlgorithm* alltoall_list[] = {&alltoall_by::eager_exchange, &alltoall_by::put,
                                                      &alltoall_by::pull,           &alltoall_by::leaders,
                                                      &alltoall_by::bruck,          &alltoall_by::transpose};
constexpr Rule<AlltoallRun> alltoall_rules[] = {
    {8, any_bytes, When::always, &alltoall_by::eager_exchange},
    {2, any_bytes, When::always, &alltoall_by::put},                    // [2 PEs]
    {any_members, any_bytes, When::oversubscribed, &alltoall_by::put},  // [8 PEs]
    {16, 32, When::always, &alltoall_by::eager_exchange},               // [16 CPUs]: several blocks in a line
    {any_members, any_bytes, When::total_up_to(2 * KiB), &alltoall_by::put},     // [16 CPUs]
    {any_members, any_bytes, When::total_up_to(own_cache), &alltoall_by::pull},  // [16 CPUs]
    {any_members, any_bytes, When::always, &alltoall_by::put},                   // [16 CPUs]
};
constexpr Rule<AlltoallRun> alltoall_across[] = {
    {any_members, any_bytes, When::always, &alltoall_by::bruck},  // or what takes less (alltoall/ways.hpp)
};

constexpr const ReduceAlgorithm* reduce_list[] = {
    &reduce_by::eager_exchange, &reduce_by::share,       &reduce_by::push,
    &reduce_by::pull,           &reduce_by::two_level,   &reduce_by::leaders,
    &reduce_by::leaders_spread, &reduce_by::leaders_put, &reduce_by::leaders_halving,
    &reduce_by::leaders_slices};
constexpr Rule<ReduceRun> reduce_rules[] = {
    {8, any_bytes, When::always, &reduce_by::eager_exchange},           // [sum], [cannot] beyond 112 B
    {2, any_bytes, When::always, &reduce_by::share},                    // [sum]
    {any_members, any_bytes, When::oversubscribed, &reduce_by::share},  // [8 PEs]
    {16, any_bytes, When::total_up_to(8 * KiB), &reduce_by::share},     // [16 CPUs]
    {any_members, any_bytes, When::spread, &reduce_by::two_level},      // [unseen]
    {any_members, any_bytes, When::total_up_to(8 * KiB), &reduce_by::share},
    {any_members, any_bytes, When::oversubscribed, &reduce_by::push},
    {7, any_bytes, When::always, &reduce_by::push},            // [sum], [16 CPUs]
    {any_members, 8 * KiB, When::always, &reduce_by::push},    // [16 CPUs]
    {any_members, any_bytes, When::always, &reduce_by::pull},  // [16 CPUs]
};
constexpr Rule<ReduceRun> reduce_across[] = {
    {2, 64 * KiB, When::always, &reduce_by::leaders},  // [Between nodes]: a PE on each, in one exchange
    {any_members, any_bytes, When::always.where(spreads_sums), &reduce_by::leaders_spread},  // [simulated]
    {any_members, 16 * KiB, When::over_nodes(40).where(all_work_on_fullest),
     &reduce_by::leaders_halving},  // [simulated]
    {any_members, 16 * KiB, When::over_nodes(7).where(all_work_on_fullest).where(messages_cost),
     &reduce_by::leaders_halving},  // [simulated]
    {any_members, 16 * KiB, When::always.where(all_work_on_fullest).where(takes_one_exchange),
     &reduce_by::leaders_put},                                                    // [simulated]
    {any_members, 8 * KiB, When::always, &reduce_by::leaders},                    // [Between nodes]
    {any_members, 512 * KiB, When::over_nodes(40), &reduce_by::leaders_halving},  // [simulated]
    {any_members, 64 * KiB, When::over_nodes(7).where(messages_cost),
     &reduce_by::leaders_halving},  // [own CPUs]
    {any_members, 256 * KiB, When::over_nodes(15).where(messages_cost),
     &reduce_by::leaders_halving},                                               // [own CPUs]
    {any_members, 256 * KiB, When::over_nodes(2), &reduce_by::leaders_put},      // [Between nodes]
    {any_members, any_bytes, When::over_nodes(20), &reduce_by::leaders_slices},  // [simulated]
    {any_members, 512 * KiB, When::over_nodes(2), &reduce_by::leaders_put},      // [simulated]
    {any_members, 16 * KiB, When::always, &reduce_by::leaders},                  // [Between nodes]
    {any_members, 128 * KiB, When::always.where(takes_one_exchange),
     &reduce_by::leaders_put},                                           // [Between nodes]
    {any_members, any_bytes, When::always, &reduce_by::leaders_slices},  // [nodes]
};

constexpr const ScanAlgorithm* scan_list[] = {&scan_by::eager_exchange,
                                              &scan_by::share,
                                              &scan_by::push,
                                              &scan_by::pull,
                                              &scan_by::leaders,
                                              &scan_by::leaders_spread,
                                              &scan_by::leaders_doubling,
                                              &scan_by::bulk};
constexpr Rule<ScanRun> scan_rules[] = {
    {8, any_bytes, When::always, &scan_by::eager_exchange},
    {any_members, any_bytes, When::always, &scan_by::share},
    {2, 256 * KiB, When::always, &scan_by::pull},  // [scan]
    {any_members, any_bytes, When::always, &scan_by::push},
};
constexpr Rule<ScanRun> scan_across[] = {
    {2, 64 * KiB, When::always, &scan_by::leaders},                                        // [simulated]
    {3, 32 * KiB, When::always, &scan_by::leaders},                                        // [simulated]
    {any_members, 16 * KiB, When::always.where(spreads_scans), &scan_by::leaders_spread},  // [simulated]
    {any_members, 16 * KiB, When::always, &scan_by::leaders_doubling},                     // [simulated]
    {any_members, any_bytes, When::always.where(leaders_send_less).where(spreads_scans),
     &scan_by::leaders_spread},  // [simulated]
    {any_members, any_bytes, When::always.where(leaders_send_less),
     &scan_by::leaders_doubling},                                                          // [simulated]
    {8, any_bytes, When::always, &scan_by::bulk},                                          // [simulated]
    {any_members, 32 * KiB, When::always.where(spreads_scans), &scan_by::leaders_spread},  // [simulated]
    {any_members, 32 * KiB, When::always, &scan_by::leaders_doubling},                     // [simulated]
    {any_members, any_bytes, When::always, &scan_by::bulk},                                // [nodes]
};

}  // namespace

constinit Family<CollectiveFamily::barrier, BarrierRun> barriers("SHMEM_BARRIER_ALGORITHM", barrier_list,
                                                                 barrier_rules, barrier_across);
constinit Family<CollectiveFamily::broadcast, BroadcastRun> broadcasts("SHMEM_BCAST_ALGORITHM",
                                                                       broadcast_list, broadcast_rules,
                                                                       broadcast_across);
constinit Family<CollectiveFamily::fcollect, CollectRun> fcollects("SHMEM_FCOLLECT_ALGORITHM", fcollect_list,
                                                                   fcollect_rules, fcollect_across);
constinit Family<CollectiveFamily::collect, CollectRun> collects("SHMEM_COLLECT_ALGORITHM", collect_list,
                                                                 collect_rules, collect_across);
constinit Family<CollectiveFamily::alltoall, AlltoallRun> alltoall_family("SHMEM_ALLTOALL_ALGORITHM",
                                                                          alltoall_list, alltoall_rules,
                                                                          alltoall_across);
constinit Family<CollectiveFamily::reduce, ReduceRun> reductions("SHMEM_REDUCE_ALGORITHM", reduce_list,
                                                                 reduce_rules, reduce_across);
constinit Family<CollectiveFamily::scan, ScanRun> scans("SHMEM_SCAN_ALGORITHM", scan_list, scan_rules,
                                                        scan_across);

}  // namespace atrium
