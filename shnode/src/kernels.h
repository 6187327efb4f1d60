/* One loop for each operation and type: out[i] = a[i] op b[i].
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHNODE_KERNELS_H
#define SHNODE_KERNELS_H

#include "internal.h"

#define SN_COMBINE_sum(x, y) ((x) + (y))
#define SN_COMBINE_prod(x, y) ((x) * (y))
#define SN_COMBINE_min(x, y) ((y) < (x) ? (y) : (x))
#define SN_COMBINE_max(x, y) ((y) > (x) ? (y) : (x))
#define SN_COMBINE_and(x, y) ((x) & (y))
#define SN_COMBINE_or(x, y) ((x) | (y))
#define SN_COMBINE_xor(x, y) ((x) ^ (y))

/* Teams and active sets together: only the bitwise operations have other types. */
#define SN_ALL_REDUCTIONS(X, arg)  \
  SHNODE_TEAM_REDUCTIONS(X, arg)   \
  SHNODE_SIGNED_TYPES(X, and, arg) \
  SHNODE_SIGNED_TYPES(X, or, arg)  \
  SHNODE_SIGNED_TYPES(X, xor, arg)

#define SN_KERNEL(op, name) sn_kernel_##op##_##name
#define SN_DECLARE_KERNEL(op, name, type, arg) sn_kernel SN_KERNEL(op, name);
SN_ALL_REDUCTIONS(SN_DECLARE_KERNEL, 0)
#undef SN_DECLARE_KERNEL

#endif
