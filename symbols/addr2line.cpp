// Runs it in a child and reads what it prints.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/addr2line.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "symbols/child.hpp"
#include "symbols/names.hpp"
#include "symbols/pieces.hpp"

namespace atrium {

// It prints two lines for each frame. It must not be looked at by a tool that was preloaded.
std::vector<SourceFrame> ask_addr2line(const std::string& file, uint64_t address) {
  std::string text = told_by_child([&](int fd) {
    char number[32];
    std::snprintf(number, sizeof number, "0x%" PRIx64, address);
    dup2(fd, STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    unsetenv("LD_PRELOAD");
    execlp("addr2line", "addr2line", "-f", "-i", "-e", file.c_str(), number, nullptr);
  });
  std::vector<SourceFrame> frames;
  while (const auto function = take(text, '\n')) {
    const std::string where = take(text, '\n').value_or("??:0");
    const size_t colon = where.rfind(':');
    SourceFrame& frame = frames.emplace_back();
    if (*function != "??") frame.function = function_as_written(*function);
    if (where.starts_with("??") || colon == std::string::npos) continue;
    frame.file = where.substr(0, colon);
    frame.line = std::atoi(where.c_str() + colon + 1);
  }
  for (size_t i = 0; i + 1 < frames.size(); ++i) frames[i].is_inlined = true;
  return frames;
}

}  // namespace atrium
