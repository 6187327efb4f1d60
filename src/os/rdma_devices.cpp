// Lists network cards and their active ports, by /sys/class/infiniband/DEVICE/ports/N/state, which is "4: ACTIVE".
// SPDX-License-Identifier: BSD-3-Clause
#include "os/rdma_devices.hpp"

#include <dirent.h>

#include <algorithm>
#include <memory>

#include "atrium_system.hpp"

namespace atrium {
namespace {

bool is_active(const std::string& device) {
  const auto ports = entries_of(device + "/ports");
  return std::any_of(ports.begin(), ports.end(), [&](const std::string& port) {
    return read_small_file(device + "/ports/" + port + "/state").starts_with("4:");
  });
}

}  // namespace

std::vector<std::string> entries_of(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  while (const dirent* entry = open ? ::readdir(open.get()) : nullptr)
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  return names;
}

bool may_have_cards(const std::string& classes) {
  return entries_of(classes).empty() || !entries_of(classes + "/infiniband").empty() ||
         !entries_of(classes + "/cxi").empty() || !entries_of(classes + "/cxi_user").empty();
}

std::vector<std::string> rdma_devices(const std::string& folder) { return entries_of(folder); }

std::string text_of_devices(const std::vector<std::string>& devices) {
  std::string text;
  for (const std::string& device : devices) text += (text.empty() ? "" : ", ") + device;
  return text;
}

std::vector<std::string> active_rdma_devices(const std::string& folder) {
  std::vector<std::string> devices = entries_of(folder);
  std::erase_if(devices, [&](const std::string& device) { return !is_active(folder + "/" + device); });
  return devices;
}

}  // namespace atrium
