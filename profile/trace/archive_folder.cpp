// Makes the folder of a trace empty, but only if all files in it are of an earlier trace.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/archive_folder.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

namespace atrium::profile {
namespace {

enum class Look { archive, other, failed };  // failed: errno

// 12.evt, 12.def
bool is_of_a_location(std::string_view name) {
  const size_t digits = name.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos &&
         (name.substr(digits) == ".evt" || name.substr(digits) == ".def");
}

// Appends what lies in a folder, when nothing but files of an archive does.
Look look(const std::string& folder, bool inside, std::vector<std::string>& found) {
  DIR* const open = ::opendir(folder.c_str());
  if (!open) return Look::failed;
  Look answer = Look::archive;
  while (const dirent* const entry = ::readdir(open)) {
    const std::string name = entry->d_name, path = folder + "/" + name;
    if (name == "." || name == "..") continue;
    if (!inside && name == "traces") answer = look(path, true, found);
    const bool ours =
        inside ? is_of_a_location(name) : name == "traces" || name == "traces.otf2" || name == "traces.def";
    if (!ours) answer = Look::other;
    if (answer != Look::archive) break;
    found.push_back(path);  // what lies in a folder stands before it
  }
  const int error = errno;
  ::closedir(open);
  errno = error;
  return answer;
}

TraceProblem problem(const char* call) {
  return {std::string(call) + ": " + std::strerror(errno), "--trace=NAME.otf2 where a folder can be made"};
}

}  // namespace

TraceProblem other_than_archive() {
  return {"that folder holds something else than an archive of oshrun's", "another name"};
}

bool holds_other_than_archive(const std::string& path) {
  std::vector<std::string> found;
  return look(path, false, found) == Look::other;
}

std::optional<TraceProblem> make_archive_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0) return {};
  if (errno != EEXIST) return problem("mkdir");
  std::vector<std::string> found;
  const Look seen = look(path, false, found);
  if (seen == Look::failed) return problem("opendir");
  if (seen == Look::other) return other_than_archive();
  for (const std::string& one : found)
    if (std::remove(one.c_str()) != 0) return problem("remove");
  return {};
}

void remove_archive(const std::string& path) {
  std::vector<std::string> found;
  if (look(path, false, found) != Look::archive) return;
  for (const std::string& one : found) std::remove(one.c_str());
  std::remove(path.c_str());
}

}  // namespace atrium::profile
