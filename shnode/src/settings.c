/* Reads the SHNODE_ variables, once, and reports values that make no sense.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atrium_message.h"
#include "internal.h"

sn_settings sn_set;

/* Where a value goes: an int of a flag or number, a size_t of a size. */
typedef struct {
  atrium_setting setting;
  size_t place;
} row;

/* SHNODE_DIRECT_LIMIT and SHNODE_PES_PER_LEADER have an example in place of their default, which depends on the job. */
static const row rows[] = {
    {{"SHNODE_RMA", "flag", "1", "direct transfers"}, offsetof(sn_settings, rma)},
    {{"SHNODE_COLLECTIVES", "flag", "1", "collectives by leaders"}, offsetof(sn_settings, collectives)},
    {{"SHNODE_EXCHANGE", "flag", "1", "buffers change hands by pointers"}, offsetof(sn_settings, exchange)},
    {{"SHNODE_QUERIES", "flag", "1", "addresses from the table, not from shmem_ptr"},
     offsetof(sn_settings, queries)},
    {{"SHNODE_NUMA", "flag", "1", "groups within NUMA nodes"}, offsetof(sn_settings, numa)},
    {{"SHNODE_INFO", "flag", "0", "says what was chosen"}, offsetof(sn_settings, info)},
    {{"SHNODE_DIRECT_LIMIT", "size", "256K", "most bytes of a direct transfer"},
     offsetof(sn_settings, direct_limit)},
    {{"SHNODE_PES_PER_LEADER", "number 1..2147483647", "4", "PEs of a leader, itself included"},
     offsetof(sn_settings, pes_per_leader)},
};

static const atrium_setting of_node_pes = {"SHNODE_NODE_PES", "text", "3,1,2", "sizes of pretended nodes"};

static int refuse(const atrium_setting* setting, const char* text, const char* because) {
  atrium_bad_value bad;
  atrium_describe_bad_value(setting, text, "is not understood", "shnode_init", &bad);
  if (because) bad.message.because = because;
  if (sn_me == 0) atrium_print_message("shnode", &bad.message);
  return SHNODE_ERR_SETTING;
}

/* What is not given leaves the default alone. */
static int read_row(const row* row) {
  atrium_value value;
  const char *text = getenv(row->setting.name), *kind = row->setting.kind;
  char* const place = (char*)&sn_set + row->place;
  if (!text || !*text) return SHNODE_OK;
  if (!atrium_parse_value(kind, text, &value)) return refuse(&row->setting, text, NULL);
  if (atrium_is_kind(kind, "size"))
    *(size_t*)(void*)place = (size_t)value.number;
  else
    *(int*)(void*)place = atrium_is_kind(kind, "flag") ? value.is_on : (int)value.number;
  return SHNODE_OK;
}

/* A number up to the next comma, or to the end; what is behind it. NULL: there is none. */
static const char* take_number(const char* text, int* number) {
  char digits[16];
  atrium_value value;
  const size_t length = strcspn(text, ",");
  if (length >= sizeof digits) return NULL;
  snprintf(digits, sizeof digits, "%.*s", (int)length, text);
  if (!atrium_parse_value("number 1..2147483647", digits, &value)) return NULL;
  *number = (int)value.number;
  return text + length;
}

static int read_node_pes(void) {
  const char *text = getenv(of_node_pes.name), *rest = text;
  if (!text || !*text) return SHNODE_OK;
  for (int i = 0; i < sn_pattern_places; i++) {
    rest = take_number(rest, &sn_set.node_pes[i]);
    if (rest && !*rest) return SHNODE_OK;
    if (!rest) break;
    rest++;
  }
  return refuse(&of_node_pes, text, "it has to be numbers of PEs, at most 4 of them, with commas");
}

int sn_read_settings(void) {
  const sn_settings defaults = {.rma = 1,
                                .collectives = !sn_over_atrium,
                                .exchange = 1,
                                .queries = 1,
                                .numa = 1,
                                .direct_limit = sn_over_atrium ? sn_own_copy_bytes : SIZE_MAX};
  int status = SHNODE_OK;
  sn_set = defaults;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++) status = read_row(&rows[i]);
  return status ? status : read_node_pes();
}
