#!/usr/bin/env python3
"""Strangers at the ports of a job whose nodes meet over the kernel's TCP: they send what is no hello, a hello with a wrong token, half a
hello, and nothing at all, on as many connections as they may open.

usage: strangers.py SECONDS"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import socket
import struct
import sys
import time

HELLO = struct.pack("<IIQQ", 1, 14, 0x1234, 0) + b"\1" * 8 + struct.pack(">H4s", 4711, b"\x7f\0\0\1")
SAID = (os.urandom(4096), HELLO, HELLO[:30], b"", struct.pack("<IIQQ", 1, 0xFFFFFFFF, 0, 0) + b"x" * 65536)
LISTENS = "0A"


def ports():
    """Those that somebody listens at, as everybody in this namespace sees them."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        fields = [line.split() for line in table.readlines()[1:]]
    return sorted({int(each[1].split(":")[1], 16) for each in fields if each[3] == LISTENS})


def main():
    until, kept, spoken = time.monotonic() + float(sys.argv[1]), [], 0
    while time.monotonic() < until:
        for port in ports():
            for said in SAID:
                try:
                    kept.append(socket.create_connection(("127.0.0.1", port), timeout=1))
                    kept[-1].send(said)
                    spoken += 1
                except OSError:
                    continue
        for old in kept[:-500]:
            old.close()
        del kept[:-500]
        time.sleep(0.02)
    print(f"spoke {spoken} times")


main()
