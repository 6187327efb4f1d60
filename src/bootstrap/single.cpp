// The bootstrap of a program without a launcher: a job of one PE.
// SPDX-License-Identifier: BSD-3-Clause
#include "bootstrap/bootstrap.hpp"
#include "lobby/lobby.hpp"
#include "os/job_memory.hpp"

namespace atrium {
namespace {

class Single final : public Bootstrap {
 public:
  explicit Single(int job_memory) : Bootstrap(Placement::on_one_node(0, 1), job_memory) {}
  const char* kind() const override { return "single"; }
};

}  // namespace

BootstrapResult be_single() {
  auto memory = create_job_memory();
  if (!memory) return memory.error();
  if (auto founded = create_lobby(*memory, Placement::on_one_node(0, 1), {}); !founded)
    return founded.error();
  return std::unique_ptr<Bootstrap>(new Single(*memory));
}

}  // namespace atrium
