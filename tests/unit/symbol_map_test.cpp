// Where static objects begin and end, and how they are called.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/symbol_map.hpp"

#include <gtest/gtest.h>

#include "symbols/names.hpp"
#include "symbols/this_program.hpp"

namespace atrium {
namespace {

long in_this_program[3];

std::string name_at(const SymbolMap& objects, uintptr_t address) {
  const Symbol* const found = objects.around(address);
  return found ? variable_as_written(found->name) : "";
}

TEST(StaticObjects, are_found_from_their_first_to_their_last_byte) {
  const SymbolMap objects({{"b", 200, 16}, {"a", 100, 8}}, 1000);
  EXPECT_EQ(name_at(objects, 1099), "");
  EXPECT_EQ(name_at(objects, 1100), "a");
  EXPECT_EQ(name_at(objects, 1107), "a");
  EXPECT_EQ(name_at(objects, 1108), "") << "what lies between is nobody's";
  EXPECT_EQ(name_at(objects, 1215), "b");
  EXPECT_EQ(objects.around(1215)->address, 1200u);
}

TEST(StaticObjects, that_overlap_count_as_the_one_that_reaches_furthest) {
  const SymbolMap objects({{"part", 108, 8}, {"whole", 100, 64}, {"alias", 100, 16}, {"tail", 150, 50}}, 0);
  EXPECT_EQ(name_at(objects, 110), "whole");
  EXPECT_EQ(name_at(objects, 149), "whole");
  EXPECT_EQ(name_at(objects, 155), "tail") << "an access from there may go on to 200";
  EXPECT_EQ(name_at(objects, 199), "tail");
}

TEST(StaticObjects, of_no_table_are_none) {
  EXPECT_FALSE(SymbolMap({}, 0).around(0));
  EXPECT_FALSE(SymbolMap({}, 0).around(UINTPTR_MAX));
}

TEST(StaticObjects, of_this_program_have_their_names_and_sizes) {
  ASSERT_TRUE(executable_file_is_ours());
  const auto found = variables_of_executable().around(reinterpret_cast<uintptr_t>(&in_this_program[2]));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->address, reinterpret_cast<uintptr_t>(in_this_program));
  EXPECT_EQ(found->bytes, sizeof in_this_program);
  EXPECT_NE(variable_as_written(found->name).find("in_this_program"), std::string::npos);
}

TEST(NameInSource, is_without_what_compilers_add) {
  EXPECT_EQ(variable_as_written("halo.1234"), "halo");
  EXPECT_EQ(variable_as_written("main.halo"), "halo");
  EXPECT_EQ(variable_as_written("halo.lto_priv.0"), "halo");
  EXPECT_EQ(variable_as_written("_ZN4grid4haloE"), "grid::halo");
  EXPECT_EQ(function_as_written("relax.constprop.0"), "relax");
  EXPECT_EQ(function_as_written("main._omp_fn.0"), "main");
  EXPECT_EQ(function_as_written(".omp_outlined..1"), "a parallel region");
  EXPECT_EQ(function_as_written("_ZN6solver5relaxEi.isra.0"), "solver::relax(int)");
  EXPECT_EQ(function_as_written("f"), "f") << "is how C++ writes float, too";
}

TEST(NamesOfSymbols, those_of_fortran_modules_have_the_module_in_front) {
  EXPECT_EQ(variable_as_written("__heat_MOD_flag"), "heat::flag");
  EXPECT_EQ(part_of_variable("_QMheatEflag", 8).text(), "heat::flag + 8 bytes");
  EXPECT_EQ(variable_as_written("heat_mp_flag_"), "heat::flag");
  EXPECT_EQ(function_as_written("__heat_MOD_relax"), "heat::relax");
  EXPECT_EQ(function_as_written("__heat_MOD_relax._omp_fn.0"), "heat::relax");
  EXPECT_EQ(variable_as_written("__heat.solver_MOD_flag"), "heat.solver::flag");
  EXPECT_EQ(variable_as_written("__heat.solver_MOD_flag.lto_priv.0"), "heat.solver::flag");
  EXPECT_EQ(function_as_written("__heat.solver_MOD_relax.constprop.0"), "heat.solver::relax");
  EXPECT_EQ(function_as_written("_QMheatPrelax"), "heat::relax");
  for (const char* other : {"__heat", "_MOD_", "__MOD_flag", "flag_", "_QM", "_mp_", "heat_mp_"})
    EXPECT_EQ(variable_as_written(other), other);
}

}  // namespace
}  // namespace atrium
