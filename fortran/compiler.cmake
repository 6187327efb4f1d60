# Looks for a Fortran compiler and enables the language. Without one CMAKE_Fortran_COMPILER is false.
# SPDX-License-Identifier: BSD-3-Clause
include(CheckLanguage)
if(NOT CMAKE_Fortran_COMPILER)
  unset(CMAKE_Fortran_COMPILER CACHE)  # "NOTFOUND" would stay: a compiler may have been installed since
endif()
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
endif()
