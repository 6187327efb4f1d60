// Reads the text of the variables. A bad value is a message of four parts, and left at its default.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings/parse.hpp"

#include "atrium_message.hpp"
#include "atrium_settings.h"

namespace atrium::mpi {
namespace {

// Of each variable one row, whose default is an example where nothing stands for it, and where its value goes.
struct SettingRow {
  atrium_setting setting;
  void (*take)(Settings& settings, const atrium_value& value, const char* text);
};

constexpr SettingRow rows[] = {
    {{"ATRIUM_ALLTOALL", "auto|always|never", "auto", "whether all-to-alls go through shared memory"},
     [](Settings& settings, const atrium_value& value, const char*) {
       settings.alltoall = static_cast<Mode>(value.word);
     }},
    {{"ATRIUM_ALLREDUCE", "auto|always|never", "auto", "whether reductions to all ranks do so"},
     [](Settings& settings, const atrium_value& value, const char*) {
       settings.allreduce = static_cast<Mode>(value.word);
     }},
    {{"ATRIUM_BCAST", "auto|always|never", "auto", "whether broadcasts do so"},
     [](Settings& settings, const atrium_value& value, const char*) {
       settings.bcast = static_cast<Mode>(value.word);
     }},
    {{"ATRIUM_BARRIER", "auto|always|never", "auto", "whether barriers do so"},
     [](Settings& settings, const atrium_value& value, const char*) {
       settings.barrier = static_cast<Mode>(value.word);
     }},
    {{"ATRIUM_MPI_READ", "auto|always|never", "auto", "whether large blocks are read in the sender's memory"},
     [](Settings& settings, const atrium_value& value, const char*) {
       settings.read = static_cast<Mode>(value.word);
     }},
    {{"ATRIUM_MPI_ALLOC", "shared|mpi", "shared", "what memory MPI_Alloc_mem gives"},
     [](Settings& settings, const atrium_value& value, const char*) {
       settings.exports_alloc = value.word == 0;
     }},
    {{"ATRIUM_MPI_SEGMENT", "sysv|window", "sysv", "the kind of shared memory"},
     [](Settings& settings, const atrium_value& value, const char*) {
       settings.segment = static_cast<NodeSegmentKind>(value.word);
     }},
    {{"ATRIUM_REPORT", "flag", "0", "what was chosen is said at finalize"},
     [](Settings& settings, const atrium_value& value, const char*) { settings.report = value.is_on != 0; }},
    {{"ATRIUM_ALLTOALL_LIMIT", "size 1..1T", "64K", "most bytes per pair"},
     [](Settings& settings, const atrium_value& value, const char*) { settings.limit = value.number; }},
    {{"ATRIUM_MPI_BUFFER", "size 1..1T", "256M", "a communicator's shared memory on a node"},
     [](Settings& settings, const atrium_value& value, const char*) { settings.buffer = value.number; }},
    {{"ATRIUM_NODE_RANKS", "number 1..1000000", "2", "ranks of a pretended node"},
     [](Settings& settings, const atrium_value& value, const char*) {
       settings.node_ranks = static_cast<int>(value.number);
     }},
    {{"ATRIUM_MPI_LEADERS", "number 1..1000000", "1", "ranks of a node that talk to other nodes"},
     [](Settings& settings, const atrium_value& value, const char*) {
       settings.leaders = static_cast<int>(value.number);
     }},
    {{"ATRIUM_ALLTOALL_FILE", "text", "", "where what was learned is kept for later runs"},
     [](Settings& settings, const atrium_value&, const char* text) { settings.file = text; }},
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
