/* Writes one test picture, rings and a ramp in grey, as any kind of PNG: the pixels mean the same in all
 * kinds.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: make_image KIND WIDTH HEIGHT FILE      KIND: grey8 grey16 greyalpha rgb8 rgb16 rgba palette
 * interlaced black */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char* name;
  int colour, depth, channels, interlace;
} Kind;

static const Kind kinds[] = {{"grey8", PNG_COLOR_TYPE_GRAY, 8, 1, PNG_INTERLACE_NONE},
                             {"grey16", PNG_COLOR_TYPE_GRAY, 16, 1, PNG_INTERLACE_NONE},
                             {"greyalpha", PNG_COLOR_TYPE_GRAY_ALPHA, 8, 2, PNG_INTERLACE_NONE},
                             {"rgb8", PNG_COLOR_TYPE_RGB, 8, 3, PNG_INTERLACE_NONE},
                             {"rgb16", PNG_COLOR_TYPE_RGB, 16, 3, PNG_INTERLACE_NONE},
                             {"rgba", PNG_COLOR_TYPE_RGB_ALPHA, 8, 4, PNG_INTERLACE_NONE},
                             {"palette", PNG_COLOR_TYPE_PALETTE, 8, 1, PNG_INTERLACE_NONE},
                             {"interlaced", PNG_COLOR_TYPE_RGB, 8, 3, PNG_INTERLACE_ADAM7},
                             {"black", PNG_COLOR_TYPE_GRAY, 8, 1, PNG_INTERLACE_NONE}};

static const Kind* find_kind(const char* name) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  fprintf(stderr, "make_image: no kind %s\n", name);
  exit(2);
}

static unsigned char grey(const Kind* kind, int x, int y, int width, int height) {
  if (strcmp(kind->name, "black") == 0) return 0;
  int dx = 2 * x - width, dy = 2 * y - height;
  return (dx * dx + dy * dy) / 200 % 2 ? 255 : (unsigned char)(x * 255 / width);
}

static void fill_row(const Kind* kind, int y, int width, int height, png_byte* row) {
  for (int x = 0; x < width; x++)
    for (int channel = 0; channel < kind->channels; channel++) {
      int is_alpha = (kind->colour & PNG_COLOR_MASK_ALPHA) && channel == kind->channels - 1;
      unsigned char value = is_alpha ? 255 : grey(kind, x, y, width, height);
      for (int byte = 0; byte < kind->depth / 8; byte++)
        *row++ = value; /* 0xabab of 0xffff is 0xab of 0xff */
    }
}

static void set_palette(png_structp png, png_infop info) {
  png_color palette[256];
  for (int i = 0; i < 256; i++) palette[i] = (png_color){(png_byte)i, (png_byte)i, (png_byte)i};
  png_set_PLTE(png, info, palette, 256);
}

static void write_rows(png_structp png, const Kind* kind, int width, int height) {
  png_byte* row = malloc((size_t)width * 8);
  int passes = png_set_interlace_handling(png);
  for (int pass = 0; pass < passes; pass++)
    for (int y = 0; y < height; y++) {
      fill_row(kind, y, width, height, row);
      png_write_row(png, row);
    }
  free(row);
}

int main(int count, char** arguments) {
  if (count != 5) return 2;
  const Kind* kind = find_kind(arguments[1]);
  int width = atoi(arguments[2]), height = atoi(arguments[3]);
  FILE* file = fopen(arguments[4], "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, kind->depth, kind->colour, kind->interlace,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (kind->colour == PNG_COLOR_TYPE_PALETTE) set_palette(png, info);
  png_write_info(png, info);
  write_rows(png, kind, width, height);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return fclose(file) == 0 ? 0 : 1;
}
