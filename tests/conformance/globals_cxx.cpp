// C++ objects with constructors that ran before shmem_init are symmetric and whole.
// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

int failures = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "PE %d: %s\n", shmem_my_pe(), what);
}

struct Counter {
  long value;
  Counter() : value(4711) {}
  ~Counter() { value = 0; }
};

Counter constructed;
std::string text = "a string that is too long to be stored inside the object itself";
std::vector<int> numbers = {1, 2, 3};
std::map<int, std::string> names = {{1, "one"}, {2, "two"}};

long& function_static() {
  static long value = 99;
  return value;
}

template <class T>
struct Holder {
  static T member;
};
template <class T>
T Holder<T>::member = 7;
inline long inline_variable = 8;

void objects_survive_init() {
  check(constructed.value == 4711, "a constructed object keeps its value");
  check(text.size() == 63 && text.substr(2, 6) == "string", "a string keeps its text");
  check(numbers.size() == 3 && names.at(2) == "two", "containers keep their elements");
  numbers.push_back(4);
  names[3] = "three";
  text += " and can grow";
  check(numbers.back() == 4 && names.size() == 3 && text.size() == 76, "containers can grow");
}

void is_symmetric(long& object, const char* what) {
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  shmem_barrier_all();
  shmem_long_p(&object, 1000 + me, (me + 1) % npes);
  shmem_barrier_all();
  check(object == 1000 + (me + npes - 1) % npes, what);
  shmem_barrier_all();
}

}  // namespace

int main() {
  function_static() = 98;
  shmem_init();
  objects_survive_init();
  check(function_static() == 98, "a function's static keeps its value");
  is_symmetric(constructed.value, "a member of an object");
  is_symmetric(function_static(), "a static of a function");
  is_symmetric(Holder<long>::member, "a static of a template");
  is_symmetric(inline_variable, "an inline variable");
  shmem_finalize();
  check(names.at(1) == "one", "containers survive finalize");
  return failures != 0;
}
