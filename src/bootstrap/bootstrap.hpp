// Who am I, who else is there, and where do we meet: what a PE must learn before there is shared memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Kind*: launcher (oshrun), pmix (another launcher that we can join), single (none).
//             *Job memory*: a descriptor of memory that begins with the lobby (lobby/lobby.hpp).
#pragma once

#include <memory>
#include <utility>

#include "core/result.hpp"
#include "topology/placement.hpp"

namespace atrium {

class Bootstrap {
 public:
  virtual ~Bootstrap() = default;
  virtual const char* kind() const = 0;
  const Placement& placement() const { return placement_; }
  int job_memory() const { return job_memory_; }

  // The job is over for this PE in good order (another launcher wants to be told).
  virtual void leave() {}
  // Ends the whole job with `status`; returns where only ending this process can do so.
  virtual void abort_job([[maybe_unused]] int status) {}

 protected:
  Bootstrap(Placement placement, int job_memory)
      : placement_(std::move(placement)), job_memory_(job_memory) {}

 private:
  Placement placement_;
  int job_memory_;
};

using BootstrapResult = Result<std::unique_ptr<Bootstrap>>;

// Looks at the environment and joins the job it describes. A launcher that says there are several tasks but
// that we cannot join is an Error with the command to use: never silently N jobs of one.
BootstrapResult join_job();

// The kinds.
bool launcher_is_there();
BootstrapResult join_launcher();
BootstrapResult join_pmix();
BootstrapResult be_single();

}  // namespace atrium
