// Reads the text of the variables. A bad value is a message of four parts, and left at its default.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings/parse.hpp"

#include <type_traits>

#include "atrium_message.hpp"
#include "atrium_settings.h"

namespace atrium::mpi {
namespace {

// Puts a value into its place among the settings, as the place's type has it.
template <auto place>
void take(Settings& settings, const atrium_value& value, const char* text) {
  using T = std::remove_reference_t<decltype(settings.*place)>;
  if constexpr (std::is_enum_v<T>)
    settings.*place = static_cast<T>(value.word);
  else if constexpr (std::is_same_v<T, bool>)
    settings.*place = value.is_on != 0;
  else if constexpr (std::is_integral_v<T>)
    settings.*place = static_cast<T>(value.number);
  else
    settings.*place = text;
}

// Of each variable one row, whose default is an example where nothing stands for it.
struct SettingRow {
  atrium_setting setting;
  void (*take)(Settings& settings, const atrium_value& value, const char* text);
};

constexpr const char* modes = "auto|always|never";

constexpr SettingRow rows[] = {
    {{"ATRIUM_ALLTOALL", modes, "auto", "whether all-to-alls go through shared memory"},
     take<&Settings::alltoall>},
    {{"ATRIUM_ALLREDUCE", modes, "auto", "whether reductions to all ranks do so"},
     take<&Settings::allreduce>},
    {{"ATRIUM_BCAST", modes, "auto", "whether broadcasts do so"}, take<&Settings::bcast>},
    {{"ATRIUM_BARRIER", modes, "auto", "whether barriers do so"}, take<&Settings::barrier>},
    {{"ATRIUM_MPI_READ", modes, "auto", "whether large blocks are read in the sender's memory"},
     take<&Settings::read>},
    {{"ATRIUM_MPI_ALLOC", "shared|mpi", "shared", "what memory MPI_Alloc_mem gives"}, take<&Settings::alloc>},
    {{"ATRIUM_MPI_SEGMENT", "sysv|window", "sysv", "the kind of shared memory"}, take<&Settings::segment>},
    {{"ATRIUM_REPORT", "flag", "0", "what was chosen is said at finalize"}, take<&Settings::report>},
    {{"ATRIUM_ALLTOALL_LIMIT", "size 1..1T", "64K", "most bytes per pair"}, take<&Settings::limit>},
    {{"ATRIUM_MPI_BUFFER", "size 1..1T", "256M", "a communicator's shared memory on a node"},
     take<&Settings::buffer>},
    {{"ATRIUM_NODE_RANKS", "number 1..1000000", "2", "ranks of a pretended node"},
     take<&Settings::node_ranks>},
    {{"ATRIUM_MPI_LEADERS", "number 1..1000000", "1", "ranks of a node that talk to other nodes"},
     take<&Settings::leaders>},
    {{"ATRIUM_ALLTOALL_FILE", "text", "", "where what was learned is kept for later runs"},
     take<&Settings::file>},
};

std::string complaint(const atrium_setting& setting, const char* text) {
  atrium_bad_value bad;
  atrium_describe_bad_value(&setting, text, "is ignored", "reading the settings of Atrium for MPI", &bad);
  return format_message("atrium", bad.message);
}

}  // namespace

Settings parse_settings(char* (*get)(const char* name), std::vector<std::string>& messages) {
  Settings found;
  for (const SettingRow& row : rows) {
    const char* text = get(row.setting.name);
    if (!text || !*text) continue;
    atrium_value value;
    if (atrium_parse_value(row.setting.kind, text, &value))
      row.take(found, value, text);
    else
      messages.push_back(complaint(row.setting, text));
  }
  return found;
}

}  // namespace atrium::mpi
