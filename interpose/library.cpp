// Finds out whether the OpenSHMEM library was there when the tool was loaded.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/library.hpp"

#include <unistd.h>

#include <string>

#include "atrium_message.h"
#include "interpose/openshmem.hpp"

namespace atrium::interpose {

namespace {

[[noreturn]] void refuse(const char* because) {
  const std::string file = library_file;
  const std::string what = std::string("a tool was loaded, and not ") + library_file;
  const std::string remedy =
      std::string("linking with that library, or preloading it, too: LD_PRELOAD=/path/to/") + library_file +
      " ...";
  const atrium_message message = {what.c_str(), because, "starting OpenSHMEM under a check or profile",
                                  remedy.c_str()};
  atrium_print_message("atrium", &message);
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
