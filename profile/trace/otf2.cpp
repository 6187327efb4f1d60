// Writes an archive with one location for each thread of each PE: the events first, then the definitions that they refer to.
// SPDX-License-Identifier: BSD-3-Clause
#include <ctime>
#include <map>

#include "profile/report/unfinished.hpp"
#include "profile/trace/archive_folder.hpp"
#include "profile/trace/otf2_events.hpp"
#include "profile/trace/writers.hpp"

namespace atrium::profile {
namespace {

constexpr uint64_t event_chunk = 1024 * 1024, definition_chunk = 4 * 1024 * 1024;  // as in OTF2's examples

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
constexpr OTF2_FlushCallbacks flushing{flush_always, nullptr};

OTF2_LocationRef location_of(int pe, uint32_t thread) {
  return static_cast<uint64_t>(thread) << 32 | static_cast<uint32_t>(pe);
}

uint64_t realtime_ns(const Moment& moment) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const uint64_t realtime =
      static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  return realtime - (atrium_now_ns() - moment.ns);
}

class Archive {
 public:
  Archive(const Otf2Library& otf2, const TraceRequest& request, const TimeLine& line,
          const std::vector<Flow>& flows)
      : otf2_(otf2), request_(request), line_(line), teams_(line), trace_{otf2, line, names_, teams_, {}} {
    for (const Flow& flow : flows) trace_.ended_by[flow.wait] = &flow;
  }

  bool write() {
    archive_ = otf2_.Archive_Open(request_.path.c_str(), "traces", OTF2_FILEMODE_WRITE, event_chunk,
                                  definition_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive_) return false;
    check(otf2_.Archive_SetFlushCallbacks(archive_, &flushing, nullptr));
    check(otf2_.Archive_SetSerialCollectiveCallbacks(archive_));
    check(otf2_.Archive_SetCreator(archive_, "oshrun of Atrium"));
    if (good_) write_events();
    if (good_) write_local_definitions();
    if (good_) write_definitions();
    check(otf2_.Archive_Close(archive_));
    return good_;
  }

 private:
  void check(OTF2_ErrorCode code) { good_ = good_ && code == OTF2_SUCCESS; }
  void check(bool good) { good_ = good_ && good; }

  void write_events() {
    check(otf2_.Archive_OpenEvtFiles(archive_));
    for (int pe = 0; pe < line_.pes() && good_; ++pe) {
      auto threads = line_.threads_of(pe);
      const Happening whole = whole_program(pe, threads);
      threads[0];  // of a PE that recorded nothing, too
      for (const auto& [thread, list] : threads)
        if (good_) write_location(pe, thread, list, whole);
    }
    check(otf2_.Archive_CloseEvtFiles(archive_));
  }

  void write_location(int pe, uint32_t thread, const std::vector<Happening>& list, const Happening& whole) {
    const OTF2_LocationRef location = location_of(pe, thread);
    OTF2_EvtWriter* const writer = otf2_.Archive_GetEvtWriter(archive_, location);
    if (!writer) return check(false);
    {
      Otf2Events events(trace_, writer);
      if (thread == 0 && line_.buffer().page(pe).begin != 0) events.add(whole);
      for (const Happening& one : list) events.add(one);
      events.finish();
      check(events.good());
    }
    check(otf2_.EvtWriter_GetNumberOfEvents(writer, &events_of_[location]));
    check(otf2_.Archive_CloseEvtWriter(archive_, writer));
  }

  // From init to finalize, or to the end of a PE that did not come there: what is no call is the program's own.
  Happening whole_program(int pe, const std::map<uint32_t, std::vector<Happening>>& threads) {
    const Page& page = line_.buffer().page(pe);
    uint64_t begin = page.begin, end = end_of(page);
    for (const auto& [thread, list] : threads)
      for (const Happening& one : list) {
        begin = std::min(begin, one.begin);
        end = std::max(end, one.end);
      }
    last_ns_ = std::max(last_ns_, line_.ns(end));
    Happening whole{nullptr, pe, EventKind::region, begin, end, request_.program.c_str()};
    whole.unfinished = !line_.ending_of(pe).empty();
    return whole;
  }

  // Readers ask for them, though there is nothing local.
  void write_local_definitions() {
    check(otf2_.Archive_OpenDefFiles(archive_));
    for (const auto& [location, events] : events_of_) {
      OTF2_DefWriter* const writer = otf2_.Archive_GetDefWriter(archive_, location);
      check(writer && otf2_.Archive_CloseDefWriter(archive_, writer) == OTF2_SUCCESS);
    }
    check(otf2_.Archive_CloseDefFiles(archive_));
  }

  void write_definitions() {
    definitions_ = otf2_.Archive_GetGlobalDefWriter(archive_);
    if (!definitions_) return check(false);
    const Moment& begin = line_.buffer().head().begin;
    check(otf2_.GlobalDefWriter_WriteClockProperties(definitions_, 1'000'000'000, 0, last_ns_,
                                                     realtime_ns(begin)));
    name_all();
    check(names_.write(otf2_, definitions_));
    write_machine();
    write_locations();
    write_teams();
    check(otf2_.Archive_CloseGlobalDefWriter(archive_, definitions_));
  }

