/* The state at the beginning: from the user's images, or hot discs in a maze.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "heat.h"

enum { DEFAULT_WIDTH = 480, DEFAULT_HEIGHT = 320, ROOMS = 20 /* along the shorter side */ };

/* Four faces let out less than a cell holds: the explicit step is stable up to 1/4 each. */
static const double STABLE = 0.24;

static double largest_conductivity(const Image* image) {
  if (image->grey == NULL) return 1;
  int largest = 0;
  for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++)
    if (image->grey[i] > largest) largest = image->grey[i];
  return largest / 255.0;
}

static void choose_size(Scene* scene, const Options* options) {
  const Image* image = scene->temperature.grey ? &scene->temperature : &scene->conductivity;
  scene->width = image->grey ? image->width : DEFAULT_WIDTH;
  scene->height = image->grey ? image->height : DEFAULT_HEIGHT;
  if (options->width > 0) scene->width = options->width;
  if (options->height > 0) scene->height = options->height;
}

Scene create_scene(const Options* options) {
  Scene scene = {0};
  if (options->temperature) scene.temperature = read_image(options->temperature);
  if (options->conductivity) scene.conductivity = read_image(options->conductivity);
  choose_size(&scene, options);
  double largest = largest_conductivity(&scene.conductivity);
  if (largest == 0) fail("%s is all black: nothing conducts", options->conductivity);
  scene.unit = STABLE / largest;
  return scene;
}

void destroy_scene(Scene* scene) {
  free(scene->temperature.grey);
  free(scene->conductivity.grey);
}

static double shorter_side(const Scene* scene) {
  return scene->width < scene->height ? scene->width : scene->height;
}

/* Distance of a cell from a point given in parts of the plate, in shorter sides. */
static double distance_from(const Scene* scene, int x, int y, double across, double down) {
  return hypot(x + 0.5 - across * scene->width, y + 0.5 - down * scene->height) / shorter_side(scene);
}

static double hot_shapes(const Scene* scene, int x, int y) {
  double middle = distance_from(scene, x, y, 0.36, 0.52);
  if (middle < 0.17) return 1;
  if (middle > 0.27 && middle < 0.41) return 0.8;
  if (distance_from(scene, x, y, 0.80, 0.27) < 0.20) return 0.95;
  if (distance_from(scene, x, y, 0.78, 0.79) < 0.13) return 0.65;
  return 0;
}

double initial_temperature(const Scene* scene, int x, int y) {
  if (scene->temperature.grey == NULL) return hot_shapes(scene, x, y);
  return sample_image(&scene->temperature, (x + 0.5) / scene->width, (y + 0.5) / scene->height);
}

/* A maze by default, but a user's picture of temperatures alone is of a plain plate. */
double conductivity(const Scene* scene, int x, int y) {
  if (scene->conductivity.grey != NULL)
    return sample_image(&scene->conductivity, (x + 0.5) / scene->width, (y + 0.5) / scene->height);
  if (scene->temperature.grey != NULL) return 1;
  double room = shorter_side(scene) / ROOMS;
  return maze_conductivity((x + 0.5) / room, (y + 0.5) / room);
}
