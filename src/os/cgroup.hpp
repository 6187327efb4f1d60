// Where the limits of this process's control groups lie.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace atrium {

// The folders of a process's group and of every group above it, up to the mount. A limit of any of them
// holds. A group whose name is not below the mount, as in a container that sees the host's names, leaves the
// mount itself, which is then the container's own group.
struct CgroupFolders {
  std::vector<std::string> version1, version2;
};

// `controller`: "cpu", "memory" ... `membership`: the text of a /proc/PID/cgroup. `mount`: where cgroups are mounted.
CgroupFolders cgroup_folders(const std::string& controller, const std::string& membership,
                             const std::string& mount);

// Of this process.
CgroupFolders cgroup_folders(const std::string& controller);

}  // namespace atrium
