// Searches PATH and checks the permission to execute.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "launch/cli/options.hpp"

namespace atrium {
namespace {

enum class Found { nothing, unusable, executable };

Found look_at(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return errno == EACCES ? Found::unusable : Found::nothing;
  if (S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0) return Found::executable;
  errno = S_ISDIR(info.st_mode) ? EISDIR : EACCES;
  return Found::unusable;
}

Program not_found(const std::string& name, const char* because) {
  const bool path = name.find('/') != std::string::npos;
  std::string remedy = path           ? "another path"
                       : name.empty() ? "its name, where the command line has an empty word"
                                      : "./" + name + " if it is in this directory";
  return {{}, Refusal{{"cannot find the program '" + name + "'", because, {}, remedy}, status_not_found}};
}

// The wrapper that compiles such a file; empty: it is no source.
std::string compiler_of(const std::string& path) {
  const std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
  if (ending == ".c") return "oshcc";
  if (ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".C") return "oshc++";
  if (ending == ".f90" || ending == ".F90" || ending == ".f" || ending == ".F") return "oshfort";
  return {};
}

// Whoever it is: then it is the file system that forbids it.
bool may_be_run(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && (info.st_mode & 0111) == 0111;
}

Program not_executable(const std::string& path, int error) {
  const std::string compiler = compiler_of(path);
  const std::string remedy = error == EISDIR     ? "a program in it"
                             : !compiler.empty() ? compiler + " " + path + " -o PROGRAM, and oshrun ./PROGRAM"
                             : may_be_run(path)  ? "a copy elsewhere, if its file system is mounted noexec"
                                                 : "chmod +x, or another program";
  return {
      {},
      Refusal{{"cannot execute '" + path + "'", std::strerror(error), {}, remedy}, status_not_executable}};
}

Program check_path(const std::string& path) {
  switch (look_at(path)) {
    case Found::executable:
      return {path, {}};
    case Found::unusable:
      return not_executable(path, errno);
    case Found::nothing:
      break;
  }
  return not_found(path, std::strerror(errno));
}

}  // namespace

Program find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return check_path(name);
  const char* given = std::getenv("PATH");
  const std::string path = given ? given : "/usr/local/bin:/usr/bin:/bin";
  Program unusable;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const std::string folder = end == begin ? "." : path.substr(begin, end - begin);
    const Found found = name.empty() ? Found::nothing : look_at(folder + "/" + name);
    if (found == Found::executable) return {folder + "/" + name, {}};
    if (found == Found::unusable && !unusable.refusal) unusable = not_executable(folder + "/" + name, errno);
    begin = end + 1;
  }
  return unusable.refusal ? unusable : not_found(name, "it is in no directory of PATH");
}

}  // namespace atrium
