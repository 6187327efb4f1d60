"""The driver of ./atrium bench: compiles a plan's programs, runs them in turns, compares, and writes what came out.

Words.  A *plan* (bench/plans/) names programs and what is asked of their figures. A *library* is one way to compile and
run them; the first one of a plan is the one that is judged, the others are its *peers*; *limits* are programs without any
library that show what the machine itself can do. A *figure* is what a program reports: a measure, its bytes, a value.
Needs Python 3.9 and nothing else."""
# SPDX-License-Identifier: BSD-3-Clause
