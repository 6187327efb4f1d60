/* A word that its reader clears stays clear: a put of one element, whose number the compiler does not know, stores it once. Some
 * memcpys copy 4 or 8 bytes by two stores to the same place, and between them the reader has seen and cleared the word.
 *
 * Litmus: SYNC get amo wait record
 * SPDX-License-Identifier: BSD-3-Clause */
#include "litmus.h"

enum { LOOKS = 40 };

static long word;
static int half;
static long ready;

/* Whether it has come back after it was cleared. */
#define COMES_BACK(place)                                                                                 \
  __extension__({                                                                                         \
    int back = 0;                                                                                         \
    *(volatile __typeof__(place)*)&(place) = 0;                                                           \
    for (int look = 0; look < LOOKS && !back; ++look) back = *(volatile __typeof__(place)*)&(place) != 0; \
    *(volatile __typeof__(place)*)&(place) = 0;                                                           \
    back;                                                                                                 \
  })

int main(int count_of_arguments, char** arguments) {
  (void)arguments;
  const size_t one = (size_t)count_of_arguments;
  const long value = -1, all = test_rounds(50000);
  const int narrow = -1;
  long words_back = 0, halves_back = 0;
  begin();
  for (long round = 1; round <= all && i_have_a_partner(); ++round) {
    const int is_wide = round % 2;
    if (i_write() && is_wide) shmem_long_put(&word, &value, one, partner());
    if (i_write() && !is_wide) shmem_int_put(&half, &narrow, one, partner());
    if (i_read() && is_wide) {
      shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
      words_back += COMES_BACK(word);
    }
    if (i_read() && !is_wide) {
      shmem_int_wait_until(&half, SHMEM_CMP_NE, 0);
      halves_back += COMES_BACK(half);
    }
    meet(&ready, round);
  }
  CHECK(words_back == 0, "%ld of %ld words of 8 bytes came back", words_back, all);
  CHECK(halves_back == 0, "%ld of %ld words of 4 bytes came back", halves_back, all);
  return end();
}
