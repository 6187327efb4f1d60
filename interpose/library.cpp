// Whether the library was there when the tool was loaded.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/library.hpp"

#include <unistd.h>

#include <string>

#include "interpose/openshmem.hpp"
#include "interpose/say.hpp"

namespace atrium::interpose {

namespace {

[[noreturn]] void refuse(const std::string& because) {
  const std::string file = library_file;
  const std::string text =
      "atrium: a tool was loaded, and not " + file + "\n  because: " + because +
      "\n  while:   starting OpenSHMEM under a check or profile" +
      "\n  try:     linking with that library, or preloading it, too: LD_PRELOAD=/path/to/" + file + " ...\n";
  write_whole(text);
  _exit(1);
}

// Of a static library a program has what it calls itself, hardly all of these.
__attribute__((constructor)) void refuse_parts() {
  if (&pshmem_init && !(&pshmem_barrier_all && &pshmem_malloc && &pshmem_set_lock))
    refuse("the program is linked with the static library");
}

}  // namespace

void need_library() {
  if (!&pshmem_init) refuse("the program opened it when it ran, as modules of Python do");
}

}  // namespace atrium::interpose
