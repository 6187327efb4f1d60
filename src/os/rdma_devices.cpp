// Lists network cards and their active ports, by /sys/class/infiniband/DEVICE/ports/N/state, which is "4: ACTIVE", and tries what
// programs open to use them.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/rdma_devices.hpp"

#include <dirent.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "atrium_system.hpp"

namespace atrium {
namespace {

std::vector<std::string> entries_of(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  while (const dirent* entry = open ? ::readdir(open.get()) : nullptr)
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  return names;
}

bool is_active(const std::string& device) {
  const auto ports = entries_of(device + "/ports");
  return std::any_of(ports.begin(), ports.end(), [&](const std::string& port) {
    return read_small_file(device + "/ports/" + port + "/state").starts_with("4:");
  });
}

// Why a file cannot be opened; empty: it can.
std::string obstacle_to(const std::string& file, const char* where_absent) {
  if (::access(file.c_str(), R_OK | W_OK) == 0) return "";
  const int error = errno;
  return file + ": " + std::strerror(error) + (error == ENOENT ? where_absent : "");
}

// librdmacm looks it up, and without it libfabric has no verbs.
bool is_localhost_known() {
  addrinfo* found = nullptr;
  if (::getaddrinfo("localhost", nullptr, nullptr, &found) != 0) return false;
  ::freeaddrinfo(found);
  return true;
}

}  // namespace

std::vector<std::string> rdma_devices(const std::string& folder) { return entries_of(folder); }

std::string text_of_devices(const std::vector<std::string>& devices) {
  std::string text;
  for (const std::string& device : devices) text += (text.empty() ? "" : ", ") + device;
  return text;
}

std::string obstacle_to_verbs(const std::string& folder, const std::string& files) {
  const std::vector<std::string> devices = rdma_devices(folder);
  if (devices.empty()) return "";
  if (active_rdma_devices(folder).empty()) return "no port of " + text_of_devices(devices) + " is active";
  const std::vector<std::string> open = entries_of(files);
  const auto is_device = [](const std::string& name) { return name.starts_with("uverbs"); };
  const auto device = std::find_if(open.begin(), open.end(), is_device);
  if (device == open.end())
    return files + "/uverbs0: " + std::strerror(ENOENT) +
           " (the module ib_uverbs, or a container without devices)";
  std::string obstacle = obstacle_to(files + "/" + *device, "");
  if (obstacle.empty())
    obstacle = obstacle_to(files + "/rdma_cm", " (the module rdma_ucm, or a container without devices)");
  if (obstacle.empty() && !is_localhost_known()) obstacle = "the name localhost has no address (/etc/hosts)";
  return obstacle;
}

std::vector<std::string> active_rdma_devices(const std::string& folder) {
  std::vector<std::string> devices = entries_of(folder);
  std::erase_if(devices, [&](const std::string& device) { return !is_active(folder + "/" + device); });
  return devices;
}

}  // namespace atrium
