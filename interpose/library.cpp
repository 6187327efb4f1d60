// Whether the library was there when the tool was loaded.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/library.hpp"

#include <unistd.h>

#include <string>

#include "interpose/openshmem.hpp"

namespace atrium::interpose {

void need_library() {
  if (&pshmem_init) return;
  const std::string file = library_file;
  const std::string text =
      "atrium: a tool was loaded before " + file + "\n  because: the program opened " + file +
      " when it ran, as modules of Python do" + "\n  while:   starting OpenSHMEM under a check or profile" +
      "\n  try:     preloading that library, too: LD_PRELOAD=/path/to/" + file + " ...\n";
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(2);
  _exit(1);
}

}  // namespace atrium::interpose
