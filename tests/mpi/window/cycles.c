// Windows that come and go by the hundred leave nothing behind: no mapping and no descriptor.
//
// Tests: SYNC window-slot
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: cycles [WINDOWS IN A BATCH]
#include <dirent.h>
#include <stdlib.h>

#include "atrium/node_window.h"
#include "expect.h"

enum { kBatches = 4 };

typedef struct {
  int mappings, descriptors;
} Use;

static int count_lines(const char* path) {
  FILE* file = fopen(path, "r");
  int lines = 0;
  for (int c = getc(file); c != EOF; c = getc(file)) lines += c == '\n';
  fclose(file);
  return lines;
}

static int count_entries(const char* path) {
  DIR* folder = opendir(path);
  int entries = 0;
  while (readdir(folder) != NULL) entries++;
  closedir(folder);
  return entries;
}

static Use look(void) { return (Use){count_lines("/proc/self/maps"), count_entries("/proc/self/fd")}; }

static void create_and_free(int windows) {
  for (int each = 0; each < windows; each++) {
    const atrium_window_options options = {.layout = (atrium_window_layout)(each % 3)};
    atrium_window* window = NULL;
    EXPECT(atrium_window_create(MPI_COMM_WORLD, 5000, &options, &window) == MPI_SUCCESS);
    if (each % 2) EXPECT(atrium_window_freeze(window) == MPI_SUCCESS);
    EXPECT(atrium_window_free(&window) == MPI_SUCCESS);
  }
}

// On any rank. May be what an allocator keeps for later; a leak of one in so many windows is in each batch.
static int grows(int windows) {
  const Use before = look();
  create_and_free(windows);
  const Use after = look();
  int more = after.mappings > before.mappings || after.descriptors > before.descriptors;
  if (more)
    printf("rank %d: mappings %d to %d, descriptors %d to %d\n", world_rank(), before.mappings,
           after.mappings, before.descriptors, after.descriptors);
  MPI_Allreduce(MPI_IN_PLACE, &more, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  return more;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int windows = argc > 1 ? atoi(argv[1]) : 150;
  int batches = 0;
  create_and_free(windows);
  while (batches < kBatches && grows(windows)) batches++;
  EXPECT(batches < kBatches);
  return finish();
}
