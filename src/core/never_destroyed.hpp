// Objects that are never destroyed, because the program's own destructors may still call the library.
// SPDX-License-Identifier: BSD-3-Clause
//
// Constructors and destructors of a program's global objects may call the library. Where it is linked in
// statically it is unknown whether they run before or after those of the library's objects: so none of its own
// may need any.
#pragma once

#include <cstddef>

// Before the definition of a static object that has a vector. The vector of gcc 11's library cannot be made by the
// compiler: there the object is made before the program's own constructors run.
#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 12
#define ATRIUM_CONSTINIT_VECTOR __attribute__((init_priority(101)))
#else
#define ATRIUM_CONSTINIT_VECTOR constinit
#endif

namespace atrium {

// A static object that is there from the beginning (declare it constinit; with a vector, ATRIUM_CONSTINIT_VECTOR) and
// is never destroyed. What cannot be made before the program runs is made at its first use, behind a reference:
// `static auto& all = *new Set`. Where several threads may be the first, they hold a lock: a program's own thread
// sanitizer sees locks, but not what else lets one thread make the object.
template <class T>
union NeverDestroyed {
  constexpr NeverDestroyed() : object() {}
  constexpr ~NeverDestroyed() {}
  T object;
};

// One whose address programs know. Their linker may move it into the executable (a copy relocation), with the size
// that it had on that day: so it has room to grow.
template <class T, size_t Room>
union Exported {
  template <class... Values>
  constexpr explicit Exported(Values... values) : object{values...} {}
  constexpr ~Exported() {}
  T object;
  std::byte room[Room];
  static_assert(sizeof(T) <= Room, "a larger object needs another public name");
};

}  // namespace atrium
