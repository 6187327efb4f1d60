// Which processor this is, as far as a choice depends on it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

struct Processor {
  bool amd = false;
  bool intel = false;
  unsigned family = 0;  // as the vendor counts: extended family included
  unsigned model = 0;   // extended model included
  bool sse2 = false;
  bool avx2 = false;         // and the kernel saves its registers
  bool avx512f = false;      // the same
  bool avx512bw = false;     // the same, and bytes of such a register can be moved
  bool short_movsb = false;  // FSRM: `rep movsb` is fast, also for short blocks
  bool sve = false;          // AArch64: vectors of any length
  bool aes = false;          // instructions for AES and for products without carry
  bool vaes = false;         // the same on two blocks at once, with AVX2
};

Processor this_processor();

}  // namespace atrium
