// Finds the functions of the OTF2 library, and keeps what it would print.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/otf2_library.hpp"

#include <dlfcn.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace atrium::profile {
namespace {

Otf2Library library{};
std::string complaint;

template <class Function>
bool find(void* opened, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(opened, name));
  return function != nullptr;
}

// Of a failure that passes through several functions the first words are nearest to the cause.
OTF2_ErrorCode keep(void*, const char*, uint64_t, const char*, OTF2_ErrorCode code, const char* format,
                    va_list values) {
  if (!complaint.empty() || code == OTF2_WARNING || code == OTF2_DEPRECATED) return code;
  char text[512] = "";
  if (format) std::vsnprintf(text, sizeof text, format, values);
  complaint = library.Error_GetDescription(code);
  if (*text != '\0') complaint += std::string(" (") + text + ")";
  return code;
}

}  // namespace

const Otf2Library* open_otf2_library(std::string& because) {
  if (library.Archive_Open) return &library;
  void* const opened = ::dlopen(ATRIUM_OTF2_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!opened) return because = ::dlerror(), nullptr;
  Otf2Library found{};
  bool complete = true;
#define ATRIUM_OTF2_FUNCTION(name) complete = complete && find(opened, "OTF2_" #name, found.name);
  ATRIUM_OTF2_FUNCTIONS(ATRIUM_OTF2_FUNCTION)
#undef ATRIUM_OTF2_FUNCTION
  if (!complete) return because = ATRIUM_OTF2_LIBRARY " lacks a function that oshrun needs", nullptr;
  library = found;
  library.Error_RegisterCallback(keep, nullptr);
  return &library;
}

std::string take_otf2_complaint() { return std::exchange(complaint, {}); }

}  // namespace atrium::profile
