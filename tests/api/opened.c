// What a program opens.
// SPDX-License-Identifier: BSD-3-Clause
int opened(void);
int opened(void) { return 1; }
