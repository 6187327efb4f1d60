# What C++ hands out and makes by itself: memory that another thread had before, and static variables of functions.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317
. "$SOURCE_TREE/tests/race/programs.sh"

# with_each_compiler STATUS OPTION...: p.cpp, and that nothing is said where the status is 0.
function with_each_compiler {
  local compiler status=$1; shift
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    OSHCXX_CXX=$compiler "$BUILD_TREE/bin/oshcxx" -std=c++17 -g -O1 -pthread -fatrium-race "$@" "$scratch/p.cpp" -o "$scratch/p" || { complain "$compiler does not compile it"; continue; }
    expect_status "$status" checked -n 1 "$scratch/p"
    if [ "$status" = 0 ]; then expect [ ! -s "$scratch/err" ]; else says 'race: PE 0 stores'; fi
  done
}
# Blocks of a size that the C library keeps for no thread. The threads are ordered by a pipe, of which the check knows nothing.
function write_reuse {
  cat >"$scratch/p.cpp" <<'END'
#include <malloc.h>
#include <shmem.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>
constexpr size_t size = 100000;
static int from[2], to[2];
static void tell(int way[2]) { char none = 0; if (write(way[1], &none, 1) != 1) std::abort(); }
static void hear(int way[2]) { char none; if (read(way[0], &none, 1) != 1) std::abort(); }
#ifdef REPLACED
static long made;
void *operator new(size_t bytes) {
  made++;
  void *block = std::malloc(bytes);
  return block ? block : throw std::bad_alloc();
}
void operator delete(void *block) noexcept { std::free(block); }
void operator delete(void *block, size_t) noexcept { std::free(block); }
#endif
struct alignas(64) Wide {
  char text[size];
  char &operator[](size_t i) { return text[i]; }
};
static char &cell(char *text) { return text[64]; }
template <class Text> static char &cell(Text *text) { return (*text)[64]; }
template <class Make, class End> static void hand_on(Make make, End end) {
  auto *first = make();
  std::thread other([&] { cell(first) = 1; end(first); tell(from); hear(to); });
  hear(from);
  auto *second = make();
  cell(second) = 2;
  end(second);
  tell(to);
  other.join();
}
int main() {
  shmem_init();
  if (pipe(from) != 0 || pipe(to) != 0) return 1;
#ifdef RACY
  hand_on([] { static char *same = new char[size]; return same; }, [](char *) {});
#endif
  auto end = [](auto *block) { delete block; };
  auto end_array = [](char *block) { delete[] block; };
  auto give_back = [](char *block) { std::free(block); };
  hand_on([] { return new char[size]; }, end_array);
  hand_on([] { return new (std::nothrow) char[size]; }, end_array);
  hand_on([] { return new Wide; }, end);
  hand_on([] { return new (std::nothrow) Wide; }, end);
  hand_on([] { return new std::string(size, 'a'); }, end);
  static const std::string text(size, 'a');
  hand_on([] { return strdup(text.c_str()); }, give_back);
  hand_on([] { return strndup(text.c_str(), size - 9); }, give_back);
  hand_on([] { return static_cast<char *>(memalign(64, size)); }, give_back);
  hand_on([] { return static_cast<char *>(reallocarray(nullptr, size / 4, 4)); }, give_back);
  hand_on([] { return static_cast<char *>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)); },
          [](char *block) { munmap(block, size); });
#ifdef REPLACED
  if (made == 0) return 2;
#endif
  shmem_finalize();
}
END
}
memory_that_another_thread_had_is_new() { write_reuse; with_each_compiler 0; }
memory_of_an_operator_that_the_program_has_replaced_is_new() { write_reuse; with_each_compiler 0 -DREPLACED; }
memory_of_a_library_that_is_part_of_the_program_is_new() { write_reuse; with_each_compiler 0 -static-libstdc++; }
memory_that_two_threads_have_at_a_time_is_not_new() { write_reuse; with_each_compiler 66 -DRACY; }
an_allocation_that_fails_is_caught_by_the_program() {
  printf '%s\n' '#include <shmem.h>' '#include <new>' 'int main() {' '  shmem_init();' '  int caught = 0;' '  volatile size_t most = ~size_t{0} / 4;' \
    '  try { ::operator delete(::operator new(most)); } catch (const std::bad_alloc &) { caught++; }' \
    '  try { ::operator delete(::operator new(most, std::align_val_t{64}), std::align_val_t{64}); } catch (const std::bad_alloc &) { caught++; }' \
    '  shmem_finalize();' '  return caught == 2 ? 0 : 1;' '}' >"$scratch/p.cpp"
  with_each_compiler 0
}
# The second thread finds the variable made, or waits until it is; what an initialisation that throws has written comes before the next one.
who_makes_a_static_variable_comes_before_who_uses_it() {
  cat >"$scratch/p.cpp" <<'END'
#include <shmem.h>
#include <thread>
static int tries;
struct Table {
  int cells[100];
  Table() {
    for (int i = 0; i < 100; i++) cells[i] = i;
    if (tries++ == 0) throw 1;
  }
};
static const Table &table() {
  static const Table only;
  return only;
}
static long sums[2];
static void add(int number) {
  try { table(); } catch (int) {}
  for (int i = 0; i < 100; i++) sums[number] += table().cells[i];
}
int main() {
  shmem_init();
  std::thread one(add, 0), another(add, 1);
  one.join();
  another.join();
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 2; i++) {
    static const Table later;
    sums[i] += later.cells[i] + later.cells[50];
  }
  shmem_finalize();
}
END
  with_each_compiler 0
  echo 'int main() {}' >"$scratch/empty.cpp"
  "$BUILD_TREE/bin/oshcxx" -fopenmp "$scratch/empty.cpp" -o "$scratch/p" 2>/dev/null || return 0
  OSHCXX_CXX=g++ "$BUILD_TREE/bin/oshcxx" -g -O1 -pthread -fopenmp -fatrium-race "$scratch/p.cpp" -o "$scratch/p" || skip "gcc has no OpenMP"
  expect_status 0 checked -n 1 "$scratch/p"; expect [ ! -s "$scratch/err" ]
}
