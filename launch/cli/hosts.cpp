// Reads lists and files of hosts, and distributes the PEs over their slots.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/cli/hosts.hpp"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string_view>

#include "atrium_system.hpp"
#include "atrium_words.hpp"
#include "core/log.hpp"
#include "launch/cli/flags.hpp"
#include "launch/cli/nodes.hpp"
#include "os/network_interface.hpp"

namespace atrium {
namespace {

constexpr int most_pes = 1 << 22;  // as many as process numbers that Linux can give, on one host
constexpr const char* example = "--hosts a,b:4";

std::string without_domain(const std::string& name) { return name.substr(0, name.find('.')); }

// An address has no domain that could be left out.
bool is_address(const std::string& name) {
  return name.find(':') != std::string::npos || name.find_first_not_of("0123456789.") == std::string::npos;
}

// ssh takes what begins with a dash for a flag. A zero byte would end the name for ssh, but not for us.
bool is_host_name(const std::string& name) {
  const auto is_control = [](unsigned char c) { return c < ' ' || c == 127; };
  return !name.empty() && name[0] != '-' && std::none_of(name.begin(), name.end(), is_control) &&
         name.find_first_of(" ,/'\"\\`$;&|<>(){}[]*?!#") == std::string::npos;
}

// Of a host that is named again: each time without a number is one slot.
int together(int slots, int more) { return std::min(std::max(slots, 1) + std::max(more, 1), most_pes); }

Result<void> add_host(Options& options, const std::string& name, const std::string& slots) {
  const auto number = slots.empty() ? 0 : parse_number(slots, 1);
  if (!is_host_name(name) || !number || *number > most_pes)
    return bad_word("cannot tell a host from '" + printable(name) + (slots.empty() ? "" : ":" + slots) + "'",
                    example);
  for (HostSlots& known : options.hosts)
    if (known.name == name) return known.slots = together(known.slots, *number), Result<void>();
  options.hosts.push_back({name, *number});
  return {};
}

// "a", "a:4", "::1", "[::1]", "[::1]:4"
Result<void> add_word(Options& options, const std::string& word) {
  if (word.starts_with('[')) {
    const size_t end = word.find(']');
    if (end == std::string::npos) return add_host(options, word, "");
    const std::string rest = word.substr(end + 1);
    if (rest.empty()) return add_host(options, word.substr(1, end - 1), "");
    return add_host(options, word.substr(1, end - 1),
                    rest.size() > 1 && rest[0] == ':' ? rest.substr(1) : "?");
  }
  const size_t colon = word.find(':');
  if (colon == std::string::npos || word.find(':', colon + 1) != std::string::npos)
    return add_host(options, word, "");
  return add_host(options, word.substr(0, colon),
                  word.substr(colon + 1).empty() ? "?" : word.substr(colon + 1));
}

// What other launchers are told of a host behind its name, and what has no effect here.
bool is_of_another_launcher(std::string_view word) {
  constexpr std::string_view keys[] = {"max_slots=", "max-slots=", "user=",    "username=", "port=",
                                       "ifname=",    "binding=",   "sockets=", "cores=",    "nodename="};
  return std::any_of(std::begin(keys), std::end(keys),
                     [&](std::string_view key) { return word.starts_with(key); });
}

std::string without_brackets(const std::string& word) {
  return word.starts_with('[') && word.ends_with(']') ? word.substr(1, word.size() - 2) : word;
}

// Open MPI writes "slots=4 max_slots=8", MPICH "a:4", PBS one line per slot.
Result<void> add_line(Options& options, const std::string& line) {
  const std::vector<std::string> words = split_words(line.substr(0, line.find('#')), " \t\r");
  if (words.empty()) return {};
  const std::string name = without_brackets(words[0]);
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with("slots=")) return add_host(options, name, words[i].substr(6));
    if (words[i].find_first_not_of("0123456789") == std::string::npos)
      return add_host(options, name, words[i]);
    if (!is_of_another_launcher(words[i]))
      options.notes.push_back("'" + words[i] + "' behind host " + words[0] +
                              " in the host file has no effect: 'slots=4' says how many PEs it has room for");
  }
  return add_word(options, words[0]);
}

std::vector<int> sizes_of(const Options& options, const std::vector<int>& cpus) {
  const size_t hosts = options.hosts.size();
  const bool given =
      std::any_of(options.hosts.begin(), options.hosts.end(), [](auto& h) { return h.slots > 0; });
  if (options.per_host > 0) return std::vector<int>(hosts, options.per_host);
  if (!given && options.pes > 0) return std::vector<int>(hosts, 0);
  std::vector<int> sizes;
  for (size_t i = 0; i < hosts; ++i)
    sizes.push_back(options.hosts[i].slots > 0 ? options.hosts[i].slots : std::max(cpus[i], 1));
  return sizes;
}

