"""Files that are there as a whole, or not at all: what was there before stays until the new one is complete."""
# SPDX-License-Identifier: BSD-3-Clause
import os


def write_text(path, text):
    """Under another name beside it, then renamed. SystemExit says what could not be written, and why."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="")
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise SystemExit(f"atrium bench: cannot write '{path}': {error.strerror}; nothing of it is left, "
                         "and what was there before stays") from error
    except BaseException:
        part.unlink(missing_ok=True)
        raise
