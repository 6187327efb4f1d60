// Asks the MPI what it is, by a function that looks the same in all of them.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings/which_mpi.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace atrium::mpi {
namespace {

// More than either MPI writes.
constexpr int version_bytes = 16 << 10;

#ifdef OPEN_MPI
constexpr const char *built_for = "openmpi", *wanted = "mpich";
// MPICH, and what has its binary interface.
constexpr auto others = {"MPICH", "MVAPICH", "Intel"};
#else
constexpr const char *built_for = "mpich", *wanted = "openmpi";
constexpr auto others = {"Open MPI", "Spectrum MPI"};
#endif

}  // namespace

void refuse_another_mpi() {
  static char version[version_bytes];
  int length = 0;
  PMPI_Get_library_version(version, &length);
  version[std::strcspn(version, "\n,")] = 0;
  for (const char* name : others) {
    if (!std::strstr(version, name)) continue;
    std::fprintf(stderr,
                 "atrium: libatrium-mpi-%s.so cannot run in front of this MPI\n"
                 "  because: the program uses %s, whose handles are others\n"
                 "  while:   making the first all-to-all exchange\n"
                 "  try:     atrium-mpi, which finds the right library, or libatrium-mpi-%s.so\n",
                 built_for, version, wanted);
    std::_Exit(1);
  }
}

}  // namespace atrium::mpi
