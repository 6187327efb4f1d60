// Takes off what compilers add, and reads the names of C++ and of Fortran's modules.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/names.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>

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

// What Fortran compilers make of the name of a module's variable or procedure.
struct ModuleNaming {
  const char *before, *between, *behind;
};
constexpr ModuleNaming module_namings[] = {
    {"__", "_MOD_", ""},  // gfortran: __heat_MOD_flag
    {"_QM", "E", ""},     // flang: _QMheatEflag, a variable
    {"_QM", "P", ""},     // and _QMheatPrelax, a procedure; names are in small letters
    {"", "_mp_", "_"},    // Intel's: heat_mp_flag_
};

// "heat::flag"; empty: it is no such name.
std::string name_in_module(const std::string& symbol) {
  for (const ModuleNaming& naming : module_namings) {
    const size_t begin = std::strlen(naming.before), middle = symbol.find(naming.between, begin);
    if (!symbol.starts_with(naming.before) || !symbol.ends_with(naming.behind)) continue;
    if (middle == std::string::npos || middle == begin) continue;
    const size_t name = middle + std::strlen(naming.between),
                 end = symbol.size() - std::strlen(naming.behind);
    if (name < end) return symbol.substr(begin, middle - begin) + "::" + symbol.substr(name, end - name);
  }
  return {};
}

std::string without_decoration(const std::string& symbol) {
  const std::string of_module = name_in_module(symbol);
  return of_module.empty() ? demangled(symbol) : of_module;
}

// The point between a module and its submodule is part of gfortran's name: __heat.implementation_MOD_flag.
size_t end_of_modules(const std::string& symbol) {
  const size_t end = symbol.starts_with("__") ? symbol.find("_MOD_") : std::string::npos;
  return end == std::string::npos ? 0 : end;
}

std::string without_additions(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 1 == name.size() || dot < end_of_modules(name)) return name;
  const std::string last = name.substr(dot + 1), rest = name.substr(0, dot);
  const bool added = (last[0] >= '0' && last[0] <= '9') || last == "lto_priv";
  return added ? without_additions(rest) : last;
}

}  // namespace

std::string function_as_written(std::string symbol) {
  if (symbol.starts_with(".omp_outlined")) return "a parallel region";
  const size_t dot = symbol.find('.', end_of_modules(symbol));
  if (dot != std::string::npos && dot != 0) symbol.resize(dot);
  return without_decoration(symbol);
}

std::string variable_as_written(const std::string& symbol) {
  return without_decoration(without_additions(symbol));
}

std::string NamedVariable::whole() const { return block.empty() ? name : name + " of " + block; }

std::string NamedVariable::text() const {
  return name + (offset == 0 ? "" : " + " + std::to_string(offset) + " bytes") +
         (block.empty() ? "" : " of " + block);
}

NamedVariable part_of_variable(const std::string& symbol, uint64_t offset) {
  return {variable_as_written(symbol), offset, ""};
}

}  // namespace atrium
