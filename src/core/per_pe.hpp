// Marks the variables that each PE has of its own.
// SPDX-License-Identifier: BSD-3-Clause
//
// In a job a process is one PE, and the mark changes nothing. Where many PEs live in one process (sim/), this section is
// what distinguishes one from another: it holds all of a PE's variables in the layers from `wait` up to `coll`, and nothing else.
// What is the same for all PEs of a job (settings, rules, the copy plan) is not marked. A test compares the marks with
// the library's variables (tests/sim/variables.sh).
#pragma once

#define ATRIUM_PER_PE __attribute__((section("atrium_pe")))
