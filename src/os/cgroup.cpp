// Reads lines "id:controllers:path"; version 2 has id 0 and no controllers.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/cgroup.hpp"

#include <algorithm>

#include "os/small_file.hpp"

namespace atrium {
namespace {

void append_climb(std::vector<std::string>& folders, const std::string& mount, std::string path) {
  for (; path.size() > 1; path.erase(path.rfind('/'))) folders.push_back(mount + path);
  folders.push_back(mount);
}

bool lists(std::string_view controllers, std::string_view controller) {
  const std::string all = "," + std::string(controllers) + ",";
  return all.find("," + std::string(controller) + ",") != std::string::npos;
}

void append_line(CgroupFolders& folders, std::string_view controller, std::string_view line,
                 const std::string& mount) {
  const size_t first = line.find(':');
  const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
  if (second == std::string_view::npos) return;
  const std::string controllers(line.substr(first + 1, second - first - 1)), path(line.substr(second + 1));
  if (controllers.empty()) {
    append_climb(folders.version2, mount, path);
    append_climb(folders.version2, mount + "/unified", path);
  } else if (lists(controllers, controller)) {
    append_climb(folders.version1, mount + "/" + controllers, path);
    if (controllers != controller)
      append_climb(folders.version1, mount + "/" + std::string(controller), path);
  }
}

}  // namespace

CgroupFolders cgroup_folders(std::string_view controller, std::string_view membership,
                             const std::string& mount) {
  CgroupFolders folders;
  while (!membership.empty()) {
    const size_t end = std::min(membership.find('\n'), membership.size());
    append_line(folders, controller, membership.substr(0, end), mount);
    membership.remove_prefix(std::min(end + 1, membership.size()));
  }
  return folders;
}

CgroupFolders cgroup_folders(std::string_view controller) {
  return cgroup_folders(controller, read_small_file("/proc/self/cgroup"), cgroup_mount);
}

}  // namespace atrium
