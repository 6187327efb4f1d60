// Stands in for pmix.cpp where there is no PMIx: in builds without its header, and in the static library,
// because a static program cannot open a library at run time.
// SPDX-License-Identifier: BSD-3-Clause
#include "bootstrap/bootstrap.hpp"

namespace atrium {

BootstrapResult join_pmix(JoinNotice) {
  return Error{"cannot join the job of the launcher that started this program",
               "this build of Atrium, or this statically linked program, has no PMIx",
               "looking for the other PEs",
               "oshrun -n N PROGRAM, or linking with the shared library of a build with libpmix-dev"};
}

}  // namespace atrium
