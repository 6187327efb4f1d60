// Asks the MPI what it is, by a function that looks the same in all of them.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings/which_mpi.hpp"

#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "atrium_message.h"

extern "C" int PMPI_Abi_get_version(int* major, int* minor) __attribute__((weak));

namespace atrium::mpi {
namespace {

// More than either MPI writes.
constexpr int version_bytes = 16 << 10;

#if defined(MPI_ABI_VERSION)
constexpr const char* built_for = "abi";
#elif defined(OPEN_MPI)
constexpr const char* built_for = "openmpi";
#else
constexpr const char* built_for = "mpich";
#endif

struct MpiFamily {
  const char *library, *name;
};
// What an MPI calls itself; the last three have MPICH's binary interface.
constexpr MpiFamily families[] = {{"openmpi", "Open MPI"},
                                  {"openmpi", "Spectrum MPI"},
                                  {"mpich", "MPICH"},
                                  {"mpich", "MVAPICH"},
                                  {"mpich", "Intel"}};

const MpiFamily* family_of(const char* version) {
  for (const MpiFamily& family : families)
    if (std::strstr(version, family.name)) return &family;
  return nullptr;
}

// From MPI 5 on an MPI says so where its handles are those of the standard, whatever else it is.
bool has_standard_abi() {
  int major = -1, minor = -1;
  return PMPI_Abi_get_version && PMPI_Abi_get_version(&major, &minor) == MPI_SUCCESS && major > 0;
}

// Whose handles the program's are; null: of an MPI that we do not know.
const char* library_for(const char* version) {
  if (has_standard_abi()) return "abi";
  const MpiFamily* family = family_of(version);
  return family ? family->library : nullptr;
}

bool is_built_for(const char* library) { return !library || std::strcmp(library, built_for) == 0; }

}  // namespace

// Up to the first comma.
const char* version_of_mpi() {
  static const auto* version = [] {
    static char text[version_bytes];
    int length = 0;
    PMPI_Get_library_version(text, &length);
    text[std::strcspn(text, "\n,")] = 0;
    return text;
  }();
  return version;
}

#ifdef MPI_ABI_VERSION
bool is_mpich() {
  static const bool is = [] {
    const MpiFamily* family = family_of(version_of_mpi());
    return family && std::strcmp(family->library, "mpich") == 0;
  }();
  return is;
}
#endif

bool is_another_mpi() { return !is_built_for(library_for(version_of_mpi())); }

void refuse_another_mpi() {
  const char* version = version_of_mpi();
  const char* wanted = library_for(version);
  if (is_built_for(wanted)) return;
  const std::string what = std::string("libatrium-mpi-") + built_for + ".so cannot run in front of this MPI";
  const std::string because = std::string("the program uses ") + version + ", whose handles are others";
  const std::string remedy =
      std::string("atrium-mpi, which finds the right library, or libatrium-mpi-") + wanted + ".so";
  const atrium_message message = {what.c_str(), because.c_str(), "making the first all-to-all exchange",
                                  remedy.c_str()};
  atrium_print_message("atrium", &message);
  std::_Exit(1);
}

}  // namespace atrium::mpi
