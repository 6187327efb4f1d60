// Where a process crashes: the place, or a back trace when asked for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

// `place`: one line with function, file and line, for faults alone. `back_trace`: all threads, by gdb if
// that is installed and may trace this process, else functions, files and lines by libdw or addr2line, else addresses.
enum class CrashDetail { place, back_trace };

// From now on a signal that ends this process by a fault first prints that. Signals that the program handles
// itself are left alone. `who` begins the text: "PE 3 on a03".
void report_crashes(const std::string& who, CrashDetail detail);
// In a child of fork(), which inherits the handler but needs a name of its own.
void name_in_traces(const std::string& who);

}  // namespace atrium
