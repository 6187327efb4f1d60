// Reads the command line of atrium-sim.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/options.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace atrium::sim {
namespace {

constexpr const char* reading = "reading the options of ./atrium sim";

struct Option {
  const char* name;
  bool (*take)(Options& options, const char* text);
};

template <class T>
bool number(const char* text, T least, T& into) {
  T value{};
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || value < least) return false;
  into = value;
  return true;
}

constexpr Option all_options[] = {
    {"--nodes",
     [](Options& o, const char* text) { return number(text, 1, o.nodes) && (o.most_nodes = o.nodes, true); }},
    {"--pes", [](Options& o,
                 const char* text) { return number(text, 1, o.places) && (o.most_places = o.places, true); }},
    {"--endpoints", [](Options& o, const char* text) { return number(text, 1, o.endpoints); }},
    {"--rounds", [](Options& o, const char* text) { return number(text, 1, o.rounds); }},
    {"--collective", [](Options& o, const char* text) { return o.collective = text, true; }},
    {"--schedule", [](Options& o, const char* text) { return o.schedule = text, true; }},
    {"--bytes", [](Options& o, const char* text) { return number<size_t>(text, 1, o.bytes); }},
    {"--seed", [](Options& o, const char* text) { return number<uint64_t>(text, 1, o.seed); }},
    {"--jobs", [](Options& o, const char* text) { return number(text, 1L, o.jobs); }},
    {"--minutes", [](Options& o, const char* text) { return number(text, 0.0, o.minutes); }},
};

Result<void> take_costs(Options& options, const std::string& name) {
  const char* const folder = std::getenv("ATRIUM_SIM_COSTS");
  const bool is_path = name.find('/') != std::string::npos;
  auto costs = read_costs(is_path ? name : std::string(folder ? folder : "sim/costs") + "/" + name + ".cost");
  if (!costs) return costs.error();
  options.costs = *costs;
  options.costs_name = name;
  return {};
}

Result<void> take(Options& options, const std::string& name, const char* text) {
  if (name == "--costs") return take_costs(options, text);
  for (const Option& option : all_options) {
    if (name != option.name) continue;
    if (option.take(options, text)) return {};
    return Error{name + " " + text + " makes no sense", "a number is needed that is large enough", reading,
                 "./atrium sim --help"};
  }
  return Error{"there is no option " + name, "", reading, "./atrium sim --help"};
}

}  // namespace

Result<Options> read_options(int argc, char** argv) {
  Options options;
  int i = 1;
  const std::string first = argc > 1 ? argv[1] : "";
  if (first == "random") options.command = Options::Command::random, ++i;
  for (; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--csv") {
      options.csv = true;
      continue;
    }
    if (i + 1 == argc)
      return Error{name + " lacks its value, or is unknown", "", reading, "./atrium sim --help"};
    if (auto taken = take(options, name, argv[++i]); !taken) return taken.error();
  }
  return options;
}

}  // namespace atrium::sim
