// Back traces of crashes, when asked for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

// From now on a signal that ends this process by a fault first prints a back trace of all threads, by gdb if
// that is installed and may look at us, else functions, files and lines by libdwfl, else names of functions. Signals that the program handles
// itself are left alone. `who` begins the text: "PE 3 on a03".
void trace_crashes(const std::string& who);
// In a child of fork(), which has the handler but is somebody else.
void name_in_traces(const std::string& who);

}  // namespace atrium