// Whether the numbers of PEs follow from the command line, so that no host's CPUs are needed.
bool sizes_are_known(const Options& options) {
  const auto has_slots = [](const HostSlots& host) { return host.slots > 0; };
  return options.per_host > 0 || std::all_of(options.hosts.begin(), options.hosts.end(), has_slots) ||
         (options.pes > 0 && std::none_of(options.hosts.begin(), options.hosts.end(), has_slots));
}

// As many as are asked for: first what each host has room for, one host after the other or all in turn, then one more for
// each in turn.
std::vector<int> fill(const std::vector<int>& room, int pes, bool in_turn) {
  std::vector<int> sizes(room.size(), 0);
  const int most = *std::max_element(room.begin(), room.end());
  for (int step = in_turn ? 1 : most; step > 0 && pes > 0 && sizes != room;)
    for (size_t host = 0; host < room.size(); ++host) {
      const int more = std::min({room[host] - sizes[host], pes, step});
      sizes[host] += more;
      pes -= more;
    }
  const int hosts = static_cast<int>(room.size());
  for (int host = 0; host < hosts; ++host)
    sizes[static_cast<size_t>(host)] += pes / hosts + (host < pes % hosts);
  return sizes;
}

}  // namespace

Result<void> add_hosts(Options& options, const std::string& text) {
  for (const std::string& word : split_words(text, ","))
    if (auto added = add_word(options, word); !added) return added;
  return options.hosts.empty() ? Result<void>(bad_word("--hosts needs names, not '" + text + "'", example))
                               : Result<void>();
}

Result<void> require_readable_host_file(const std::string& path) {
  if (access(path.c_str(), R_OK) == 0) return {};
  return Error{
      "cannot read the host file '" + path + "'", std::strerror(errno), {}, "a file, or no --hostfile"};
}

Result<void> add_host_file(Options& options, const std::string& path) {
  if (auto readable = require_readable_host_file(path); !readable) return readable;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // as editors of Windows begin a file
  std::string text = read_small_file(path);
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    auto added = add_line(options, line);
    if (!added)
      return Error{added.error().what,
                   "line " + std::to_string(number) + " of " + path + " has it",
                   {},
                   "a line for each host: a, a:4 or a slots=4"};
  }
  return options.hosts.empty()
             ? Result<void>(bad_word("the host file '" + path + "' names no host", "a line for each"))
             : Result<void>();
}

bool is_this_host(const std::string& name) {
  if (name == "localhost" || name == "::1") return true;
  if (is_address(name)) return name.starts_with("127.") || address_of_interface(name);
  if (const char* node = std::getenv("SLURMD_NODENAME"); node && name == node) return true;
  return strcasecmp(without_domain(name).c_str(), without_domain(host_name()).c_str()) == 0;
}

bool is_only_this_host(const Options& options) {
  return std::all_of(options.hosts.begin(), options.hosts.end(),
                     [](auto& host) { return is_this_host(host.name); });
}

Result<std::vector<int>> deal_to_hosts(Options& options, const std::vector<int>& cpus) {
  const std::vector<int> room = sizes_of(options, cpus);
  const long all = std::accumulate(room.begin(), room.end(), 0L);
  if (options.pes == 0) options.pes = static_cast<int>(std::min<long>(all, most_pes + 1L));
  if (options.pes > most_pes)
    return bad_word("-n " + std::to_string(options.pes) + " PEs are more than any job has", "fewer PEs");
  if (options.per_host > 0 && options.pes > all)
    return bad_word("-n " + std::to_string(options.pes) + " PEs do not fit on " +
                        counted(room.size(), "host") + " with " + std::to_string(options.per_host) + " each",
                    "more hosts, or a larger -N");
  const bool in_turn = options.mapping == Mapping::by_host;
  return deal_pes(fill(room, options.pes, in_turn), options.pes, in_turn);
}

void leave_out_idle_hosts(Options& options) {
  if (options.hosts.empty() || !sizes_are_known(options)) return;
  Options trial = options;
  auto host_of = deal_to_hosts(trial, std::vector<int>(options.hosts.size(), 1));
  if (!host_of) return;  // it is said when the PEs are dealt
  std::vector<bool> used(options.hosts.size(), false);
  for (const int host : *host_of) used[static_cast<size_t>(host)] = true;
  size_t place = 0;
  std::erase_if(options.hosts, [&](const HostSlots&) { return !used[place++]; });
}

}  // namespace atrium
