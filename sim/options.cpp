// Reads and checks the options of ./atrium sim.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/options.hpp"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "atrium_words.hpp"

namespace atrium::sim {
namespace {

constexpr const char* reading = "reading the options of ./atrium sim";

struct Option {
  const char* name;
  bool (*take)(SimOptions& options, const char* text);
};

template <class T>
bool number(const char* text, T least, T& into) {
  const auto value = parse_number(text, least);
  into = value.value_or(into);
  return value.has_value();
}

// "8,16,32"
template <class Take>
bool list(std::string_view text, Take take) {
  for (;;) {
    const size_t comma = text.find(',');
    if (!take(std::string(text.substr(0, comma)))) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

bool take_collectives(SimOptions& options, const char* text) {
  options.collectives.clear();
  return list(text, [&](const std::string& name) { return options.collectives.push_back(name), true; });
}

bool take_sizes(SimOptions& options, const char* text) {
  options.sizes.clear();
  return list(text, [&](const std::string& word) {
    return number<size_t>(word.c_str(), 1, options.sizes.emplace_back());
  });
}

// "16:2": sixteen nodes of a switch, whose links are half as fast as its cards together.
bool take_tree(SimOptions& options, const char* text) {
  const std::string words = text;
  const size_t colon = words.find(':');
  return number(words.substr(0, colon).c_str(), 1, options.tree_nodes) &&
         (colon == std::string::npos || number(words.c_str() + colon + 1, 1.0, options.tree_narrower));
}

constexpr Option all_options[] = {
    {"--nodes", [](SimOptions& o,
                   const char* text) { return number(text, 1, o.nodes) && (o.most_nodes = o.nodes, true); }},
    {"--pes", [](SimOptions& o,
                 const char* text) { return number(text, 1, o.places) && (o.most_places = o.places, true); }},
    {"--endpoints", [](SimOptions& o, const char* text) { return number(text, 1, o.endpoints); }},
    {"--rounds", [](SimOptions& o, const char* text) { return number(text, 1, o.rounds); }},
    {"--collective", take_collectives},
    {"--schedule", [](SimOptions& o, const char* text) { return o.schedule = text, true; }},
    {"--tree", take_tree},
    {"--bytes", take_sizes},
    {"--larger", [](SimOptions& o, const char* text) { return number(text, 0, o.larger_nodes); }},
    {"--seed", [](SimOptions& o, const char* text) { return number<uint64_t>(text, 1, o.seed); }},
    {"--jobs", [](SimOptions& o, const char* text) { return number(text, 1L, o.jobs); }},
    {"--minutes", [](SimOptions& o, const char* text) { return number(text, 0.0, o.minutes); }},
};

Result<void> take_costs(SimOptions& options, const std::string& name) {
  const char* const folder = std::getenv("ATRIUM_SIM_COSTS");
  const bool is_path = name.find('/') != std::string::npos;
  auto costs = read_costs(is_path ? name : std::string(folder ? folder : "sim/costs") + "/" + name + ".cost");
  if (!costs) return costs.error();
  options.costs = *costs;
  options.costs_name = name;
  return {};
}

Result<void> take(SimOptions& options, const std::string& name, const char* text) {
  if (name == "--costs") return take_costs(options, text);
  for (const Option& option : all_options) {
    if (name != option.name) continue;
    if (option.take(options, text)) return {};
    return Error{name + " " + text + " makes no sense",
                 name == "--tree" ? "nodes of a switch are needed, and how much narrower its links are: 16:2"
                                  : "a number is needed that is large enough",
                 reading, "./atrium sim --help"};
  }
  return Error{"there is no option " + name, "", reading, "./atrium sim --help"};
}

}  // namespace

Result<SimOptions> read_options(int argc, char** argv) {
  SimOptions options;
  int i = 1;
  const std::string first = argc > 1 ? argv[1] : "";
  if (first == "random") options.command = SimOptions::Command::random, ++i;
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
  if (!options.schedule.empty() && options.collectives.size() * options.sizes.size() > 1)
    return Error{"--schedule takes one collective of one size", "its file would be written again for each",
                 reading, "--collective sum --bytes 8"};
  options.costs.nodes_of_switch = options.tree_nodes;
  options.costs.narrower = options.tree_narrower;
  return options;
}

}  // namespace atrium::sim
