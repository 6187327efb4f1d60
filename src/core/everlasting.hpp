// Objects that outlive the program's own.
// SPDX-License-Identifier: BSD-3-Clause
//
// Constructors and destructors of a program's global objects may call the library. Where it is linked in
// statically nobody knows whether they run before or after those of the library's objects: so none of its own
// may need any.
#pragma once

namespace atrium {

// A static object that is there from the beginning (declare it constinit) and is never destroyed. What cannot
// be made before the program runs is made at its first use, behind a reference: `static auto& all = *new Set`.
template <class T>
union Everlasting {
  constexpr Everlasting() : object() {}
  constexpr ~Everlasting() {}
  T object;
};

}  // namespace atrium
