// The calls of generics.c, compiled as C++, so that they reach the overloads.
// SPDX-License-Identifier: BSD-3-Clause
#include "generics.c"
