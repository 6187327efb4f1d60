// Reads the text of the variables. A bad value is a message of four parts, and left at its default.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings/parse.hpp"

#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <utility>

namespace atrium::mpi {
namespace {

class Reader {
 public:
  Reader(const char* (*get)(const char*), std::vector<std::string>& messages)
      : get_(get), messages_(messages) {}

  template <class Value>
  void choose(const char* name, Value& value, std::initializer_list<std::pair<const char*, Value>> words) {
    const char* text = get_(name);
    if (!text) return;
    std::string known;
    for (const auto& [word, meaning] : words) {
      if (!std::strcmp(text, word)) return void(value = meaning);
      known += (known.empty() ? "" : ", ") + std::string(word);
    }
    complain(name, text, "it has to be one of " + known, words.begin()->first);
  }

  void count(const char* name, int& value) {
    const char* text = get_(name);
    if (!text) return;
    char* end = nullptr;
    const long number = std::strtol(text, &end, 10);
    if (end == text || *end || number < 1 || number > 1'000'000)
      return complain(name, text, "it has to be a number of ranks, at least 1", "2");
    value = static_cast<int>(number);
  }

  void bytes(const char* name, std::size_t& value) {
    const char* text = get_(name);
    if (!text) return;
    if (std::optional<std::size_t> number = parse_bytes(text)) return void(value = *number);
    complain(name, text, "it has to be a number of bytes, with K, M or G behind it if you like", "64M");
  }

 private:
  static std::optional<std::size_t> parse_bytes(const char* text) {
    char* end = nullptr;
    const unsigned long long number = std::strtoull(text, &end, 10);
    static constexpr char units[] = "KMG";
    int shift = 0;
    if (const char* unit = *end ? std::strchr(units, *end & ~0x20) : nullptr) {
      shift = 10 * static_cast<int>(unit - units + 1);
      ++end;
    }
    if (end == text || *end || text[0] == '-' || number == 0 || number >> (62 - shift)) return {};
    return static_cast<std::size_t>(number << shift);
  }

  void complain(const char* name, const char* text, const std::string& because, const char* example) {
    messages_.push_back("atrium: " + std::string(name) + "=" + text + " is ignored\n  because: " + because +
                        "\n  while:   reading the settings of Atrium for MPI\n  try:     " + name + "=" +
                        example + "\n");
  }

  const char* (*get_)(const char*);
  std::vector<std::string>& messages_;
};

}  // namespace

Settings parse_settings(const char* (*get)(const char* name), std::vector<std::string>& messages) {
  Settings found;
  Reader reader(get, messages);
  reader.choose<Mode>("ATRIUM_ALLTOALL", found.mode,
                      {{"auto", Mode::automatic}, {"always", Mode::always}, {"never", Mode::never}});
  reader.choose<SegmentKind>("ATRIUM_MPI_SEGMENT", found.segment,
                             {{"sysv", SegmentKind::sysv}, {"window", SegmentKind::window}});
  reader.choose<bool>("ATRIUM_REPORT", found.report, {{"1", true}, {"0", false}});
  reader.bytes("ATRIUM_ALLTOALL_LIMIT", found.limit);
  reader.bytes("ATRIUM_MPI_BUFFER", found.buffer);
  reader.count("ATRIUM_NODE_RANKS", found.node_ranks);
  reader.count("ATRIUM_LEADERS", found.leaders);
  return found;
}

}  // namespace atrium::mpi
