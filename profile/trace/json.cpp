// Writes a trace as JSON for chrome://tracing and Perfetto, one event on each line.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium_whole_file.hpp"
#include "profile/report/output_file.hpp"
#include "profile/report/unfinished.hpp"
#include "profile/trace/writers.hpp"

#if __has_include(<nlohmann/json.hpp>)
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace atrium::profile {
namespace {

using Json = nlohmann::ordered_json;

class Lines {
 public:
  explicit Lines(const std::string& path) : file_(path) {
    file_.write(std::string(trace_beginning) + ": \"ns\", \"traceEvents\": [");
  }

  void add(const Json& event) {
    file_.write(first_ ? "\n" : ",\n");
    first_ = false;
    // A file name need not be text in any encoding.
    file_.write(event.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  // 0: all of it is in the file; else errno.
  int close() {
    file_.write("\n]}\n");
    return file_.close();
  }
  const char* fate() const { return file_.fate(); }

 private:
  WholeFile file_;
  bool first_ = true;
};

// Perfetto binds an arrow's end to what began last on its thread when the end's turn comes, in the order of time and, at the same
// nanosecond, of the file. An arrow leads from the bar that began first, which would be the wait: it ends at a mark inside.
// Threads it knows by their number alone, and takes 0 for the process's.
class Writer {
 public:
  Writer(Lines& lines, const TimeLine& line, const std::vector<Flow>& flows)
      : lines_(lines), line_(line), flows_(flows) {
    for (size_t i = 0; i < flows.size(); ++i) from_.emplace(flows[i].store, i);
  }

  void add_pe(int pe, const std::string& program) {
    name(pe, pe, "process", "PE " + std::to_string(pe) + " of " + program, pe);
    const std::string ending = line_.ending_of(pe);
    auto threads = line_.threads_of(pe);
    if (!ending.empty()) threads[0];  // where its end is marked
    for (const auto& [thread, list] : threads) {
      name(pe, thread_of(pe, thread), "thread", "thread " + std::to_string(thread), thread);
      for (const Happening& one : list) add(one);
    }
    if (!ending.empty()) add_mark(pe, ending);
  }
  void add_ends() {
    for (size_t i = 0; i < flows_.size(); ++i) add_end(i);
  }

 private:
  static double microseconds(uint64_t ns) { return static_cast<double>(ns) / 1000; }

  // One number for each thread of the job; the first of a PE has the PE's.
  uint64_t thread_of(int pe, uint32_t thread) const {
    return static_cast<uint64_t>(pe) + static_cast<uint64_t>(thread) * static_cast<uint64_t>(line_.pes());
  }
  void name(int pe, uint64_t thread, const std::string& what, const std::string& text, int64_t order) {
    const auto add = [&](const char* key, const Json& args) {
      lines_.add({{"ph", "M"}, {"pid", pe}, {"tid", thread}, {"name", what + key}, {"args", args}});
    };
    add("_name", {{"name", text}});
    add("_sort_index", {{"sort_index", order}});
  }
  void place(Json& event, int pe, uint32_t thread, uint64_t ns) const {
    event["pid"] = pe;
    event["tid"] = thread_of(pe, thread);
    event["ts"] = microseconds(ns);
  }

  void add(const Happening& one) {
    static constexpr const char* kinds[] = {"call", "store", "wait", "region", "call"};
    Json json{{"ph", "X"}, {"name", one.name}, {"cat", kinds[static_cast<unsigned>(one.kind) % 5]}};
    place(json, one.pe, one.event->thread, line_.ns(one.begin));
    json["dur"] = microseconds(line_.ns(one.end) - line_.ns(one.begin));
    if (!one.is_region()) json["args"]["line"] = one.place->text();
    if (one.unfinished) json["args"]["unfinished"] = line_.ending_of(one.pe);
    if (one.other >= 0) json["args"]["PE"] = one.other;
    if (one.bytes != 0) json["args"]["bytes"] = one.bytes;
    lines_.add(json);
    const auto [first, last] = from_.equal_range(one.event);
    for (auto it = first; it != last; ++it) add_begin(it->second);
  }

  // The end of a PE that did not come to shmem_finalize.
  void add_mark(int pe, const std::string& ending) {
    Json mark{{"ph", "i"}, {"s", "p"}, {"name", ending}, {"cat", "end"}};
    place(mark, pe, 0, line_.ns(end_of(line_.buffer().page(pe))));
    lines_.add(mark);
  }

  Json arrow(size_t number) const {
    return {{"ph", "s"}, {"id", number + 1}, {"cat", "flow"}, {"name", "ends the wait"}};
  }
  // Right behind the store's line.
  void add_begin(size_t number) {
    const Flow& flow = flows_[number];
    Json begin = arrow(number);
    place(begin, flow.from_pe, flow.store->thread, line_.ns(flow.store->begin));
    lines_.add(begin);
  }
  // Inside the wait, near where it ends, and never before the arrow began.
  uint64_t end_of_arrow(const Flow& flow) const {
    const uint64_t begin = flow.wait->begin, ticks = flow.wait->ticks;
    const uint64_t last = std::max(line_.ns(begin) + 1, line_.ns(begin + ticks)) - 1;
    return std::max(std::min(line_.ns(begin + ticks - ticks / 16), last), line_.ns(flow.store->begin));
  }
  void add_end(size_t number) {
    const Flow& flow = flows_[number];
    const Happening store = line_.read(flow.from_pe, *flow.store);
    Json mark{
        {"ph", "i"}, {"s", "t"}, {"name", "ended by PE " + std::to_string(flow.from_pe)}, {"cat", "flow"}};
    Json end = arrow(number);
    end["ph"] = "f";
    end["bp"] = "e";
    for (Json* const one : {&mark, &end}) place(*one, flow.to_pe, flow.wait->thread, end_of_arrow(flow));
    mark["args"] = {{"by", store.name}, {"line", store.place->text()}};
    lines_.add(mark);
    lines_.add(end);
  }

  Lines& lines_;
  const TimeLine& line_;
  const std::vector<Flow>& flows_;
  std::unordered_multimap<const Event*, size_t> from_;
};

}  // namespace

std::optional<TraceProblem> missing_for_json() { return {}; }

std::optional<TraceProblem> write_json(const TraceRequest& request, const TimeLine& line,
                                       const std::vector<Flow>& flows) {
  Lines lines(request.path);
  Writer writer(lines, line, flows);
  for (int pe = 0; pe < line.pes(); ++pe) writer.add_pe(pe, request.program);
  writer.add_ends();
  const int error = lines.close();
  if (error == 0) return {};
  return TraceProblem{std::string("write: ") + std::strerror(error) + "; " + lines.fate(),
                      "--trace=FILE where there is room"};
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
