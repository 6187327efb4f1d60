// What the user set: every variable of Atrium for MPI, read once per process, agreed on for each
// communicator.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "settings/job.hpp"
#include "settings/parse.hpp"

namespace atrium::mpi {

// Values that make no sense are left at their default: a drop-in does not end a program that ran without it.
const Settings& my_settings();

// The settings of a communicator, which are the same on all its ranks, but for the file, which is each rank's own. Launchers do
// not carry every variable to every host, so that environments may differ.
struct AgreedSettings {
  Settings settings;
  bool are_of_job = false;
};
// `job_ranks`: of the communicator, as ranks_in_job() answers. Collective. The first communicator of all ranks of a job agrees for
// all later ones, which take no message for it: its ranks are ordered by the calls of that one. Where calls have no order, because a
// rank has threads, and for ranks of several jobs, the communicator's rank 0 says what holds.
AgreedSettings agree_on_settings(MPI_Comm comm, const std::vector<int>& job_ranks);

// Those that hold for all communicators of this job, once its ranks have agreed on them. Local: where calls have an order, any
// communicator's ranks have agreed before a call of theirs or none has.
std::optional<Settings> settings_of_job();

// False for MPI_COMM_WORLD and MPI_COMM_SELF where there is no world: any question is an error under the question's name, and the
// error must name the call that the program made.
bool may_ask_about(MPI_Comm comm);

}  // namespace atrium::mpi
