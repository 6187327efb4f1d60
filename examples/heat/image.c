/* Picture files: any PNG in, as grey; a coloured PNG out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "heat.h"

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
