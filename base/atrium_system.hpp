// Asks the system: for short files, the numbers in a folder, this program's path and this host's name.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "atrium_pipe.hpp"

namespace atrium {

// The text of a file of /proc or /sys; empty when it cannot be read (a limit that is not there limits nothing). With system
// calls, not stdio, whose buffer would itself show in /proc/self/maps.
inline std::string read_small_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string text = read_to_end(file);
  ::close(file);
  return text;
}

// The number that follows a word in such a text, as in "SigCgt:\t0000000000000200"; 0 where the word is missing.
inline uint64_t number_behind(const std::string& text, const char* word, int base = 10) {
  const size_t at = text.find(word);
  return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + std::strlen(word), nullptr, base);
}

// The numbers among the names in a folder: the processes of /proc, the descriptors and threads of a process.
inline std::vector<int> numbers_in(const std::string& folder) {
  std::vector<int> numbers;
  DIR* const entries = ::opendir(folder.c_str());
  while (const dirent* entry = entries ? ::readdir(entries) : nullptr)
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') numbers.push_back(std::atoi(entry->d_name));
  if (entries) ::closedir(entries);
  return numbers;
}

// Whether the numbers in /proc are those by which this process knows others. In a PID namespace that was made without a /proc of its
// own they are of other processes.
inline bool proc_has_own_numbers() {
  char number[16] = "";
  return ::readlink("/proc/self", number, sizeof number - 1) > 0 && std::atoi(number) == ::getpid();
}

// The folder of /proc about a process; one that is not there where its number is not known to /proc.
inline std::string proc_folder(pid_t process) {
  return proc_has_own_numbers() ? "/proc/" + std::to_string(process) : "/proc/none";
}

// Where /proc is missing, by the name that was executed.
inline std::string path_of_this_program() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length > 0) return {path, static_cast<size_t>(length)};
  const auto* executed = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  return executed && ::realpath(executed, path) ? path : "";
}

inline std::string host_name() {
  utsname host{};
  ::uname(&host);
  return host.nodename;
}

}  // namespace atrium
