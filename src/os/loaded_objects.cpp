// Looks for names among what the loaded files export.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/loaded_objects.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstring>

#include "atrium_words.hpp"
#include "symbols/loaded.hpp"

namespace atrium {
namespace {

bool is_this_library(const LoadedFile& file) {
  return file.contains(reinterpret_cast<uintptr_t>(&is_this_library));
}

bool is_copy_of_this_library(const LoadedFile& file) {
  return file_name_of(file.path()).starts_with("libatrium.so") && !is_this_library(file);
}

}  // namespace

std::optional<OtherCopy> other_copy_with(const char* name) {
  OtherCopy copy{};
  any_loaded_file([&](const LoadedFile& file) {
    if (!is_copy_of_this_library(file)) return false;
    const void* const definition =
        file.find_export([&](const char* exported) { return std::strcmp(exported, name) == 0; });
    copy = {file.path(), definition};
    return definition != nullptr;
  });
  return copy.definition ? std::optional(copy) : std::nullopt;
}

const char* path_of_this_library() {
  Dl_info library{};
  const bool known = ::dladdr(reinterpret_cast<const void*>(&is_this_library), &library) != 0;
  return known && library.dli_fname ? library.dli_fname : "";
}

bool exported_before_us(bool (*is_wanted)(const char* name)) {
  bool found = false;
  any_loaded_file([&](const LoadedFile& file) {
    return is_this_library(file) || (found = file.find_export(is_wanted) != nullptr);
  });
  return found;
}

}  // namespace atrium
