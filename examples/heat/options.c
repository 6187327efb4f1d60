/* What the user asked for, and what he is told when it makes no sense.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heat.h"

enum { LONGEST_SIDE = 100000, MOST_STEPS = 100000000, DEFAULT_STEPS = 12000 };

void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "heat: ");
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n");
  va_end(arguments);
  shmem_global_exit(1);
  abort(); /* not reached */
}

void claim_output(const char* path) {
  FILE* file = fopen(path, "ab");
  if (file == NULL) fail("cannot write %s: %s", path, strerror(errno));
  fclose(file);
}

void print_usage(void) {
  printf(
      "usage: heat [options] [TEMPERATURE.png [CONDUCTIVITY.png]]\n"
      "  --size WxH            cells; default: as the images, or 480x320\n"
      "  --steps N             steps of time; default 12000\n"
      "  --temperature FILE    a PNG: black is cold, white is hot (default: hot shapes)\n"
      "  --conductivity FILE   a PNG: black insulates, white conducts best (default: a maze,\n"
      "                        or a plain plate when --temperature is given)\n"
      "  --output FILE         the picture written at the end; default heat.png\n"
      "  --no-check            do not repeat the run on one PE to compare\n"
      "  --live                show the progress in one line that changes, as on a terminal\n"
      "An image of another size than the plate is resampled. A plate without --size takes the\n"
      "size of the temperature image, else of the conductivity image.\n");
}

/* The whole text is a number in this range, or the job ends. */
static int parse_number(const char* option, const char* text, int least, int most) {
  char* stop;
  errno = 0;
  long value = strtol(text, &stop, 10);
  if (stop == text || *stop != '\0' || errno != 0 || value < least || value > most)
    fail("%s %s: expected a number from %d to %d", option, text, least, most);
  return (int)value;
}

static void parse_size(Options* options, const char* value) {
  char* stop;
  long width = strtol(value, &stop, 10);
  long height = *stop == 'x' ? strtol(stop + 1, &stop, 10) : 0;
  if (*stop != '\0' || width < 1 || height < 1 || width > LONGEST_SIDE || height > LONGEST_SIDE)
    fail("--size %s: expected WxH, each from 1 to %d", value, LONGEST_SIDE);
  options->width = (int)width;
  options->height = (int)height;
}

static void take_value(Options* options, const char* name, const char* value) {
  if (value == NULL) fail("%s needs a value; see --help", name);
  if (strcmp(name, "--size") == 0) parse_size(options, value);
  if (strcmp(name, "--steps") == 0) options->steps = parse_number(name, value, 0, MOST_STEPS);
  if (strcmp(name, "--temperature") == 0) options->temperature = value;
  if (strcmp(name, "--conductivity") == 0) options->conductivity = value;
  if (strcmp(name, "--output") == 0) options->output = value;
}

static bool takes_value(const char* name) {
  static const char* const names[] = {"--size", "--steps", "--temperature", "--conductivity", "--output"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* A word without an option: the temperature first, then the conductivity. */
static void take_image(Options* options, const char* word) {
  if (word[0] == '-') fail("unknown option %s; see --help", word);
  if (options->temperature != NULL && options->conductivity != NULL)
    fail("%s is one image too many; see --help", word);
  *(options->temperature == NULL ? &options->temperature : &options->conductivity) = word;
}

Options parse_options(int count, char** arguments) {
  Options options = {
      .steps = DEFAULT_STEPS, .check = true, .live = isatty(STDOUT_FILENO), .output = "heat.png"};
  for (int i = 1; i < count; i++) {
    const char* name = arguments[i];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
      options.help = true;
    } else if (strcmp(name, "--no-check") == 0) {
      options.check = false;
    } else if (strcmp(name, "--live") == 0) {
      options.live = true;
    } else if (takes_value(name)) {
      take_value(&options, name, arguments[++i]); /* arguments end with a NULL */
    } else {
      take_image(&options, name);
    }
  }
  return options;
}
