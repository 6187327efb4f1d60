// The state before the first session, and whether there is to be one.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/job.hpp"

#include <cstdlib>

#include "atrium_settings.h"
#include "interpose/say.hpp"
#include "race/model/dialect.hpp"

namespace atrium::race {

CheckedJob job;
bool working = false, following = false, threads_exist = false, threads_unseen = false;

bool wanted() {
  const char* text = std::getenv("ATRIUM_RACES");
  atrium_value value;
  if (!text || *text == '\0') return dialect.checks_by_itself;
  enum Word { off, on, strict };
  if (!atrium_parse_value("off|on|strict", text, &value)) {
    interpose::say_once("ATRIUM_RACES has to be off, on or strict: taken as on");
    value.word = on;
  }
  job.strict = value.word == strict;
  return value.word != off;
}

}  // namespace atrium::race
