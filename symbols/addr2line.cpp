// Runs the program in a child process and reads what it prints.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/addr2line.hpp"

#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "atrium_words.hpp"
#include "symbols/child.hpp"
#include "symbols/names.hpp"
#include "symbols/pieces.hpp"

namespace atrium {

namespace {

SourceFrame frame_of(const std::string& function, const std::string& where) {
  SourceFrame frame;
  const size_t colon = where.rfind(':');
  if (function != "??") frame.function = function_as_written(function);
  if (where.starts_with("??") || colon == std::string::npos) return frame;
  frame.file = where.substr(0, colon);
  frame.line = std::atoi(where.c_str() + colon + 1);
  return frame;
}

}  // namespace

// It prints each address, and then two lines for each of its frames. It must not be looked at by a tool that was preloaded. The
// child takes no blocks: in a static program they would be its parent's.
std::vector<std::vector<SourceFrame>> ask_addr2line(const std::string& file,
                                                    std::span<const uint64_t> addresses) {
  std::vector<std::string> words{"addr2line", "-a", "-f", "-i", "-e", file};
  for (const uint64_t address : addresses) words.push_back(hexadecimal(address));
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string text = output_of_child([&](int fd) {
    print_only_into(fd);
    unsetenv("LD_PRELOAD");
    execvp(arguments.front(), arguments.data());
  });
  std::vector<std::vector<SourceFrame>> answers;
  while (const auto line = take(text, '\n')) {
    if (line->starts_with("0x"))
      answers.emplace_back();
    else if (!answers.empty())
      answers.back().push_back(frame_of(*line, take(text, '\n').value_or("??:0")));
  }
  for (auto& frames : answers)
    for (size_t i = 0; i + 1 < frames.size(); ++i) frames[i].is_inlined = true;
  if (answers.size() != addresses.size()) answers.clear();
  return answers;
}

std::vector<SourceFrame> ask_addr2line(const std::string& file, uint64_t address) {
  auto answers = ask_addr2line(file, std::span(&address, 1));
  return answers.empty() ? std::vector<SourceFrame>() : std::move(answers.front());
}

}  // namespace atrium
