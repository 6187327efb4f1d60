/* The SHNODE_ variables, read once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

sn_settings sn_set;

static int complain(const char* name, const char* text, const char* wanted) {
  if (sn_me == 0)
    fprintf(stderr,
            "shnode: the variable %s is not understood\n  because: its value is \"%s\"\n"
            "  while:   shnode_init\n  try:     %s=%s\n",
            name, text, name, wanted);
  return SHNODE_ERR_SETTING;
}

static int read_switch(const char* name, int* value) {
  const char* text = getenv(name);
  if (!text || !*text) return SHNODE_OK;
  if (strcmp(text, "0") && strcmp(text, "1")) return complain(name, text, "0 or 1");
  *value = *text == '1';
  return SHNODE_OK;
}

/* A number and K, M or G. */
static int parse_size(const char* text, char** end, size_t* value) {
  static const char units[] = "KMG";
  errno = 0;
  *value = isdigit((unsigned char)*text) ? strtoull(text, end, 10) : 0;
  if (!isdigit((unsigned char)*text) || errno) return 0;
  const char* unit = **end ? strchr(units, toupper((unsigned char)**end)) : NULL;
  if (!unit) return 1;
  ++*end;
  const int shift = 10 * (int)(unit - units + 1);
  if (*value > SIZE_MAX >> shift) return 0;
  *value <<= shift;
  return 1;
}

static int read_size(const char* name, size_t* value) {
  const char* text = getenv(name);
  char* end;
  if (!text || !*text) return SHNODE_OK;
  return parse_size(text, &end, value) && !*end ? SHNODE_OK : complain(name, text, "256K");
}

/* Up to `places` positive numbers with commas between them. */
static int read_numbers(const char* name, int* numbers, int places, const char* wanted) {
  const char* text = getenv(name);
  if (!text || !*text) return SHNODE_OK;
  const char* rest = text;
  for (int i = 0; i < places; i++) {
    char* end;
    const long number = strtol(rest, &end, 10);
    if (end == rest || number < 1 || number > INT32_MAX) break;
    numbers[i] = (int)number;
    if (!*end) return SHNODE_OK;
    if (*end != ',') break;
    rest = end + 1;
  }
  return complain(name, text, wanted);
}

int sn_read_settings(void) {
  const sn_settings defaults = {.rma = 1,
                                .collectives = !sn_over_atrium,
                                .exchange = 1,
                                .numa = 1,
                                .direct_limit = sn_over_atrium ? sn_own_copy_bytes : SIZE_MAX};
  sn_set = defaults;
  int status = read_switch("SHNODE_RMA", &sn_set.rma);
  if (!status) status = read_switch("SHNODE_COLLECTIVES", &sn_set.collectives);
  if (!status) status = read_switch("SHNODE_EXCHANGE", &sn_set.exchange);
  if (!status) status = read_switch("SHNODE_NUMA", &sn_set.numa);
  if (!status) status = read_switch("SHNODE_INFO", &sn_set.info);
  if (!status) status = read_size("SHNODE_DIRECT_LIMIT", &sn_set.direct_limit);
  if (!status) status = read_numbers("SHNODE_PES_PER_LEADER", &sn_set.pes_per_leader, 1, "4");
  if (!status)
    status =
        read_numbers("SHNODE_NODE_PES", sn_set.node_pes, sn_pattern_places, "2 or 3,1,2 (at most 4 sizes)");
  return status;
}
