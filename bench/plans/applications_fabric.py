"""The applications of `applications` between two hosts."""
# SPDX-License-Identifier: BSD-3-Clause
from driver.plan import Plan
from plans import applications, fabric

PLAN = Plan("Applications that others wrote, between two hosts", applications.programs((2, 4), 20_000, 2_000), applications.RULES,
            fabric.libraries, notes=(fabric.NOTES[0], *applications.NOTES[:1]))
