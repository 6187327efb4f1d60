/* How a setting is written: one grammar for the variables and options of every part of Atrium.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The core, oshrun, the race checker, mpi/, node windows and shnode/ share this file, so that a value that one of them
 * takes is taken by all, and a bad one is reported in the same words. It is C99 and C++, includes nothing of Atrium and is
 * installed nowhere. Where a text comes from, and what becomes of a bad one, each part decides for itself.
 *
 *   kind       what may be written
 *   flag       on, 1, yes, true; off, 0, no, false
 *   number     a whole number
 *   seconds    a number that may have decimals: 0.5
 *   size       a number that may have decimals, then K, M, G or T (of 1024): 1.5m. What follows the letter is ignored,
 *              as OpenSHMEM wants it of SHMEM_SYMMETRIC_SIZE
 *   a|b|c      one of these words; on and off among them may be written as in a flag
 *   presence   anything: it counts that the variable is there
 *   text       anything
 *
 * Behind number, seconds and size may stand a range, both ends of which are allowed: "number 1..64", "size 4K..".
 * Capital and small letters mean the same, and the locale does not matter. */
#ifndef ATRIUM_SETTINGS_H
#define ATRIUM_SETTINGS_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A row of a table of settings. */
typedef struct {
  const char* name;     /* of the variable */
  const char* kind;     /* see above */
  const char* fallback; /* the default, as text; where it is no constant, an example */
  const char* meaning;  /* one sentence */
} atrium_setting;

/* What was written. */
typedef struct {
  int is_on;       /* flag */
  uint64_t number; /* number; size: bytes */
  double seconds;
  int word; /* words: which of them, from 0 */
} atrium_value;

static inline char atrium_small_letter(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c; }
static inline int atrium_is_digit(char c) { return c >= '0' && c <= '9'; }

/* Is `text` this word of so many letters? */
static inline int atrium_is_word(const char* text, const char* word, size_t length) {
  size_t i = 0;
  while (i < length && text[i] && atrium_small_letter(text[i]) == atrium_small_letter(word[i])) i++;
  return i == length && !text[i];
}

/* Which of the words that have bars between them, or -1. */
static inline int atrium_find_word(const char* text, const char* words) {
  for (int which = 0;; which++) {
    const size_t length = strcspn(words, "|");
    if (atrium_is_word(text, words, length)) return which;
    if (!words[length]) return -1;
    words += length + 1;
  }
}

/* 1 and 0; -1: neither on nor off. */
static inline int atrium_parse_flag(const char* text) {
  if (atrium_find_word(text, "on|1|yes|true") >= 0) return 1;
  return atrium_find_word(text, "off|0|no|false") >= 0 ? 0 : -1;
}

static inline int atrium_parse_words(const char* text, const char* words) {
  const int which = atrium_find_word(text, words), flag = which < 0 ? atrium_parse_flag(text) : -1;
  return flag < 0 ? which : atrium_find_word(flag ? "on" : "off", words);
}

static inline int atrium_parse_number(const char* text, uint64_t* number) {
  uint64_t sum = 0;
  const char* at = text;
  for (; atrium_is_digit(*at); at++) {
    const uint64_t digit = (uint64_t)(*at - '0');
    if (sum > (INT64_MAX - digit) / 10) return 0;
    sum = 10 * sum + digit;
  }
  *number = sum;
  return at > text && !*at;
}

/* "3.1" or "2.5e+3" at the head of a text; what is behind it, or NULL, also where a double cannot hold so many digits. By
 * hand: what the C library takes for a decimal point depends on the locale, and that of C++ drags libm into static programs. */
static inline const char* atrium_take_decimal(const char* text, double* number) {
  double sum = 0, unit = 1;
  int digits = 0, in_fraction = 0;
  for (; atrium_is_digit(*text) || (*text == '.' && !in_fraction); text++) {
    if (*text == '.') {
      in_fraction = 1;
      continue;
    }
    sum = 10 * sum + (*text - '0');
    if (in_fraction) unit *= 10;
    digits++;
  }
  const double most = 1e300;
  if (!digits || sum > most || unit > most) return NULL;
  *number = sum / unit;
  if (atrium_small_letter(*text) != 'e') return text;
  const int is_negative = text[1] == '-';
  const char* power = text + 1 + (is_negative || text[1] == '+');
  if (!atrium_is_digit(*power)) return text;
  int exponent = 0; /* as far as any size reaches */
  for (; atrium_is_digit(*power); power++)
    if (exponent < 40) exponent = 10 * exponent + (*power - '0');
  for (int i = 0; i < exponent && i < 40; i++) *number = is_negative ? *number / 10 : *number * 10;
  return power;
}

