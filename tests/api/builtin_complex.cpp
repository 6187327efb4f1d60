// Complex elements in C++: the built-in type, as the specification spells it, and that of the language.
// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

#include <complex>
#include <cstdio>

static atrium_builtin_complex_double builtin_in[2], builtin_sum[2], builtin_generic[2], builtin_scan[2];
static std::complex<double> standard_in[2], standard_sum[2];

static bool is(const void* found, double real, double imaginary) {
  const double* parts = static_cast<const double*>(found);
  return parts[0] == real && parts[1] == imaginary;
}

int main() {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  double* parts = reinterpret_cast<double*>(builtin_in);
  parts[2] = me + 1;
  parts[3] = -me;
  standard_in[1] = {me + 1.0, -1.0 * me};
  const double real = pes * (pes + 1) / 2.0, imaginary = -pes * (pes - 1) / 2.0;
  shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, builtin_sum, builtin_in, 2);
  shmem_sum_reduce(SHMEM_TEAM_WORLD, builtin_generic, builtin_in, 2);
  shmem_complexd_sum_inscan(SHMEM_TEAM_WORLD, builtin_scan, builtin_in, 2);
  shmem_sum_reduce(SHMEM_TEAM_WORLD, standard_sum, standard_in, 2);
  const bool good = is(&builtin_sum[1], real, imaginary) && is(&builtin_generic[1], real, imaginary) &&
                    is(&standard_sum[1], real, imaginary) &&
                    is(&builtin_scan[1], (me + 1) * (me + 2) / 2.0, -me * (me + 1) / 2.0);
  if (!good) std::printf("PE %d: wrong sums of complex numbers\n", me);
  shmem_finalize();
  return good ? 0 : 1;
}
