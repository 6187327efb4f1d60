// The folders of the groups, as the visits of base/ meet them.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/cgroup.hpp"

#include "atrium_machine.h"
#include "atrium_system.hpp"

namespace atrium {
namespace {

void append(void* folders, const char* folder, int version) {
  auto& found = *static_cast<CgroupFolders*>(folders);
  (version == 2 ? found.version2 : found.version1).emplace_back(folder);
}

}  // namespace

CgroupFolders cgroup_folders(const std::string& controller, const std::string& membership,
                             const std::string& mount) {
  CgroupFolders folders;
  atrium_visit_cgroups(controller.c_str(), membership.c_str(), mount.c_str(), append, &folders);
  return folders;
}

CgroupFolders cgroup_folders(const std::string& controller) {
  return cgroup_folders(controller, read_small_file("/proc/self/cgroup"), ATRIUM_CGROUP_MOUNT);
}

}  // namespace atrium
