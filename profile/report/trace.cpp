// One event a line.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/trace.hpp"

#if __has_include(<nlohmann/json.hpp>)
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "interpose/site.hpp"
#include "profile/report/flows.hpp"

namespace atrium::profile {
namespace {

using Json = nlohmann::ordered_json;

class Lines {
 public:
  explicit Lines(const std::string& path) : file_(std::fopen(path.c_str(), "we")) {
    write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
  }

  void add(const Json& event) {
    write(first_ ? "\n" : ",\n");
    first_ = false;
    // A file name need not be text in any encoding.
    write(event.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  // True: all of it is in the file.
  bool close() {
    if (!file_) return false;
    write("\n]}\n");
    const int error = errno_;
    if (std::fclose(file_) != 0 && error == 0) return false;
    errno = error;
    return error == 0;
  }

 private:
  void write(const std::string& text) {
    if (!file_ || errno_ != 0) return;
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) errno_ = errno;
  }

  std::FILE* file_;
  bool first_ = true;
  int errno_ = 0;
};

class Writer {
 public:
  Writer(Lines& lines, const Sheet& sheet, const Scale& scale, Places& places)
      : lines_(lines), sheet_(sheet), scale_(scale), places_(places) {}

  void add_pe(int pe, const std::string& program) {
    lines_.add({{"ph", "M"},
                {"pid", pe},
                {"name", "process_name"},
                {"args", {{"name", "PE " + std::to_string(pe) + " of " + program}}}});
    lines_.add({{"ph", "M"}, {"pid", pe}, {"name", "process_sort_index"}, {"args", {{"sort_index", pe}}}});
    const Kept kept = kept_events(sheet_, pe);
    for (uint64_t i = kept.first; i < kept.end; ++i) add_event(pe, kept.at(i));
  }

  // The arrow begins inside the store and ends inside the wait, never before it began.
  void add_flow(const Flow& flow, uint64_t number) {
    const Event &store = *flow.store, &wait = *flow.wait;
    const uint64_t from = store.begin, to = std::max(wait.begin + wait.ticks - wait.ticks / 16, from);
    Json begin{{"ph", "s"}, {"id", number}, {"cat", "flow"}, {"name", "ends the wait"}};
    Json end = begin;
    end["ph"] = "f";
    end["bp"] = "e";
    place(begin, flow.from_pe, store.thread, from);
    place(end, flow.to_pe, wait.thread, to);
    lines_.add(begin);
    lines_.add(end);
  }

 private:
  double microseconds(uint64_t ticks) const {
    return static_cast<double>(static_cast<int64_t>(scale_.ns(ticks))) / 1000;
  }
  double since_begin(uint64_t ticks) const {
    const uint64_t begin = sheet_.head().begin.ticks;
    return ticks > begin ? microseconds(ticks - begin) : 0;
  }
  void place(Json& event, int pe, uint32_t thread, uint64_t ticks) const {
    event["pid"] = pe;
    event["tid"] = thread;
    event["ts"] = since_begin(ticks);
  }

  void add_event(int pe, const Event& event) {
    static constexpr const char* kinds[] = {"call", "store", "wait", "region"};
    Json json{{"ph", "X"}, {"name", ""}, {"cat", kinds[event.kind % 4]}};
    place(json, pe, event.thread, event.begin);
    json["dur"] = microseconds(event.ticks);
    const Page& page = sheet_.page(pe);
    if (event.kind == static_cast<uint32_t>(EventKind::region)) {
      json["name"] = page.region[event.line % most_regions].name;
      return lines_.add(json);
    }
    const Line& line = page.line[event.line % most_lines];
    json["name"] = interpose::name_of(static_cast<interpose::Routine>(line.routine));
    json["args"] = {{"line", places_.of(page, line).whole()}};
    if (event.pe >= 0) json["args"]["PE"] = event.pe;
    if (event.bytes != 0 && event.kind != static_cast<uint32_t>(EventKind::wait))
      json["args"]["bytes"] = event.bytes;
    lines_.add(json);
  }

  Lines& lines_;
  const Sheet& sheet_;
  const Scale& scale_;
  Places& places_;
};

}  // namespace

TraceOutcome write_trace(const std::string& path, const std::string& program, const Sheet& sheet,
                         const Scale& scale, Places& places) {
  TraceOutcome outcome;
  Lines lines(path);
  Writer writer(lines, sheet, scale, places);
  for (int pe = 0; pe < sheet.pes(); ++pe) {
    writer.add_pe(pe, program);
    const Kept kept = kept_events(sheet, pe);
    outcome.events += kept.count();
    outcome.dropped += kept.first;
  }
  for (const Flow& flow : find_flows(sheet)) writer.add_flow(flow, ++outcome.flows);
  outcome.written = lines.close();
  return outcome;
}

}  // namespace atrium::profile

#else

namespace atrium::profile {

TraceOutcome write_trace(const std::string&, const std::string&, const Sheet&, const Scale&, Places&) {
  TraceOutcome outcome;
  outcome.supported = false;
  return outcome;
}

}  // namespace atrium::profile
#endif
