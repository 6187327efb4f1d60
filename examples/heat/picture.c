/* heat.png: the plate at the start and at the end, side by side, and the scale of colours.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "heat.h"

enum {
  LONGER_SIDE = 960,
  MARGIN = 28,
  BAR = 16,
  DOT = 3,
  TOP = MARGIN + 5 * DOT + 13 /* room for the captions */
};

static const unsigned char PAPER[3] = {16, 18, 24}, INK[3] = {196, 202, 212}, STONE[3] = {74, 84, 100};

/* How the plate is drawn: small ones enlarged, large ones thinned out. */
typedef struct {
  int width, height, magnify, skip;
  const Scene* scene;
} Panel;

static Panel fit_panel(const Scene* scene) {
  int longer = scene->width > scene->height ? scene->width : scene->height;
  int magnify = longer < LONGER_SIDE ? LONGER_SIDE / longer : 1;
  int skip = (longer + LONGER_SIDE - 1) / LONGER_SIDE;
  int width = (scene->width + skip - 1) / skip * magnify;
  int height = (scene->height + skip - 1) / skip * magnify;
  return (Panel){width, height, magnify, skip, scene};
}

static void mix(unsigned char rgb[3], const unsigned char other[3], double share) {
  for (int i = 0; i < 3; i++) rgb[i] = (unsigned char)(rgb[i] + share * (other[i] - rgb[i]));
}

/* What insulates is drawn as stone. */
static void draw_cell(Canvas* canvas, const Panel* panel, const double* field, int x, int y, int left,
                      int top) {
  unsigned char rgb[3];
  double insulation = 1 - conductivity(panel->scene, x, y);
  colour(field[(size_t)y * (size_t)panel->scene->width + (size_t)x], rgb);
  mix(rgb, STONE, insulation * insulation);
  fill(canvas, left + x / panel->skip * panel->magnify, top + y / panel->skip * panel->magnify,
       panel->magnify, panel->magnify, rgb);
}

static void draw_panel(Canvas* canvas, const Panel* panel, const double* field, int left,
                       const char* caption) {
  write_text(canvas, left, MARGIN, DOT, caption, INK);
  for (int y = 0; y < panel->scene->height; y += panel->skip)
    for (int x = 0; x < panel->scene->width; x += panel->skip)
      draw_cell(canvas, panel, field, x, y, left, TOP);
}

static void draw_scale(Canvas* canvas, int left, int height) {
  for (int y = 0; y < height; y++) {
    unsigned char rgb[3];
    colour(1 - (y + 0.5) / height, rgb);
    fill(canvas, left, TOP + y, BAR, 1, rgb);
  }
}

static double* initial_field(const Scene* scene) {
  double* field = allocate((size_t)scene->width * (size_t)scene->height, sizeof *field);
  for (int y = 0; y < scene->height; y++)
    for (int x = 0; x < scene->width; x++)
      field[(size_t)y * (size_t)scene->width + (size_t)x] = initial_temperature(scene, x, y);
  return field;
}

void write_picture(const char* path, const Scene* scene, const double* final, int steps) {
  Panel panel = fit_panel(scene);
  Canvas canvas = create_canvas(2 * panel.width + 4 * MARGIN + BAR, panel.height + TOP + MARGIN);
  double* initial = initial_field(scene);
  char caption[40];
  snprintf(caption, sizeof caption, "after %d steps", steps);
  fill(&canvas, 0, 0, canvas.width, canvas.height, PAPER);
  draw_panel(&canvas, &panel, initial, MARGIN, "start");
  draw_panel(&canvas, &panel, final, 2 * MARGIN + panel.width, caption);
  draw_scale(&canvas, 3 * MARGIN + 2 * panel.width, panel.height);
  write_image(path, canvas.width, canvas.height, canvas.rgb);
  free(initial);
  free(canvas.rgb);
}
