"""The plans: what is measured, and what is asked of it. `./atrium bench NAME` loads NAME.py."""
# SPDX-License-Identifier: BSD-3-Clause
