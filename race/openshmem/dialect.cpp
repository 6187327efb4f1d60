// What the race checker's messages say to programs of OpenSHMEM, and what orders accesses there (race/model/dialect.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/dialect.hpp"

namespace atrium::race {

const Dialect dialect = {
    .process = "PE",
    .checks_by_itself = false,
    .volatiles_order = false,
    .to_order = "shmem_barrier_all, or a signal and a wait for it, between them",
    .same_type =
        "atomic operations of one type for the same word, on contexts of teams that descend from one "
        "predefined team",
    .limits = {},
};

}  // namespace atrium::race