  std::string name_of(int pe) const { return "PE " + std::to_string(pe); }
  std::string name_of(OTF2_LocationRef location) const {
    const std::string name = name_of(static_cast<int>(location & UINT32_MAX));
    return location >> 32 == 0 ? name : name + ", thread " + std::to_string(location >> 32);
  }
  std::string name_of_group(int pe) const { return name_of(pe) + " of " + request_.program; }
  std::string name_of_node(int node) const { return "node " + std::to_string(node); }
  int nodes() const {
    int most = 0;
    for (const int node : request_.node_of) most = std::max(most, node);
    return most + 1;
  }

  // Texts must be written before what refers to them.
  void name_all() {
    for (const std::string& text : {request_.host, std::string("machine"), std::string("node")})
      names_.text(text);
    for (int node = 0; node < nodes(); ++node) names_.text(name_of_node(node));
    for (int pe = 0; pe < line_.pes(); ++pe) names_.text(name_of_group(pe));
    for (const auto& [location, events] : events_of_) names_.text(name_of(location));
    for (const Otf2Teams::NamedTeam& team : teams_.teams()) names_.text(team.name);
  }

  // Under the machine its nodes, where oshrun pretends several.
  void write_machine() {
    check(otf2_.GlobalDefWriter_WriteSystemTreeNode(definitions_, 0, names_.text(request_.host),
                                                    names_.text("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    check(otf2_.GlobalDefWriter_WriteSystemTreeNodeDomain(definitions_, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
    for (int node = 0; node < nodes(); ++node) {
      const auto number = static_cast<OTF2_SystemTreeNodeRef>(node + 1);
      check(otf2_.GlobalDefWriter_WriteSystemTreeNode(definitions_, number, names_.text(name_of_node(node)),
                                                      names_.text("node"), 0));
      check(otf2_.GlobalDefWriter_WriteSystemTreeNodeDomain(definitions_, number,
                                                            OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
    }
  }

  void write_locations() {
    for (int pe = 0; pe < line_.pes(); ++pe) {
      const auto index = static_cast<size_t>(pe);
      const int node = index < request_.node_of.size() ? request_.node_of[index] : 0;
      check(otf2_.GlobalDefWriter_WriteLocationGroup(
          definitions_, static_cast<OTF2_LocationGroupRef>(pe), names_.text(name_of_group(pe)),
          OTF2_LOCATION_GROUP_TYPE_PROCESS, static_cast<OTF2_SystemTreeNodeRef>(node + 1),
          OTF2_UNDEFINED_LOCATION_GROUP));
    }
    for (const auto& [location, events] : events_of_)
      check(otf2_.GlobalDefWriter_WriteLocation(definitions_, location, names_.text(name_of(location)),
                                                OTF2_LOCATION_TYPE_CPU_THREAD, events,
                                                static_cast<OTF2_LocationGroupRef>(location & UINT32_MAX)));
  }

  // Group 0 says which locations communicate, the others count in it.
  void write_teams() {
    std::vector<uint64_t> all;
    for (int pe = 0; pe < line_.pes(); ++pe) all.push_back(location_of(pe, 0));
    write_group(0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
    uint32_t number = 0;
    for (const Otf2Teams::NamedTeam& team : teams_.teams()) {
      const OTF2_StringRef name = names_.text(team.name);
      write_group(number + 1, name, OTF2_GROUP_TYPE_COMM_GROUP, {team.members.begin(), team.members.end()});
      check(otf2_.GlobalDefWriter_WriteComm(definitions_, number, name, number + 1,
                                            number == 0 ? OTF2_UNDEFINED_COMM : 0, OTF2_COMM_FLAG_NONE));
      check(otf2_.GlobalDefWriter_WriteRmaWin(definitions_, number, name, number, OTF2_RMA_WIN_FLAG_NONE));
      ++number;
    }
  }

  void write_group(uint32_t number, OTF2_StringRef name, OTF2_GroupType type,
                   const std::vector<uint64_t>& members) {
    check(otf2_.GlobalDefWriter_WriteGroup(definitions_, number, name, type, OTF2_PARADIGM_SHMEM,
                                           OTF2_GROUP_FLAG_NONE, static_cast<uint32_t>(members.size()),
                                           members.data()));
  }

  const Otf2Library& otf2_;
  const TraceRequest& request_;
  const TimeLine& line_;
  Otf2Names names_;
  Otf2Teams teams_;
  Otf2Trace trace_;
  OTF2_Archive* archive_ = nullptr;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  std::map<OTF2_LocationRef, uint64_t> events_of_;
  uint64_t last_ns_ = 0;
  bool good_ = true;
};

}  // namespace

std::optional<TraceProblem> missing_for_otf2() {
  std::string because;
  if (open_otf2_library(because)) return {};
  return TraceProblem{because,
                      "installing the OTF2 library (libopen-trace-format2-10), or --trace=NAME.json"};
}

std::optional<TraceProblem> write_otf2(const TraceRequest& request, const TimeLine& line,
                                       const std::vector<Flow>& flows) {
  if (auto missing = missing_for_otf2()) return missing;
  if (auto problem = make_archive_folder(request.path)) return problem;
  std::string because;
  const Otf2Library& otf2 = *open_otf2_library(because);
  take_otf2_complaint();
  const bool written = Archive(otf2, request, line, flows).write();
  const std::string complaint = take_otf2_complaint();
  if (written && complaint.empty()) return {};
  remove_archive(request.path);  // half of it opens nowhere
  return TraceProblem{complaint.empty() ? "the OTF2 library gave up" : complaint,
                      "--trace=NAME.otf2 where there is room"};
}

}  // namespace atrium::profile
