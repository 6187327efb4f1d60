"""Runs a command some of whose system calls fail.   usage: without_call.py CALL|linux-4.18 COMMAND...

CALL, one of NUMBERS: as sandboxes and containers refuse it. linux-4.18, the kernel of RHEL 8: what came later is not known."""
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
import os
import platform
import struct
import sys

NUMBERS = {"personality": {"x86_64": 135, "aarch64": 92}, "mbind": {"x86_64": 237, "aarch64": 235},
           "madvise": {"x86_64": 28, "aarch64": 233}, "memfd_create": {"x86_64": 319, "aarch64": 279},
           "waitid": {"x86_64": 247, "aarch64": 95}, "rt_sigprocmask": {"x86_64": 14, "aarch64": 135},
           "epoll_ctl": {"x86_64": 233, "aarch64": 21}, "accept4": {"x86_64": 288, "aarch64": 242},
           "epoll_wait": {"x86_64": 232, "aarch64": 22}}  # aarch64 has epoll_pwait alone
FIRST_AFTER_4_18 = 424  # pidfd_send_signal; from here on all processors number alike
ADVICE_AFTER_4_18 = 20, 99  # MADV_COLD and the following; MADV_HWPOISON is 100
MEMFD_FLAGS_AFTER_4_18 = 8 | 16  # MFD_NOEXEC_SEAL, MFD_EXEC
LOAD, IF_EQUAL, IF_ABOVE, IF_AT_LEAST, IF_ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
ALLOW = (RETURN, 0, 0, 0x7FFF0000)
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2


def number(call):
    return NUMBERS[call][platform.machine()]


def load_argument(position):
    return LOAD, 0, 0, 16 + 8 * position


def fail(reason):
    return RETURN, 0, 0, 0x00050000 | reason


def refuse(call):
    return [(LOAD, 0, 0, 0), (IF_EQUAL, 0, 1, number(call)), fail(1), ALLOW]  # EPERM


def like_linux_4_18():
    return [(LOAD, 0, 0, 0), (IF_AT_LEAST, 0, 1, FIRST_AFTER_4_18), fail(38),  # ENOSYS
            (IF_EQUAL, 0, 5, number("madvise")), load_argument(2), (IF_ABOVE, 1, 0, ADVICE_AFTER_4_18[1]),
            (IF_AT_LEAST, 1, 0, ADVICE_AFTER_4_18[0]), ALLOW, fail(22),  # EINVAL
            (IF_EQUAL, 0, 3, number("memfd_create")), load_argument(1), (IF_ANY_BIT, 0, 1, MEMFD_FLAGS_AFTER_4_18), fail(22), ALLOW]


steps = like_linux_4_18() if sys.argv[1] == "linux-4.18" else refuse(sys.argv[1])
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = struct.pack("HL", len(steps), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(SECCOMP, FILTER, program, 0, 0):
    sys.exit(os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
