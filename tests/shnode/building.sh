# Building shnode by hand, and its header under several standards.
# SPDX-License-Identifier: BSD-3-Clause

# Its folder and the one header that it shares with the rest are all that it needs.
the_makefile_builds_the_library() {
  command -v make >/dev/null || { echo "make is not installed"; exit 77; }
  cp -r "$SOURCE_TREE/shnode" "$SOURCE_TREE/base" "$scratch"
  expect_status 0 make -C "$scratch/shnode" OSHCC="$BUILD_TREE/bin/oshcc" CFLAGS=-O1
  expect [ -s "$scratch/shnode/libshnode.a" ]
  expect_status 0 "$BUILD_TREE/bin/oshcc" -shared -Wl,--whole-archive "$scratch/shnode/libshnode.a" -Wl,--no-whole-archive -o "$scratch/a_library_of_the_user.so"
}

the_makefile_does_not_keep_the_library_of_another_compiler() {
  command -v make >/dev/null || { echo "make is not installed"; exit 77; }
  cp -r "$SOURCE_TREE/shnode" "$SOURCE_TREE/base" "$scratch"
  touch "$scratch/shnode/libshnode.a"
  mkdir "$scratch/empty"
  expect_status 2 env TMPDIR="$scratch/empty" make -C "$scratch/shnode" OSHCC=/no/such/oshcc
  expect [ -z "$(ls "$scratch/empty")" ]
}

a_build_folder_serves_one_openshmem() {
  expect_status 0 cmake -S "$SOURCE_TREE/shnode" -B "$scratch/folder" "-DSHNODE_OSHCC=$BUILD_TREE/bin/oshcc"
  expect_status 1 cmake -S "$SOURCE_TREE/shnode" -B "$scratch/folder" -DSHNODE_OSHCC=another
  expect grep -q "this build folder is for" "$scratch/err"
}

another_project_may_contain_it() {
  printf 'cmake_minimum_required(VERSION 3.16)\nproject(mine C)\nadd_subdirectory("%s/shnode" shnode)\n' "$SOURCE_TREE" >"$scratch/CMakeLists.txt"
  expect_status 0 env CC="$BUILD_TREE/bin/oshcc" cmake -S "$scratch" -B "$scratch/folder"
}

# As for another OpenSHMEM: with a header that is not Atrium's. It would store past PEs that sleep and wait to be woken.
a_library_for_another_openshmem_does_not_link() {
  command -v make >/dev/null || { echo "make is not installed"; exit 77; }
  cp -r "$SOURCE_TREE/shnode" "$SOURCE_TREE/base" "$scratch"
  printf '#include <shnode.h>\nint main(void) { return shnode_init(); }\n' >"$scratch/mine.c"
  expect_status 0 make -C "$scratch/shnode" CFLAGS=-O0 OSHCC="cc -DOLDER_MINOR=4 -I$SOURCE_TREE/tests/shnode/older -I$BUILD_TREE/include"
  expect_status 1 "$BUILD_TREE/bin/oshcc" -I"$scratch/shnode/include" "$scratch/mine.c" "$scratch/shnode/libshnode.a" -o "$scratch/mine"
  expect grep -q shnode_init_over_atrium "$scratch/err"
}

the_header_serves_c99_and_cxx() {
  echo '#include <shnode.h>' >"$scratch/alone.c"
  cp "$scratch/alone.c" "$scratch/alone.cpp"
  local standard
  for standard in c99 c11 gnu17; do
    expect_status 0 "$BUILD_TREE/bin/oshcc" -std=$standard -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Werror -fsyntax-only -I"$SOURCE_TREE/shnode/include" "$scratch/alone.c"
  done
  for standard in c++11 c++17 c++20; do
    expect_status 0 "$BUILD_TREE/bin/oshc++" -std=$standard -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Werror -fsyntax-only -I"$SOURCE_TREE/shnode/include" "$scratch/alone.cpp"
  done
}
