"""pytest on several PEs: `oshrun -n 4 python -m pytest`. Without oshrun it does nothing.

A test has passed if it passes on all PEs. PE 0 reports; a failure of another PE is printed with its number. A test whose
set-up is skipped on one PE is skipped on all, and so is one that not all PEs have collected, as where a module skips itself. A
test that fails on one PE, while the others wait for it in a collective call, is told by oshrun as any deadlock is.
"""
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations  # pytest 6 does not export all of these types

import hashlib
import os
import sys
from typing import Any, Generator, List, Set, Tuple

import pytest


def _key(item: pytest.Item) -> int:
    """The same on all PEs."""
    return int.from_bytes(hashlib.blake2b(item.nodeid.encode(), digest_size=8).digest(), "little", signed=True)


class _Agreement:
    """How a test went, over all PEs, by a team of its own, which no test uses."""

    def __init__(self) -> None:
        import atrium

        atrium.init()
        self.atrium, self.me = atrium, atrium.my_pe()
        team = atrium.WORLD.split_strided(0, 1, atrium.n_pes())
        assert team
        self.team = team
        self.outcomes = atrium.zeros(2, "i4")
        self.here_alone: Set[pytest.Item] = set()

    def elsewhere(self, failed: bool, skipped: bool) -> Tuple[int, int]:
        """On how many other PEs it failed, and was skipped."""
        self.outcomes[:] = failed, skipped
        self.atrium.sum_reduce(self.outcomes, team=self.team)
        return int(self.outcomes[0]) - failed, int(self.outcomes[1]) - skipped

    def collected_by_all(self, mine: List[int]) -> List[int]:
        """In the order of PE 0."""
        self.outcomes[:] = len(mine) if self.me == 0 else 0
        self.atrium.sum_reduce(self.outcomes, team=self.team)
        count = int(self.outcomes[0])
        if count == 0:
            return []
        with self.atrium.zeros(count, "i8") as tests:
            if self.me == 0:
                tests[:] = mine
            self.atrium.or_reduce(tests, team=self.team)
            of_first = tests.tolist()
            here = set(mine)
            tests[:] = [test in here for test in of_first]
            self.atrium.min_reduce(tests, team=self.team)
            return [test for test, is_everywhere in zip(of_first, tests.tolist()) if is_everywhere]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: Any) -> Generator[None, Any, None]:
        report = (yield).get_result()
        if item in self.here_alone:
            return
        if report.failed and self.me > 0:
            print(f"PE {self.me}: {item.nodeid}, {report.when}:\n{report.longreprtext}", file=sys.stderr, flush=True)
        failed, skipped = self.elsewhere(report.failed, report.skipped)
        if failed and not report.failed:
            report.outcome, report.longrepr = "failed", f"{item.nodeid} failed in its {report.when} on {failed} other PE(s)"
        elif skipped and report.passed and report.when == "setup":  # those PEs do not run it, and it may need them
            path, line, _ = item.location
            report.outcome, report.longrepr = "skipped", (path, (line or 0) + 1, f"Skipped: on {skipped} other PE(s)")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and self.me > 0:
            print(f"PE {self.me}: {report.nodeid}, collection:\n{report.longreprtext}", file=sys.stderr, flush=True)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        failed, _ = self.elsewhere(session.testsfailed > 0, False)
        session.testsfailed += failed  # with which no test is run, as with an error of this PE's own
        order = {test: place for place, test in enumerate(self.collected_by_all([_key(item) for item in session.items]))}
        session.items.sort(key=lambda item: order.get(_key(item), len(order)))
        for item in session.items:
            if _key(item) not in order:
                item.add_marker(pytest.mark.skip(reason="not collected on all PEs"))
                self.here_alone.add(item)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        if config.pluginmanager.has_plugin("terminalreporter"):
            config.get_terminal_writer().flush()  # what pytest 9 would keep until Python ends
        self.team.sync()  # PE 0 has reported when the first status that is not 0 ends the job


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    if _is_started_by_oshrun():  # PEs would write one cache together
        early_config.pluginmanager.consider_pluginarg("no:cacheprovider")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    if not _is_started_by_oshrun():
        return
    if config.getoption("numprocesses", None):
        raise pytest.UsageError("-n starts processes that are no PEs of this job: use it without oshrun, or say -n 0")
    if os.environ["ATRIUM_JOB_PE"] != "0":
        config.option.xmlpath = None  # of --junitxml: PE 0 reports


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if not _is_started_by_oshrun():
        return
    agreement = _Agreement()
    config.pluginmanager.register(agreement, "atrium-agreement")
    reporter = config.pluginmanager.getplugin("terminalreporter")
    if agreement.me > 0 and reporter:
        reporter._tw._file = open(os.devnull, "w")


def _is_started_by_oshrun() -> bool:
    return "ATRIUM_JOB_PE" in os.environ


@pytest.fixture(scope="session")
def pe() -> int:
    """My number, from 0 on."""
    import atrium

    atrium.init()
    return atrium.my_pe()


@pytest.fixture(scope="session")
def pes() -> int:
    """How many PEs there are."""
    import atrium

    atrium.init()
    return atrium.n_pes()
