/* Colours for temperatures: from black over violet, red and orange to pale yellow, in even steps of
 * lightness.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Chosen in the OKLCh space, where equal steps look equal: lightness rises in a straight line, so that the
 * picture also reads in grey and for colour-blind eyes, while the hue turns and the chroma is largest in the
 * middle. */
#include <math.h>

#include "heat.h"

static unsigned char encode(double linear) {
  double clipped = linear < 0 ? 0 : linear > 1 ? 1 : linear;
  double srgb = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * pow(clipped, 1 / 2.4) - 0.055;
  return (unsigned char)(srgb * 255 + 0.5);
}

static double cube(double x) { return x * x * x; }

/* OKLab to sRGB; the matrices are those of the space's definition. */
static void convert(double lightness, double a, double b, unsigned char rgb[3]) {
  double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  rgb[0] = encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  rgb[1] = encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  rgb[2] = encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

void colour(double temperature, unsigned char rgb[3]) {
  double t = temperature < 0 ? 0 : temperature > 1 ? 1 : temperature;
  double lightness = 0.13 + 0.84 * t;
  double hue = -1.35 + 3.2 * t;                                  /* radians: violet, red, orange, yellow */
  double chroma = 0.05 + 0.62 * t * (1 - t) * (1.15 - 0.35 * t); /* most in the middle */
  convert(lightness, chroma * cos(hue), chroma * sin(hue), rgb);
}
