/* Picture files: any PNG in, as grey; a coloured PNG out. Without libpng none is read, and what is written is not compressed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heat.h"

#if __has_include(<png.h>) && !defined(HEAT_WITHOUT_LIBPNG)

#include <png.h>

Image read_image(const char* path) {
  png_image png = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_file(&png, path)) fail("cannot read %s: %s", path, png.message);
  png.format = PNG_FORMAT_GRAY;
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB; /* sixteen bits mean the same grey as eight */
  Image image = {.width = (int)png.width, .height = (int)png.height, .grey = allocate(png.width, png.height)};
  png_color black = {0, 0, 0}; /* what shows through transparent pixels */
  if (!png_image_finish_read(&png, &black, image.grey, 0, NULL) || png.warning_or_error != 0)
    fail("cannot read %s: %s", path, png.message);
  return image;
}

void write_image(const char* path, int width, int height, const unsigned char* rgb) {
  png_image png = {.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB};
  png.width = (png_uint_32)width;
  png.height = (png_uint_32)height;
  if (!png_image_write_to_file(&png, path, 0, rgb, 0, NULL)) fail("cannot write %s: %s", path, png.message);
}

#else

Image read_image(const char* path) {
  fail("cannot read %s: heat was compiled without libpng (Debian: libpng-dev)", path);
  return (Image){0};
}

static unsigned char* put_number(unsigned char* to, uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) *to++ = (unsigned char)(number >> shift);
  return to;
}

static uint32_t add_to_crc(uint32_t crc, const unsigned char* bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return crc;
}

/* A chunk: the length of its data, its type in the four bytes before them, the data, a checksum of type and data. */
static void write_chunk(FILE* file, const unsigned char* typed, size_t length) {
  unsigned char number[4];
  put_number(number, (uint32_t)length);
  fwrite(number, 1, 4, file);
  fwrite(typed, 1, length + 4, file);
  put_number(number, ~add_to_crc(~0u, typed, length + 4));
  fwrite(number, 1, 4, file);
}

static void write_header(FILE* file, int width, int height) {
  unsigned char chunk[4 + 13] = "IHDR",
                          *rest = put_number(put_number(chunk + 4, (uint32_t)width), (uint32_t)height);
  rest[0] = 8; /* bits a colour */
  rest[1] = 2; /* red, green, blue */
  fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
  write_chunk(file, chunk, 13);
}

/* A zlib stream of stored blocks, one for each row, with a checksum (Adler's) of all rows at its end. */
static void write_rows(FILE* file, size_t row, int height, const unsigned char* rgb) {
  const size_t block = row + 1; /* a row begins with its filter, none; Requires: less than 64 KiB */
  unsigned char *chunk = allocate(4 + 2 + 5 + block + 4, 1), end[4 + 4] = "IDAT";
  uint32_t low = 1, high = 0;
  for (int y = 0; y < height; y++) {
    unsigned char* to = memcpy(chunk, "IDAT", 4);
    to += 4;
    if (y == 0) *to++ = 0x78, *to++ = 1;
    *to++ = y == height - 1; /* the last block? */
    *to++ = block & 255, *to++ = (unsigned char)(block >> 8);
    *to++ = ~block & 255, *to++ = (unsigned char)(~block >> 8);
    *to = 0;
    memcpy(to + 1, rgb + (size_t)y * row, row);
    for (size_t i = 0; i < block; i++) low = (low + to[i]) % 65521, high = (high + low) % 65521;
    write_chunk(file, chunk, (size_t)(to - chunk) - 4 + block);
  }
  put_number(end + 4, high << 16 | low);
  write_chunk(file, end, 4);
  free(chunk);
}

void write_image(const char* path, int width, int height, const unsigned char* rgb) {
  FILE* file = fopen(path, "wb");
  if (!file) fail("cannot write %s: %s", path, strerror(errno));
  write_header(file, width, height);
  write_rows(file, (size_t)width * 3, height, rgb);
  write_chunk(file, (const unsigned char*)"IEND", 0);
  const int failed = ferror(file);
  if (fclose(file) != 0 || failed) fail("cannot write %s: %s", path, strerror(errno));
}

#endif

static double pixel(const Image* image, int x, int y) {
  x = x < 0 ? 0 : x >= image->width ? image->width - 1 : x;
  y = y < 0 ? 0 : y >= image->height ? image->height - 1 : y;
  return image->grey[(size_t)y * (size_t)image->width + (size_t)x] / 255.0;
}

/* Bilinear, with pixels as squares: a grid of the image's own size gets exactly its pixels. */
double sample_image(const Image* image, double x, double y) {
  double column = x * image->width - 0.5, row = y * image->height - 0.5;
  int left = (int)(column + 1) - 1, top = (int)(row + 1) - 1; /* rounds down, from -0.5 on */
  double right = column - left, below = row - top;
  double upper = (1 - right) * pixel(image, left, top) + right * pixel(image, left + 1, top);
  double lower = (1 - right) * pixel(image, left, top + 1) + right * pixel(image, left + 1, top + 1);
  return (1 - below) * upper + below * lower;
}
