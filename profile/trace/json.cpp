// One event a line.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/writers.hpp"

#if __has_include(<nlohmann/json.hpp>)
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

namespace atrium::profile {
namespace {

using Json = nlohmann::ordered_json;

class Lines {
 public:
  explicit Lines(const std::string& path) : file_(std::fopen(path.c_str(), "we")) {
    if (!file_) errno_ = errno;
    write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
  }

  void add(const Json& event) {
    write(first_ ? "\n" : ",\n");
    first_ = false;
    // A file name need not be text in any encoding.
    write(event.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  // 0: all of it is in the file; else errno.
  int close() {
    write("\n]}\n");
    if (file_ && std::fclose(file_) != 0 && errno_ == 0) errno_ = errno;
    return errno_;
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
  Writer(Lines& lines, const TimeLine& line) : lines_(lines), line_(line) {}

  void add_pe(int pe, const std::string& program) {
    lines_.add({{"ph", "M"},
                {"pid", pe},
                {"name", "process_name"},
                {"args", {{"name", "PE " + std::to_string(pe) + " of " + program}}}});
    lines_.add({{"ph", "M"}, {"pid", pe}, {"name", "process_sort_index"}, {"args", {{"sort_index", pe}}}});
    for (const Event* event : line_.events_of(pe)) add(line_.read(pe, *event));
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
  static double microseconds(uint64_t ns) { return static_cast<double>(ns) / 1000; }
  void place(Json& event, int pe, uint32_t thread, uint64_t ticks) const {
    event["pid"] = pe;
    event["tid"] = thread;
    event["ts"] = microseconds(line_.ns(ticks));
  }

  void add(const Happening& one) {
    static constexpr const char* kinds[] = {"call", "store", "wait", "region", "call"};
    Json json{{"ph", "X"}, {"name", one.name}, {"cat", kinds[static_cast<unsigned>(one.kind) % 5]}};
    place(json, one.pe, one.event->thread, one.begin);
    json["dur"] = microseconds(line_.ns(one.end) - line_.ns(one.begin));
    if (one.is_region()) return lines_.add(json);
    json["args"] = {{"line", one.place->whole()}};
    if (one.other >= 0) json["args"]["PE"] = one.other;
    if (one.bytes != 0) json["args"]["bytes"] = one.bytes;
    lines_.add(json);
  }

  Lines& lines_;
  const TimeLine& line_;
};

}  // namespace

std::optional<TraceProblem> missing_for_json() { return {}; }

std::optional<TraceProblem> write_json(const TraceRequest& request, const TimeLine& line,
                                       const std::vector<Flow>& flows) {
  Lines lines(request.path);
  Writer writer(lines, line);
  for (int pe = 0; pe < line.pes(); ++pe) writer.add_pe(pe, request.program);
  uint64_t number = 0;
  for (const Flow& flow : flows) writer.add_flow(flow, ++number);
  const int error = lines.close();
  if (error == 0) return {};
  return TraceProblem{std::string("write: ") + std::strerror(error), "--trace=FILE where there is room"};
}

}  // namespace atrium::profile

#else

namespace atrium::profile {

std::optional<TraceProblem> missing_for_json() {
  return TraceProblem{"this oshrun was built without nlohmann-json",
                      "a build where it is installed (nlohmann-json3-dev), or --trace=NAME.otf2"};
}

std::optional<TraceProblem> write_json(const TraceRequest&, const TimeLine&, const std::vector<Flow>&) {
  return missing_for_json();
}

}  // namespace atrium::profile
#endif
