// Where the limits of this process's control groups lie.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace atrium {

inline constexpr const char* cgroup_mount = "/sys/fs/cgroup";

// The folders of a process's group and of every group above it, up to the mount. A limit of any of them
// holds. A group whose name is not below the mount, as in a container that sees the host's names, leaves the
// mount itself, which is then the container's own group.
struct CgroupFolders {
  std::vector<std::string> version1, version2;
};

// `controller`: "cpu", "memory" ... `membership`: the text of a /proc/PID/cgroup. `mount`: where cgroups are
// mounted.
CgroupFolders cgroup_folders(std::string_view controller, std::string_view membership,
                             const std::string& mount);

// Of this process.
CgroupFolders cgroup_folders(std::string_view controller);

}  // namespace atrium
