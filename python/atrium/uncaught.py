"""What is said of an exception that nobody catches, in a job of oshrun: with the PE's number, and in one piece, so that the lines
of several PEs do not mix.

Most mistakes are made by all PEs at once. Then PE 0 speaks first, oshrun ends the job, and the others, which wait a moment, have
nothing to add."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import sys
import time
import traceback
from types import TracebackType
from typing import Optional, Type

_MOMENT_S = 0.3
_PE = os.environ.get("ATRIUM_JOB_PE")


def _tell(kind: Type[BaseException], error: BaseException, trace: Optional[TracebackType]) -> None:
    if _PE != "0":
        time.sleep(_MOMENT_S)
    if sys.stderr is not None:
        sys.stderr.write(f"PE {_PE}: " + "".join(traceback.format_exception(kind, error, trace)))


if _PE is not None and sys.excepthook is sys.__excepthook__:
    sys.excepthook = _tell
