#!/usr/bin/env python3
"""Frames of two network interfaces, each passed on to the other a while after it has come: a long way, where no netem is.

usage: slow_link.py SECONDS INTERFACE INTERFACE"""
# SPDX-License-Identifier: BSD-3-Clause
import collections
import select
import socket
import sys
import time

ALL_PROTOCOLS, SOL_PACKET, PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING = 3, 263, 15, 23
LARGEST = 1 << 17  # of frames that a card would divide; the header in front says so, and that a checksum is to be made


def open_interface(name):
    end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    end.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    end.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
    end.bind((name, ALL_PROTOCOLS))
    return end


def main():
    delay = float(sys.argv[1])
    ends = [open_interface(name) for name in sys.argv[2:4]]
    under_way = collections.deque()  # when due, to whom, what
    print("ready", flush=True)
    while True:
        now = time.monotonic()
        while under_way and under_way[0][0] <= now:
            _, end, frame = under_way.popleft()
            end.send(frame)
        patience = under_way[0][0] - now if under_way else None
        for end in select.select(ends, [], [], patience)[0]:
            under_way.append((time.monotonic() + delay, ends[end is ends[0]], end.recv(LARGEST)))


main()
