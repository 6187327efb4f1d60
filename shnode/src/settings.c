/* The SHNODE_ variables, read once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atrium_settings.h"
#include "internal.h"

sn_settings sn_set;

static int complain(const char* name, const char* text, const char* wanted, const char* example) {
  if (sn_me == 0)
    fprintf(stderr,
            "shnode: the variable %s is not understood\n  because: its value is \"%s\", and has to be %s\n"
            "  while:   shnode_init\n  try:     %s=%s\n",
            name, text, wanted, name, example);
  return SHNODE_ERR_SETTING;
}

/* What is not given leaves `value` alone. */
static int read_value(const atrium_setting* setting, atrium_value* value) {
  const char* text = getenv(setting->name);
  char wanted[128];
  if (!text || !*text) return SHNODE_OK;
  if (atrium_parse_value(setting->kind, text, value)) return SHNODE_OK;
  atrium_describe_kind(setting->kind, wanted, sizeof wanted);
  return complain(setting->name, text, wanted, setting->fallback);
}

static int read_switch(const char* name, int* is_on) {
  const atrium_setting setting = {name, "flag", "1", ""};
  atrium_value value = {*is_on, 0, 0, 0};
  const int status = read_value(&setting, &value);
  *is_on = value.is_on;
  return status;
}

static int read_size(const char* name, size_t* bytes) {
  const atrium_setting setting = {name, "size", "256K", ""};
  atrium_value value = {0, *bytes, 0, 0};
  const int status = read_value(&setting, &value);
  *bytes = (size_t)value.number;
  return status;
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

/* Up to `places` positive numbers with commas between them. */
static int read_numbers(const char* name, int* numbers, int places, const char* wanted, const char* example) {
  const char *text = getenv(name), *rest = text;
  if (!text || !*text) return SHNODE_OK;
  for (int i = 0; i < places; i++) {
    rest = take_number(rest, &numbers[i]);
    if (rest && !*rest) return SHNODE_OK;
    if (!rest) break;
    rest++;
  }
  return complain(name, text, wanted, example);
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
  if (!status) status = read_numbers("SHNODE_PES_PER_LEADER", &sn_set.pes_per_leader, 1, "a number", "4");
  if (!status)
    status = read_numbers("SHNODE_NODE_PES", sn_set.node_pes, sn_pattern_places,
                          "numbers of PEs, at most 4 of them, with commas", "3,1,2");
  return status;
}
