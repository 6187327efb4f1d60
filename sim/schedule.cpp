// Keeps which messages are sent and received, and writes them as a schedule for LogGOPSim.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/schedule.hpp"

#include <fstream>

namespace atrium::sim {

uint64_t Schedule::send(int from, int to, size_t bytes) {
  steps_[static_cast<size_t>(from)].push_back({true, to, bytes, ++messages_});
  return messages_;
}

void Schedule::receive(int to, int from, size_t bytes, uint64_t number) {
  is_received_.resize(messages_ + 1);
  is_received_[number] = true;
  steps_[static_cast<size_t>(to)].push_back({false, from, bytes, number});
}

Result<void> Schedule::write_to(const std::string& path, Time took) const {
  std::ofstream file(path);
  file << "num_ranks " << steps_.size() << "\n";
  for (size_t pe = 0; pe < steps_.size(); ++pe) {
    file << "rank " << pe << " {\n";
    int written = 0;
    for (const Step& step : steps_[pe]) {
      if (step.number >= is_received_.size() || !is_received_[step.number])
        continue;  // still under way at the end
      file << "l" << written << (step.sends ? ": send " : ": recv ") << step.bytes << "b "
           << (step.sends ? "to " : "from ") << step.peer << " tag " << step.number << "\n";
      if (written > 0) file << "l" << written << " requires l" << written - 1 << "\n";
      ++written;
    }
    file << "}\n";
  }
  file << "// took " << static_cast<double>(took) / microsecond << " us\n";
  file.close();
  if (!file) return Error{"cannot write " + path, "", "simulating", "a folder that exists"};
  return {};
}

}  // namespace atrium::sim
