// Messages to the user: one form for all, written whole, on standard error.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/result.hpp"

namespace atrium {

// The process that messages come from: "PE 17 on a03", "oshrun". Set once, before the first message.
void set_speaker(std::string name);
const std::string& get_speaker();

// Names may hold line ends and other control characters, which must not pass for lines of ours: they become "\n", "\x1b".
[[gnu::cold]] std::string printable(const std::string& text);

// What to try: what the error says itself, else what usually helps where the system gives this errno.
[[gnu::cold]] std::string remedy_for(const Error& error);

// "atrium: PE 17 on a03: cannot map ...\n  because: ...\n  while:   ...\n  try:     ...\n"
[[gnu::cold]] std::string format_error(const Error& error);

// Prints the error; the program goes on.
void report(const Error& error);

// One line: "atrium: PE 17 on a03: note: ...".
void note(const std::string& text);
[[gnu::cold]] void warn(const std::string& text);

// Prints the error and ends this process with `status`; in a PE that ends the job.
[[noreturn, gnu::cold]] void fatal(const Error& error, int status = 1);

// Called by fatal(): whether to print the error (another PE may have said the same), and when that is done,
// just before the process ends (the job layer notes for the launcher that the reason has been printed).
void on_fatal(bool (*is_news)(const Error&), void (*hook)());

}  // namespace atrium
