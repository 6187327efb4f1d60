#!/usr/bin/env python3
"""Runs a program, and expects that it writes each line to standard error at once: a launcher may put what others write between
two pieces. A socket of packets keeps them apart.

usage: whole_lines.py PROGRAM [ARGUMENT...]"""
# SPDX-License-Identifier: BSD-3-Clause
import socket
import subprocess
import sys

reader, writer = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
with subprocess.Popen(sys.argv[1:], stderr=writer, close_fds=False) as program:  # an MPI has some of its own
    writer.close()
    broken = [piece for piece in iter(lambda: reader.recv(65536), b"") if not piece.endswith(b"\n")]
for piece in broken:
    print("a piece of a line:", piece)
sys.exit(bool(broken) or program.returncode != 0)
