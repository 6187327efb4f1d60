/* The walls of the built-in scene: one diagonal wall in each square room, leaning left or right by the toss
 * of a coin.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdint.h>

#include "heat.h"

/* The coin: the same for a room on every PE. */
static bool leans_right(int column, int row) {
  uint32_t hash = (uint32_t)column * 0x9E3779B1u ^ (uint32_t)row * 0x85EBCA77u;
  hash ^= hash >> 15;
  hash *= 0x2C1B3C6Du;
  return (hash >> 17) & 1;
}

double maze_conductivity(double x, double y) {
  double across = x - floor(x), down = y - floor(y);
  bool right = leans_right((int)x, (int)y);
  double distance = right ? fabs(across + down - 1) : fabs(across - down);
  double depth = (0.17 - distance) / 0.05; /* a wall is smooth at its edges, over about a cell */
  return depth <= 0 ? 1 : depth >= 1 ? 0 : 1 - depth;
}
