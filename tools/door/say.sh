# Messages of the commands of ./atrium: progress goes to standard error, answers to standard output.
# SPDX-License-Identifier: BSD-3-Clause

say() { printf 'atrium: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# The user asked for something that does not exist.
refuse() {
  say "$*"
  exit 2
}

have() { command -v "$1" >/dev/null 2>&1; }
