// Stands for the driver of a GPU: it has the name of NVIDIA's, and nothing in it.
// SPDX-License-Identifier: BSD-3-Clause
int atrium_test_driver_of_a_gpu;