static inline int atrium_parse_seconds(const char* text, double* seconds) {
  const char* rest = atrium_take_decimal(text, seconds);
  return rest && !*rest;
}

/* Never less than what was written. */
static inline int atrium_parse_size(const char* text, uint64_t* bytes) {
  static const char units[] = "kmgt";
  double number = 0;
  const char* rest = atrium_take_decimal(text, &number);
  if (!rest) return 0;
  const char* unit = strchr(units, atrium_small_letter(*rest));
  if (!unit) return 0;
  for (long steps = *rest ? unit - units + 1 : 0; steps > 0; steps--) number *= 1024;
  if (number > 9e18) return 0;
  *bytes = (uint64_t)number;
  if ((double)*bytes < number) ++*bytes;
  return 1;
}

enum { atrium_range_bytes = 32 };

/* The range behind a kind, as the text of its two ends, which may be empty. */
static inline void atrium_range_of(const char* kind, char least[atrium_range_bytes],
                                   char most[atrium_range_bytes]) {
  const char *begin = strchr(kind, ' '), *dots = begin ? strstr(begin, "..") : NULL;
  *least = *most = 0;
  if (!dots || strchr(kind, '|')) return;
  snprintf(least, atrium_range_bytes, "%.*s", (int)(dots - begin - 1), begin + 1);
  snprintf(most, atrium_range_bytes, "%s", dots + 2);
}

static inline int atrium_is_kind(const char* kind, const char* name) {
  const size_t length = strlen(name);
  return !strncmp(kind, name, length) && (!kind[length] || kind[length] == ' ');
}

/* Of a kind that has a range. */
static inline int atrium_parse_amount(const char* kind, const char* text, atrium_value* value) {
  if (atrium_is_kind(kind, "number")) return atrium_parse_number(text, &value->number);
  if (atrium_is_kind(kind, "size")) return atrium_parse_size(text, &value->number);
  return atrium_parse_seconds(text, &value->seconds);
}

/* By the seconds or the number, of which the other one is 0. */
static inline int atrium_is_less(const atrium_value* a, const atrium_value* b) {
  return a->seconds < b->seconds || a->number < b->number;
}

/* Whether `text` may stand for this kind. */
static inline int atrium_parse_value(const char* kind, const char* text, atrium_value* value) {
  static const atrium_value nothing = {0, 0, 0, 0};
  *value = nothing;
  if (atrium_is_kind(kind, "text") || atrium_is_kind(kind, "presence")) return 1;
  if (atrium_is_kind(kind, "flag")) {
    const int flag = atrium_parse_flag(text);
    value->is_on = flag == 1;
    return flag >= 0;
  }
  if (!atrium_is_kind(kind, "number") && !atrium_is_kind(kind, "size") && !atrium_is_kind(kind, "seconds")) {
    value->word = atrium_parse_words(text, kind);
    return value->word >= 0;
  }
  char least[atrium_range_bytes], most[atrium_range_bytes];
  atrium_value end = nothing;
  atrium_range_of(kind, least, most);
  if (!atrium_parse_amount(kind, text, value)) return 0;
  if (*least && atrium_parse_amount(kind, least, &end) && atrium_is_less(value, &end)) return 0;
  return !*most || !atrium_parse_amount(kind, most, &end) || !atrium_is_less(&end, value);
}

/* What has to be written, to go on behind "it has to be" or "the value is not". */
static inline void atrium_describe_kind(const char* kind, char* text, size_t size) {
  char least[atrium_range_bytes], most[atrium_range_bytes];
  atrium_range_of(kind, least, most);
  const char* what = atrium_is_kind(kind, "flag")      ? "on or off (or 1 and 0, yes and no, true and false)"
                     : atrium_is_kind(kind, "number")  ? "a whole number"
                     : atrium_is_kind(kind, "seconds") ? "a number of seconds"
                     : atrium_is_kind(kind, "size")    ? "a size (a number, then K, M, G or T)"
                                                       : NULL;
  if (!what) {
    size_t length = (size_t)snprintf(text, size, "one of ");
    for (; *kind && length + 3 < size; kind++)
      length += (size_t)snprintf(text + length, size - length, *kind == '|' ? ", " : "%c", *kind);
    return;
  }
  if (*least && *most)
    snprintf(text, size, "%s from %s to %s", what, least, most);
  else if (*least)
    snprintf(text, size, "%s, %s or more", what, least);
  else if (*most)
    snprintf(text, size, "%s, %s at most", what, most);
  else
    snprintf(text, size, "%s%s", what, atrium_is_kind(kind, "number") ? ", 0 or more" : "");
}

#endif
