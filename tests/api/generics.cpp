// The same calls as C++ overloads.
// SPDX-License-Identifier: BSD-3-Clause
#include "generics.c"
