// The variables of Atrium for MPI, with any text in them.
// SPDX-License-Identifier: BSD-3-Clause
#include "input.hpp"
#include "settings/parse.hpp"

using namespace atrium::mpi;

namespace {

std::vector<std::string> texts;

char* text_of(const char* name) {
  static const char* const names[] = {"ATRIUM_ALLTOALL",       "ATRIUM_MPI_SEGMENT",   "ATRIUM_REPORT",
                                      "ATRIUM_ALLTOALL_LIMIT", "ATRIUM_MPI_BUFFER",    "ATRIUM_NODE_RANKS",
                                      "ATRIUM_MPI_LEADERS",    "ATRIUM_ALLTOALL_FILE", "ATRIUM_ALLREDUCE",
                                      "ATRIUM_BCAST",          "ATRIUM_BARRIER",       "ATRIUM_MPI_READ",
                                      "ATRIUM_MPI_ALLOC"};
  for (std::size_t i = 0; i < std::size(names) && i < texts.size(); ++i)
    if (!std::strcmp(name, names[i])) return texts[i] == "-" ? nullptr : texts[i].data();
  return nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  texts = Input(data, size).words();
  std::vector<std::string> messages;
  const Settings found = parse_settings(text_of, messages);
  MUST(found.leaders >= 1 && found.node_ranks >= 0, "counts are counts");
  MUST(found.buffer > 0 && found.buffer < std::size_t{1} << 62 && found.limit < std::size_t{1} << 62,
       "sizes fit");
  for (const std::string& message : messages)
    MUST(message.find("because:") != std::string::npos && message.find("try:") != std::string::npos,
         "four parts");
  return 0;
}
