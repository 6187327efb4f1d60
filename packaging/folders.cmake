# Folders that were named absolutely (Nix and Guix do) become relative to the prefix: everything installed finds the rest from its own place.
# SPDX-License-Identifier: BSD-3-Clause
foreach(kind BINDIR LIBDIR INCLUDEDIR DATADIR MANDIR DOCDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
    file(RELATIVE_PATH CMAKE_INSTALL_${kind} "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_${kind}}")
  endif()
endforeach()
