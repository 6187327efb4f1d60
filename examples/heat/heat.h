/* The heat equation on a plate, by all PEs together: the nouns and who does what with them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The temperature u of a plate with conductivity k changes as  du/dt = div(k grad u).  The plate is cut into
 * cells, and the cells into one block per PE. In each step the PEs exchange the edges of their blocks
 * (exchange.c), then each advances its own cells (plate.c). No heat leaves the plate, and two cells touch
 * through the harmonic mean of their conductivities, so that a wall of conductivity zero stops heat.
 *
 *   options  what the user asked for         domain    which cells are mine, and who are my neighbours
 *   image    a picture file, in grey         plate     a block of cells, and one step of time
 *   scene    the state at the beginning      exchange  edges to the neighbours: puts with signals
 *   palette  colours for temperatures        canvas    a picture in memory, to draw in
 *   picture  heat.png: start and end         report     progress, check, speed
 *   clock    times, and who else computed
 */
#ifndef HEAT_H
#define HEAT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int width, height; /* cells; 0: as the images say, or the default */
  int steps;
  bool check; /* repeat the run on one PE and compare */
  bool live;  /* progress is one line that changes, not a line now and then */
  bool help;
  const char *temperature, *conductivity; /* files, or NULL: the built-in scene */
  const char* output;
} Options;

typedef struct {
  int width, height;
  unsigned char* grey; /* height rows of width pixels, 0 black to 255 white; NULL: no image */
} Image;

typedef struct {
  int width, height;
  Image temperature, conductivity;
  double unit; /* what a face of conductivity 1 lets pass in one step: as much as is stable */
} Scene;

enum Side { NORTH, SOUTH, WEST, EAST, SIDES };

typedef struct {
  int columns, rows;         /* of blocks; PEs beyond columns * rows have no cells */
  int x, y, width, height;   /* my block: its first cell and its size */
  int max_width, max_height; /* of any block */
  int neighbour[SIDES];      /* PE, or -1 at the rim of the plate */
  int neighbour_height;      /* of the block to the north: where my first row belongs */
} Domain;

/* A block with a rim of halo cells. The arrays have the shape of the largest block, so that they are
 * symmetric. Cell (x, y) is at [(y + 1) * stride + x + 1]. The steps alternate between two fields. */
typedef struct {
  int width, height;
  size_t stride;
  double* field[2];
  double *right, *below; /* what the face to the right of a cell, and below it, lets pass */
} Plate;

typedef struct {
  int width, height;
  unsigned char* rgb; /* height rows of width pixels of three bytes */
} Canvas;

typedef struct {
  double total, communication; /* seconds of this PE */
  double computed;             /* CPU seconds of this PE */
  double machine;              /* CPU seconds of all that ran on its machine */
} Times;

/* What PE 0 knows at the end. */
typedef struct {
  int busy;                 /* PEs that have cells */
  double seconds;           /* of the parallel run */
  double share, most_share; /* of it that went into communication: the mean, and the most of a PE */
  double others;            /* CPU seconds of other programs meanwhile */
  bool disturbed;           /* by them, in one of the runs */
  bool checked, right;
  double serial_seconds;
} Outcome;

/* options.c */
Options parse_options(int count, char** arguments); /* ends the job when they make no sense */
void print_usage(void);
void fail(const char* format, ...)
    __attribute__((format(printf, 1, 2), noreturn)); /* says why and ends the job */
void claim_output(const char* path);                 /* fails before the work rather than after it */

/* clock.c, all in seconds */
double read_clock(void);
double read_own_clock(void);     /* CPU time of this PE */
double read_machine_clock(void); /* CPU time of all processes of this machine, since it started */
bool was_disturbed(double others, double wall, int ours); /* others' CPU time while so many PEs of ours ran */

/* image.c */
Image read_image(const char* path);
void write_image(const char* path, int width, int height, const unsigned char* rgb);
double sample_image(const Image* image, double x, double y); /* x and y from 0 to 1; answers 0 to 1 */

/* scene.c */
Scene create_scene(const Options* options);
void destroy_scene(Scene* scene);
double initial_temperature(const Scene* scene, int x, int y); /* 0 to 1 */
double conductivity(const Scene* scene, int x, int y);        /* 0 to 1 */
double maze_conductivity(double x, double y);                 /* maze.c; x and y in rooms */

/* domain.c */
Domain divide(int width, int height, int pes, int me);

/* plate.c */
size_t plate_cells(const Domain* domain); /* elements of each array of a plate, halo included */
Plate create_plate(const Scene* scene, const Domain* domain, double* fields); /* of two plate_cells() */
void advance(const Plate* plate, int step); /* from field[step % 2] to the other */
void destroy_plate(Plate* plate);           /* not its fields */
void* allocate(size_t count, size_t size);  /* private memory, zeroed */

/* exchange.c */
void prepare_exchange(const Domain* domain);
void exchange(const Domain* domain, const Plate* plate, int step);
void gather(const Domain* domain, const Plate* plate, int step, size_t row,
            double* whole);                          /* to PE 0; collective */
void* allocate_symmetric(size_t count, size_t size); /* not zeroed; collective */

/* canvas.c */
Canvas create_canvas(int width, int height);
void fill(Canvas* canvas, int left, int top, int width, int height, const unsigned char rgb[3]);
void write_text(Canvas* canvas, int left, int top, int dot, const char* text, const unsigned char rgb[3]);

/* palette.c, picture.c */
void colour(double temperature, unsigned char rgb[3]);
void write_picture(const char* path, const Scene* scene, const double* final, int steps);

/* report.c */
void report_start(const Options* options, const Scene* scene, const Domain* domain);
void report_progress(const Options* options, int step, double elapsed, double cells);
Outcome sum_up(const Domain* domain, Times times); /* collective */
void check_against_serial_run(const Scene* scene, int steps, const double* parallel, Outcome* outcome);
void report_end(const Scene* scene, int steps, const Outcome* outcome);

#endif
