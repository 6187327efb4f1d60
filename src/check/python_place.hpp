// Where a program of Python stands: file and line of the Python source, for messages and for reports of waits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

// "halo.py:12 in exchange": the line by which this thread's Python has come to the library, past the modules that bind
// OpenSHMEM to Python (atrium, shmem4py). Empty where the interpreter is none that can be asked.
// Takes the interpreter's lock and runs nothing in it, neither code of Python nor a handler of its signals. So a caller holds no
// lock that a thread of Python may want while it has the interpreter's.
std::string place_in_python();

}  // namespace atrium
