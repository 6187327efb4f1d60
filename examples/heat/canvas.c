/* A picture in memory: pixels, rectangles, and words in a font of 3 x 5 dots.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <string.h>

#include "heat.h"

/* Fifteen bits for each glyph, top row first, three to a row. */
static const unsigned short LETTERS[26] = {
    0x2BED, 0x6BAE, 0x3923, 0x6B6E, 0x79A7, 0x79A4, 0x396B, 0x5BED, 0x7497, 0x126A, 0x5BAD, 0x4927, 0x5FED,
    0x6B6D, 0x2B6A, 0x6BA4, 0x2B51, 0x6BAD, 0x388E, 0x7492, 0x5B6F, 0x5B6A, 0x5BFD, 0x5AAD, 0x5A92, 0x72A7};
static const unsigned short DIGITS[10] = {0x7B6F, 0x2C97, 0x62A7, 0x628E, 0x5BC9,
                                          0x798E, 0x39EF, 0x7292, 0x7BEF, 0x7BCE};

Canvas create_canvas(int width, int height) {
  return (Canvas){width, height, allocate((size_t)width * 3, (size_t)height)};
}

void fill(Canvas* canvas, int left, int top, int width, int height, const unsigned char rgb[3]) {
  for (int y = top; y < top + height; y++)
    for (int x = left; x < left + width; x++)
      memcpy(canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x), rgb, 3);
}

static unsigned glyph(char character) {
  if (isdigit((unsigned char)character)) return DIGITS[character - '0'];
  if (isalpha((unsigned char)character)) return LETTERS[toupper((unsigned char)character) - 'A'];
  return 0;
}

void write_text(Canvas* canvas, int left, int top, int dot, const char* text, const unsigned char rgb[3]) {
  for (; *text != '\0' && left + 3 * dot <= canvas->width; text++, left += 4 * dot)
    for (int bit = 0; bit < 15; bit++)
      if (glyph(*text) >> (14 - bit) & 1)
        fill(canvas, left + bit % 3 * dot, top + bit / 3 * dot, dot, dot, rgb);
}
