// How the functions behind the Fortran interfaces are called, which libatrium_fortran.a alone uses. Knows nothing of Atrium's
// other parts: tools include it, too.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace atrium {

// gfortran and flang call SHMEM_PUT4 "shmem_put4_"; no routine of C ends so. Compilers add ".cold" and the like.
inline bool is_name_of_wrapper(std::string_view name) {
  name = name.substr(0, name.find('.'));
  for (const std::string_view beginning : {"atrium_f_", "atrium_fortran_", "atrium_shp", "atrium_real16_"})
    if (name.starts_with(beginning)) return true;
  if (name.starts_with("shmem_") && name.ends_with("_")) return true;
  return name == "start_pes_" || name == "shpalloc_" || name == "shpclmove_" || name == "shpdeallc_";
}

// What the program has called there; empty for what such a routine is made of.
inline std::string routine_of_wrapper(std::string_view name) {
  constexpr std::string_view of_f08 = "atrium_f_";
  name = name.substr(0, name.find('.'));
  if (name.starts_with(of_f08)) {
    name.remove_prefix(of_f08.size());
    if (name.ends_with("_n") || name.ends_with("_l")) name.remove_suffix(2);  // by the kind of its counts
    return std::string(name);
  }
  return name.ends_with("_") ? std::string(name.substr(0, name.size() - 1)) : std::string();
}

}  // namespace atrium
