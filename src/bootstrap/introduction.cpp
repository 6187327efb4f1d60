// Reads introductions, which another node wrote, and puts them together.
// SPDX-License-Identifier: BSD-3-Clause
#include "bootstrap/introduction.hpp"

#include <algorithm>
#include <string_view>

#include "atrium_words.hpp"
#include "core/number_list.hpp"

namespace atrium {
namespace {

// Takes a number and the space behind it off the front.
template <class Number>
bool take(std::string_view& text, Number& number) {
  const auto taken = take_number<Number>(text);
  if (!taken || !text.starts_with(' ')) return false;
  text.remove_prefix(1);
  number = *taken;
  return true;
}

Error strange(const std::string& text) {
  return cannot_join_launcher("another node's introduction makes no sense: " + text.substr(0, 200));
}

}  // namespace

Error cannot_join_launcher(const std::string& because) {
  return Error{"cannot join the job of the launcher that started this program", because, "talking PMIx",
               "oshrun -n N PROGRAM"};
}

std::string Introduction::text() const {
  return std::to_string(owner) + " " + std::to_string(descriptor) + " " + format_number_list(pes);
}

Result<Introduction> Introduction::read(const std::string& text) {
  Introduction node;
  std::string_view rest = text;
  if (!take(rest, node.owner) || !take(rest, node.descriptor)) return strange(text);
  auto pes = parse_number_list(rest);
  if (!pes || pes->empty()) return strange(text);
  std::sort(pes->begin(), pes->end());
  if (std::adjacent_find(pes->begin(), pes->end()) != pes->end()) return strange(text);
  node.pes = std::move(*pes);
  return node;
}

Result<Placement> place_by_introductions(int me, int pes, const IntroductionOf& introduction_of) {
  constexpr int nowhere = -1;
  std::vector<int> node_of(static_cast<size_t>(pes), nowhere);
  int nodes = 0;
  for (int pe = 0; pe < pes; ++pe) {
    if (node_of[static_cast<size_t>(pe)] != nowhere) continue;
    auto text = introduction_of(pe);
    if (!text) return text.error();
    auto node = Introduction::read(*text);
    if (!node) return node.error();
    const auto is_free = [&](int member) {
      return member < pes && node_of[static_cast<size_t>(member)] == nowhere;
    };
    if (node->pes.front() != pe || !std::all_of(node->pes.begin(), node->pes.end(), is_free))
      return cannot_join_launcher("another node's introduction names other PEs: " + text->substr(0, 200));
    for (int member : node->pes) node_of[static_cast<size_t>(member)] = nodes;
    ++nodes;
  }
  return Placement(me, std::move(node_of));
}

}  // namespace atrium
