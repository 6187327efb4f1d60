/* A message to the user, in four parts: what happened, because, while doing what, what to try.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   atrium: PE 17 on a03: cannot map the heap of PE 3
 *     because: mmap: Cannot allocate memory
 *     while:   shmem_init
 *     try:     a smaller SHMEM_SYMMETRIC_SIZE
 *
 * The core, the tools, Atrium for MPI, node windows and shnode speak like this, by this file. It is C99 and C++. */
#ifndef ATRIUM_MESSAGE_H
#define ATRIUM_MESSAGE_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "atrium_settings.h"

/* Parts that are NULL or empty are left out; there is always a `what`. */
typedef struct {
  const char *what, *because, *during, *remedy;
} atrium_message;

/* A text that is being written, as snprintf does it: what does not fit counts, too. */
typedef struct {
  char* bytes;
  size_t size, length;
} atrium_text;

static inline void atrium_append(atrium_text* text, const char* more) {
  for (; *more; more++, text->length++)
    if (text->length + 1 < text->size) text->bytes[text->length] = *more;
}

/* Names may hold line ends and other control characters, which must not pass for lines of ours: they become "\n", "\x1b". */
static inline void atrium_append_printable(atrium_text* text, const char* more) {
  for (; *more; more++) {
    char letter[8] = {*more, 0};
    if (*more == '\n')
      memcpy(letter, "\\n", 3);
    else if ((unsigned char)*more < 0x20 || *more == 0x7f)
      snprintf(letter, sizeof letter, "\\x%02x", (unsigned char)*more);
    atrium_append(text, letter);
  }
}

static inline void atrium_append_part(atrium_text* text, const char* head, const char* part) {
  if (!part || !*part) return;
  atrium_append(text, head);
  atrium_append_printable(text, part);
  atrium_append(text, "\n");
}

/* `who` speaks: "atrium: PE 17 on a03". Answers the length of the whole, of which `text` gets what fits, as from snprintf. */
static inline size_t atrium_format_message(const char* who, const atrium_message* message, char* text,
                                           size_t size) {
  atrium_text whole = {text, size, 0};
  atrium_append(&whole, who);
  atrium_append_part(&whole, ": ", message->what);
  atrium_append_part(&whole, "  because: ", message->because);
  atrium_append_part(&whole, "  while:   ", message->during);
  atrium_append_part(&whole, "  try:     ", message->remedy);
  if (size > 0) text[whole.length < size ? whole.length : size - 1] = 0;
  return whole.length;
}

/* All of it, in one system call where the kernel takes it so: then the lines of several processes do not mix. False: it is not
 * all written, and errno says why. */
static inline int atrium_write_whole(int file, const char* text, size_t length) {
  while (length > 0) {
    const ssize_t now = write(file, text, length);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return 0;
    text += now;
    length -= (size_t)now;
  }
  return 1;
}

enum { atrium_longest_message = 8192 }; /* what is longer is cut */

static inline void atrium_print_message(const char* who, const atrium_message* message) {
  char text[atrium_longest_message];
  const size_t length = atrium_format_message(who, message, text, sizeof text);
  atrium_write_whole(STDERR_FILENO, text, length < sizeof text ? length : sizeof text - 1);
}

/* Text of a report, as printf has it, in one piece: since glibc 2.37 fprintf writes a long line to stderr in several, and launchers
 * put what others write between them. */
__attribute__((__format__(__printf__, 1, 2))) static inline void atrium_print_text(const char* format, ...) {
  char text[atrium_longest_message];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length > 0)
    atrium_write_whole(STDERR_FILENO, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

/* The message about a value that a setting cannot have. `outcome` goes on behind "NAME=value": "is ignored". */
typedef struct {
  atrium_message message;
  char what[512], because[256], remedy[256];
} atrium_bad_value;

static inline void atrium_describe_bad_value(const atrium_setting* setting, const char* value,
                                             const char* outcome, const char* during, atrium_bad_value* bad) {
  char wanted[sizeof bad->because - 16];
  atrium_describe_kind(setting->kind, wanted, sizeof wanted);
  snprintf(bad->what, sizeof bad->what, "%s=%s %s", setting->name, value, outcome);
  snprintf(bad->because, sizeof bad->because, "it has to be %s", wanted);
  snprintf(bad->remedy, sizeof bad->remedy, "%s=%s", setting->name, setting->fallback);
  const atrium_message message = {bad->what, bad->because, during, bad->remedy};
  bad->message = message;
}

#endif
