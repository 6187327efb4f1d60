# Replaces links in an installed folder, $libraries, by linker scripts that name what the links named.
# SPDX-License-Identifier: BSD-3-Clause
file(GLOB names "$ENV{DESTDIR}${libraries}/*")
foreach(name IN LISTS names)
  if(IS_SYMLINK "${name}")
    file(READ_SYMLINK "${name}" target)
    file(REMOVE "${name}")
    file(WRITE "${name}" "INPUT(${target})\n")
  endif()
endforeach()
