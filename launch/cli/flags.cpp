// oshrun's own flags and what each of them sets.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/cli/flags.hpp"

#include <algorithm>
#include <cstdlib>

#include "atrium_settings.h"
#include "atrium_words.hpp"
#include "core/nearest.hpp"
#include "core/number_list.hpp"
#include "launch/cli/hosts.hpp"
#include "launch/cli/nodes.hpp"

namespace atrium {
namespace {

// Calls visit(name) for each name of each flag of both tables.
template <class Visit>
void each_name(Visit visit) {
  for (auto table : {own_flags(), foreign_flags()})
    for (const Flag& flag : table)
      for (const std::string& name : split_words(flag.names, " ")) visit(flag, name);
}

template <class Meaning>
struct FlagWord {
  std::string_view word;
  Meaning meaning;
};

// Of what stands before a colon, as in "core:overload-allowed"; null: it is none of these words.
template <class Meaning, size_t count>
const Meaning* meaning_of(const std::string& text, const FlagWord<Meaning> (&words)[count]) {
  const std::string_view word = std::string_view(text).substr(0, text.find(':'));
  for (const auto& known : words)
    if (word == known.word) return &known.meaning;
  return nullptr;
}

Result<void> set_pes(Options& options, Values values) {
  if (const auto pes = parse_number(values[0], 1)) return options.pes = *pes, Result<void>();
  return bad_word("-n needs a number of PEs, 1 or more, not '" + values[0] + "'", "oshrun -n 4 PROGRAM");
}

Result<void> set_binding(Options& options, Values values) {
  static constexpr FlagWord<Binding> words[] = {
      {"none", Binding::none},      {"hwthread", Binding::hwthread}, {"core", Binding::core},
      {"numa", Binding::node},      {"package", Binding::package},   {"socket", Binding::package},
      {"auto", Binding::automatic},
  };
  if (const Binding* binding = meaning_of(values[0], words))
    return options.binding = *binding, Result<void>();
  return bad_word("cannot bind to '" + values[0] + "'", "auto, none, hwthread, core, numa or package");
}

// Open MPI's "ppr:2:node". So many for any other part of a machine would have to be bound there.
Result<void> set_pes_per_part(Options& options, const std::string& text) {
  const std::vector<std::string> words = split_words(text, ":");
  const auto pes = words.size() >= 3 && words[2] == "node" ? parse_number(words[1], 1) : std::nullopt;
  if (pes) return options.per_host = *pes, Result<void>();
  return bad_word("cannot map by '" + text + "'", "ppr:2:node, or -N 2, for two PEs on each host");
}

Result<void> set_mapping(Options& options, Values values) {
  if (values[0].starts_with("ppr:")) return set_pes_per_part(options, values[0]);
  static constexpr FlagWord<Mapping> words[] = {
      {"", Mapping::block},  // ":oversubscribe"
      {"slot", Mapping::block},
      {"core", Mapping::block},
      {"node", Mapping::by_host},
      {"hwthread", Mapping::block},
      {"numa", Mapping::by_node},
      {"package", Mapping::by_package},
      {"socket", Mapping::by_package},
  };
  if (const Mapping* mapping = meaning_of(values[0], words))
    return options.mapping = *mapping, Result<void>();
  return bad_word("cannot map by '" + values[0] + "'", "slot, core, hwthread, node, numa or package");
}

Result<void> set_variable(Options& options, Values values) {
  const size_t equals = values[0].find('=');
  Variable variable{values[0].substr(0, equals), {}};
  if (equals != std::string::npos) variable.value = values[0].substr(equals + 1);
  if (variable.name.empty())
    return bad_word("-x needs a variable, not '" + values[0] + "'", "-x NAME or -x NAME=VALUE");
  if (!variable.value && !std::getenv(variable.name.c_str()))
    options.notes.push_back("-x " + variable.name + ": there is no such variable to pass on");
  options.variables.push_back(std::move(variable));
  return {};
}

Result<void> set_timeout(Options& options, Values values) {
  atrium_value value;
  if (atrium_parse_value("seconds", values[0].c_str(), &value) && value.seconds > 0)
    return options.timeout_seconds = value.seconds, Result<void>();
  return bad_word("--timeout needs a number of seconds, not '" + values[0] + "'", "--timeout 60");
}

Result<void> set_directory(Options& options, Values values) {
  if (values[0].empty()) return bad_word("--wdir needs a directory, not ''", "--wdir DIRECTORY");
  return options.directory = values[0], Result<void>();
}

Result<void> set_input(Options& options, Values values) {
  if (auto pes = parse_pe_set(values[0])) return options.input = *pes, Result<void>();
  return bad_word("--stdin needs PEs, not '" + values[0] + "'", "--stdin 0, --stdin all or --stdin none");
}

template <Tool tool>
Result<void> add_tool(Options& options, Values values) {
  const std::string flag = tool == Tool::gdb ? "--gdb" : "--valgrind";
  const auto pes = values.empty() ? PeSet{} : parse_pe_set(values[0]);
  if (!pes) return bad_word(flag + " needs PEs, not '" + values[0] + "'", flag + "=0,2-3");
  const bool of_none = !values.empty() && !pes->all && pes->numbers.empty();
  if (!of_none) options.wraps.push_back({tool, *pes, {}});
  return {};
}

Result<void> add_wrap(Options& options, Values values) {
  const size_t colon = values[0].find(':');
  const auto pes = parse_pe_set(values[0].substr(0, colon));
  auto command = split_words(colon == std::string::npos ? "" : values[0].substr(colon + 1), " ");
  if (!pes || command.empty())
    return bad_word("--wrap needs PEs and a command, not '" + values[0] + "'", "--wrap '0,2:strace -f'");
  options.wraps.push_back({Tool::command, *pes, std::move(command)});
  return {};
}

Result<void> set_checks(Options& options, Values values) {
  static const std::string usage = "--check, --check=races or --check=arguments,deadlock,leaks,races,strict";
  if (!values.empty() && values[0].empty()) return bad_word("--check= names nothing to look for", usage);
  for (const std::string& word : split_words(values.empty() ? "arguments,deadlock,leaks" : values[0], ",")) {
    if (word == "arguments")
      options.checks.arguments = true;
    else if (word == "deadlock")
      options.checks.deadlock = true;
    else if (word == "leaks")
      options.checks.leaks = true;
    else if (word == "races")
      options.checks.races = true;
    else if (word == "strict")
      options.checks.races = options.checks.strict = true;
    else
      return bad_word("cannot check '" + word + "'", usage);
  }
  return {};
}

Result<void> set_profile(Options& options, Values values) {
  options.recordings.profile = true;
  if (!values.empty()) options.recordings.name = values[0];
  return {};
}

Result<void> set_trace(Options& options, Values values) {
  if (values[0].empty()) return bad_word("--trace needs a file", "--trace=run.json");
  options.recordings.trace = values[0];
  return {};
}

// Memory of each PE.
Result<void> set_trace_size(Options& options, Values values) {
  atrium_value value;
  if (atrium_parse_value("size 4K..1T", values[0].c_str(), &value))
    return options.recordings.trace_bytes = value.number, Result<void>();
  return bad_word("--trace-size needs a size of memory from 4K to 1T, not '" + values[0] + "'",
                  "--trace-size=64M");
}

Result<void> set_top(Options& options, Values values) {
  atrium_value value;
  if (atrium_parse_value("seconds 0.05..3600", values.empty() ? "1" : values[0].c_str(), &value))
    return options.recordings.top_seconds = value.seconds, Result<void>();
  return bad_word("--top needs seconds from one look to the next, not '" + values[0] + "'",
                  "--top or --top=5");
}

Result<void> set_nodes(Options& options, Values values) {
  options.nodes = values[0];
  auto nodes = spread_over_nodes(values[0], 1);
  return nodes ? Result<void>() : nodes.error();
}

Result<void> set_tree_width(Options& options, Values values) {
  atrium_value value;
  if (atrium_parse_value("number 1..1000000", values[0].c_str(), &value))
    return options.tree_width = static_cast<int>(value.number), Result<void>();
  return bad_word("--tree-width needs a number of hosts, 1 or more, not '" + values[0] + "'",
                  "--tree-width 32");
}

template <std::string Options::*member>
Result<void> set_text(Options& options, Values values) {
  options.*member = values[0];
  return {};
}

constexpr Flag table[] = {
    {"n np ntasks", 1, set_pes},
    {"x", 1, set_variable},
    {"wdir wd", 1, set_directory},
    {"stdin", 1, set_input},
    {"timeout", 1, set_timeout},
    {"nodes", 1, set_nodes, true},
    {"hosts", 1, set_hosts, true},
    {"hostfile", 1, set_host_file, true},
    {"agent", 1, set_text<&Options::agent>, true},
    {"remote-oshrun", 1, set_text<&Options::remote_oshrun>, true},
    {"tree-width", 1, set_tree_width, true},
    {"tag-output label l", 0, set_to<&Options::tag_output, true>},
    {"bind-to", 1, set_binding},
    {"map-by rank-by", 1, set_mapping},
    {"report-bindings", 0, set_to<&Options::report_bindings, true>},
    {"oversubscribe", 0, set_to<&Options::oversubscribe, true>},
    {"same-addresses", 0, set_to<&Options::same_addresses, true>},
    {"gdb", optional_value, add_tool<Tool::gdb>},
    {"valgrind", optional_value, add_tool<Tool::valgrind>},
    {"wrap", 1, add_wrap},
    {"check", optional_value, set_checks},
    {"profile", optional_value, set_profile},
    {"trace", 1, set_trace},
    {"trace-size", 1, set_trace_size},
    {"top", optional_value, set_top},
    {"backtrace", 0, set_to<&Options::backtrace, true>},
    {"quiet q", 0, set_to<&Options::quiet, true>},
    {"verbose v", 0, set_to<&Options::verbose, true>},
    {"help h", 0, set_to<&Options::help, true>},
    {"version V", 0, set_to<&Options::version, true>},
};

}  // namespace

std::span<const Flag> own_flags() { return table; }

const Flag* find_flag(std::string_view name) {
  const Flag* found = nullptr;
  each_name([&](const Flag& flag, const std::string& known) {
    if (known == name) found = &flag;
  });
  return found;
}

std::string nearest_flag(std::string_view name) {
  NearestWord nearest(name, std::min<size_t>(3, name.size() / 2));
  each_name([&](const Flag&, const std::string& known) { nearest.offer(known); });
  return nearest.word();
}

Error bad_word(const std::string& what, const std::string& remedy) { return Error{what, {}, {}, remedy}; }

Result<void> set_hosts(Options& options, Values values) { return add_hosts(options, values[0]); }

Result<void> set_host_file(Options& options, Values values) { return add_host_file(options, values[0]); }

}  // namespace atrium
