// Takes off what compilers add, and reads the names of C++.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/names.hpp"

#include <cxxabi.h>

#include <cstdlib>

namespace atrium {
namespace {

// A word such as `f` or `i` is also how C++ writes float and int: only what begins so is the name of something.
std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  std::free(text);
  return result;
}

std::string without_additions(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 1 == name.size()) return name;
  const std::string last = name.substr(dot + 1), rest = name.substr(0, dot);
  const bool added = (last[0] >= '0' && last[0] <= '9') || last == "lto_priv";
  return added ? without_additions(rest) : last;
}

}  // namespace

std::string function_as_written(std::string symbol) {
  if (symbol.starts_with(".omp_outlined")) return "a parallel region";
  const size_t dot = symbol.find('.');
  if (dot != std::string::npos && dot != 0) symbol.resize(dot);
  return demangled(symbol);
}

std::string variable_as_written(const std::string& symbol) { return demangled(without_additions(symbol)); }

std::string part_of_variable(const std::string& symbol, uint64_t offset) {
  return variable_as_written(symbol) + (offset == 0 ? "" : " + " + std::to_string(offset) + " bytes");
}

}  // namespace atrium
