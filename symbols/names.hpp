// Names of symbols as the program's text has them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace atrium {

// "relax" of "relax.constprop.0", "main" of "main._omp_fn.0", "solver::relax(int)" of "_ZN6solver5relaxEi",
// "heat::relax" of gfortran's "__heat_MOD_relax", a procedure of the module heat.
std::string function_as_written(std::string symbol);

// "flags" of "flags.1234" (gcc's static variables of functions), "main.flags" (clang's) and "flags.lto_priv.0"; "heat::flag" of a variable of
// the module heat, by gfortran, flang or Intel's compilers.
std::string variable_as_written(const std::string& symbol);

// A variable, and how far into it an address lies.
struct NamedVariable {
  std::string name;  // as written; empty: unknown
  uint64_t offset = 0;
  std::string block;  // "/data/", the common block of Fortran that it is in; empty: in none

  std::string whole() const;  // "flags"; "y of /data/"
  std::string text() const;   // "flags + 16 bytes"; "y + 8 bytes of /data/"
};
NamedVariable part_of_variable(const std::string& symbol, uint64_t offset);

}  // namespace atrium
