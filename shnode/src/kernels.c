/* The loops of the reductions, which the compiler turns into vector instructions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kernels.h"

#define SN_DEFINE_KERNEL(op, name, type, arg)                                       \
  void SN_KERNEL(op, name)(void* out, const void* a, const void* b, size_t count) { \
    type* o = out;                                                                  \
    const type *x = a, *y = b;                                                      \
    for (size_t i = 0; i < count; i++) o[i] = (type)SN_COMBINE_##op(x[i], y[i]);    \
  }
SN_ALL_REDUCTIONS(SN_DEFINE_KERNEL, 0)
