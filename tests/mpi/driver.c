// Stands for a library of a GPU's maker: it has the name of one, and nothing in it.
// SPDX-License-Identifier: BSD-3-Clause
int atrium_test_driver_of_a_gpu;
