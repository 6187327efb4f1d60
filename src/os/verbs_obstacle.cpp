// Tries what a program opens to use verbs.
// SPDX-License-Identifier: BSD-3-Clause
//
// It is a separate file since static programs, which cannot use verbs, would link it with a warning about getaddrinfo.
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "os/rdma_devices.hpp"

namespace atrium {
namespace {

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

}  // namespace atrium
