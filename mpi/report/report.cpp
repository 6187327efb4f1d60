// Collects what states have counted, adds up communicators of the same name and shape, prints a table.
// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "atrium_message.h"
#include "comm/comm_state.hpp"
#include "settings/settings.hpp"

namespace atrium::mpi {
namespace {

struct ReportLine {
  Tally tally;
  std::uint64_t communicators = 0, messages_before = 0, messages_after = 0;
  int measured = 0;  // of the communicators
  Pair agreed_ns;    // sums over those
};

// Communicator, ranks, nodes, routine, class, choice: what communicators have chosen differently is not added up.
using Key = std::tuple<std::string, int, int, std::string, int, std::string>;

struct ReportLines {
  std::mutex lock;
  std::map<Key, ReportLine> lines;
  std::map<std::string, int> troubles;  // why -> communicators
  std::uint64_t set_otherwise = 0;      // most ranks of a communicator whose settings were not its rank 0's
};

ReportLines& book() {
  static ReportLines* book = new ReportLines;
  return *book;
}

std::string name_of(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  PMPI_Comm_get_name(comm, name, &length);
  return length ? name : "unnamed";
}

// The job's rank 0 reports a communicator that it is part of, or else the communicator's own rank 0.
bool is_reported_here(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  const int first = has_world() ? ranks_elsewhere(MPI_COMM_WORLD, 1, comm)[0] : 0;
  return rank == (first == MPI_UNDEFINED ? 0 : first);
}

// Messages that one exchange puts on the network: one for each pair of ranks on different nodes.
std::uint64_t messages_of_ranks(const Nodes& nodes) {
  std::uint64_t all = nodes.node_of.size(), inside = 0;
  for (const Node& node : nodes.all) inside += std::uint64_t(node.size()) * node.size();
  return all * all - inside;
}

std::uint64_t messages_of_nodes(const Nodes& nodes) {
  return std::uint64_t(nodes.count()) * (nodes.count() ? nodes.count() - 1 : 0);
}

const char* describe(const CommState& state, const ChoiceRecord& record) {
  const bool is_own =
      state.chooser().measures(record.kind) ? record.choice.chosen() == Way::own : record.tally.own_calls > 0;
  if (state.chooser().measures(record.kind) && !record.choice.is_settled()) return "undecided";
  if (is_of_reads(record.kind)) return is_own ? "read" : "copied";
  return is_own ? "own" : "mpi";
}

void add(ReportLine& line, const CommState& state, const ChoiceRecord& record, std::uint64_t bytes) {
  const Choice& choice = record.choice;
  line.communicators += 1;
  line.tally.calls += record.tally.calls;
  line.tally.own_calls += record.tally.own_calls;
  line.tally.bytes += bytes;
  const std::uint64_t by_mpi = record.tally.calls - record.tally.own_calls;
  line.messages_before += record.tally.calls * messages_of_ranks(state.nodes());
  line.messages_after +=
      record.tally.own_calls * messages_of_nodes(state.nodes()) + by_mpi * messages_of_ranks(state.nodes());
  if (choice.agreed(Way::mpi) > 0) {
    line.measured += 1;
    for (Way way : {Way::mpi, Way::own}) line.agreed_ns.of[static_cast<int>(way)] += choice.agreed(way);
  }
}

std::string size_text(std::uint64_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  while (bytes >= 1024 && bytes % 1024 == 0 && unit < 4) bytes /= 1024, ++unit;
  return std::to_string(bytes) + " " + units[unit];
}

std::string class_text(const std::string& routine, int size_class) {
  if (routine == names_of_kinds[barriers]) return "-";
  return size_class == any_size ? "any size" : "to " + size_text(std::uint64_t{1} << size_class);
}

// Where nobody has looked for the nodes, the messages between them are not known either; nor are those of collectives that
// an MPI carries out by trees and rings.
std::string known(const Key& key, std::uint64_t number) {
  const auto& [name, ranks, nodes, routine, size_class, choice] = key;
  return nodes == 1 || (nodes && routine.starts_with("alltoall")) ? std::to_string(number) : "-";
}

// Of a call in the trials, on the slowest rank. What all calls together saved is not said: those outside of trials are
// not timed.
std::string microseconds(const ReportLine& line, Way way) {
  if (!line.measured) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", line.agreed_ns.of[static_cast<int>(way)] / line.measured * 1e-3);
  return text;
}

void print_head() {
  atrium_print_text("atrium: %-20s %5s %5s %-11s %-11s %9s %9s %14s %11s %11s %-9s %10s %10s %8s\n",
                    "communicator", "ranks", "nodes", "routine", "size", "calls", "own way", "bytes",
                    "msgs before", "msgs after", "choice", "mpi us", "own us", "measured");
}

void print(const Key& key, const ReportLine& line) {
  const auto& [name, ranks, nodes, routine, size_class, choice] = key;
  const std::string label = line.communicators > 1 ? name + " x" + std::to_string(line.communicators) : name;
  atrium_print_text(
      "atrium: %-20s %5d %5s %-11s %-11s %9" PRIu64 " %9" PRIu64 " %14" PRIu64
      " %11s %11s %-9s %10s %10s %8d\n",
      label.c_str(), ranks, (nodes ? std::to_string(nodes) : "-").c_str(), routine.c_str(),
      class_text(routine, size_class).c_str(), line.tally.calls, line.tally.own_calls, line.tally.bytes,
      known(key, line.messages_before).c_str(), known(key, line.messages_after).c_str(), choice.c_str(),
      microseconds(line, Way::mpi).c_str(), microseconds(line, Way::own).c_str(), line.measured);
}

std::atomic<bool> has_reported{false};

bool has_persistent_requests() { return started_tally().own_requests + started_tally().mpi_requests > 0; }

void print_persistent(int rank) {
  const StartedTally& tally = started_tally();
  if (rank != 0 || !has_persistent_requests()) return;
  atrium_print_text("atrium: persistent all-to-alls of rank 0: %" PRIu64 " requests, %" PRIu64
                    " of them the MPI's alone; of the others %" PRIu64 " starts, %" PRIu64 " Atrium's way\n",
                    tally.own_requests + tally.mpi_requests, tally.mpi_requests.load(), tally.starts.load(),
                    tally.own_starts.load());
}

void say_nothing_was_intercepted(int rank) {
  if (rank == 0)
    atrium_print_text(
        "atrium: nothing was intercepted: of MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw, MPI_Allreduce, "
        "MPI_Bcast and MPI_Barrier, rank 0 has called none on a communicator of several ranks, or variables "
        "leave them to the MPI\n");
}

// ---- A program in which this rank never met the library ----

// Only the dynamic linker asks for a call at its end then. Processes that were forked say nothing.
pid_t loaded_by;
__attribute__((constructor)) void note_process() { loaded_by = getpid(); }

__attribute__((destructor)) void report_nothing() {
  int is_over = 0;
  if (has_reported || getpid() != loaded_by || PMPI_Finalized(&is_over) != MPI_SUCCESS || !is_over) return;
  std::vector<std::string> ignored;
  if (parse_settings(getenv, ignored).report) say_nothing_was_intercepted(rank_by_launcher());
}

}  // namespace

// All ranks have the same records: what makes one is agreed on.
Note::Note(CommState& state) : state_(state) {
  if (!state.settings().report) return;
  state.chooser().record_first_calls();
  state.chooser().for_each_record(
      [&](const char*, int, const ChoiceRecord& record) { sums_.push_back(record.tally.bytes); });
  sums_.push_back(state.settings() != my_settings());
  PMPI_Iallreduce(MPI_IN_PLACE, sums_.data(), static_cast<int>(sums_.size()), MPI_UINT64_T, MPI_SUM,
                  state.comm(), &request_);
}

void Note::file() {
  if (!state_.settings().report) return;
  PMPI_Wait(&request_, MPI_STATUS_IGNORE);
  if (!is_reported_here(state_.comm())) return;
  const std::string name = name_of(state_.comm());
  std::lock_guard guard(book().lock);
  if (!state_.trouble().empty()) ++book().troubles[state_.trouble()];
  auto bytes = sums_.begin();
  state_.chooser().for_each_record([&](const char* routine, int size_class, const ChoiceRecord& record) {
    if (record.tally.calls)
      add(book().lines[Key{name, state_.size(), state_.nodes().count(), routine, size_class,
                           describe(state_, record)}],
          state_, record, *bytes);
    ++bytes;
  });
  book().set_otherwise = std::max(book().set_otherwise, sums_.back());
}

StartedTally& started_tally() {
  static StartedTally tally;
  return tally;
}

void print_report() {
  has_reported = true;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!my_settings().report) return;
  std::lock_guard guard(book().lock);
  if (book().lines.empty() && !has_persistent_requests()) return say_nothing_was_intercepted(rank);
  if (!book().lines.empty()) print_head();
  for (const auto& [key, line] : book().lines) print(key, line);
  print_persistent(rank);
  for (const auto& [because, count] : book().troubles)
    atrium_print_text("atrium: no shared memory for %d communicators (%s): the MPI's own routine ran\n",
                      count, because.c_str());
  if (book().set_otherwise)
    atrium_print_text("atrium: %" PRIu64
                      " ranks of a communicator have other ATRIUM_ settings than its rank 0, whose "
                      "settings were used\n",
                      book().set_otherwise);
}

}  // namespace atrium::mpi
