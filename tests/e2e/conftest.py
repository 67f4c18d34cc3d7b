"""What every browser test gets: a server, a browser, people; and a picture of what failed.

Console errors, errors of a page and breaches of the content policy fail the test in which they happen.
All tests here share one event loop, since a browser lives in it for the whole session.

    person = await meet("Ann")                a browser context with one page; further options: `Person.arrive`
    served                                    `kupa serve` for the session, as everybody starts it
    two_servers                               two processes on one store, for tests that kill one
    way                                       an address before it that can be held up, cut and led elsewhere
    figure("name", value)                     a measured number, printed at the end of the run
"""

from __future__ import annotations

import inspect
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.browser import ARGUMENTS, chromium
from tests.e2e.people import DESKTOP, PATIENCE_MS, Person, Size
from tests.e2e.places import Day, lived
from tests.e2e.servers import ROOT, Served, Way
from tests.store_fixture import store_url  # noqa: F401

HERE = Path(__file__).parent
PICTURES = ROOT / "screenshots" / "failures"
FAILED = pytest.StashKey[bool]()
FIGURE = "figure"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests are marked, and run in the loop of the session."""
    for item in items:
        if HERE not in item.path.parents:
            continue
        item.add_marker(pytest.mark.e2e)
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Remember for the pictures whether the test failed."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures of this machine; they are not judged."""
    reports = terminalreporter.getreports("passed")
    properties = [each for report in reports if report.when == "call" for each in report.user_properties]
    if any(name == FIGURE for name, _ in properties):
        terminalreporter.section("figures")
    for name, text in properties:
        if name == FIGURE:
            terminalreporter.line(str(text))


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[str, object], None]:
    """Print a number at the end of the run."""
    return lambda name, value: record_property(FIGURE, f"{name}: {value}")


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for the session; it must end in good order, without an error in its log."""
    with Served(tmp_path_factory.mktemp("served")).running() as one:
        yield one


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def day(served: Served) -> Day:
    """Somebody has played here today, so that pages have something to show."""
    return await lived(served.url)


@pytest_asyncio.fixture(loop_scope="session")
async def way(served: Served) -> AsyncIterator[Way]:
    """A way to the session's server that can be held up, cut, and led elsewhere."""
    one = Way(served.port)
    await one.start()
    yield one
    await one.close()


@pytest.fixture
def two_servers(store_url: str, tmp_path: Path) -> Iterator[tuple[Served, Served]]:  # noqa: F811
    """Two processes on one store; the test kills the first one."""
    first, second = (Served(tmp_path / name, REDIS_URL=store_url) for name in ("first", "second"))
    first.launch()
    try:
        with second.running():
            first.listen()
            yield first, second
    finally:
        first.kill()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for the session."""
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        one = await playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        yield one
        await one.close()


def keep(name: str, stories: list[str]) -> None:
    """Write down what happened, beside the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    (PICTURES / f"{name}.txt").write_text("\n".join(stories), encoding="utf-8")


class Meet(Protocol):
    """Somebody new, with a browser of their own."""

    async def __call__(self, name: str, *, url: str = "", size: Size = DESKTOP, **options: Any) -> Person: ...


@pytest_asyncio.fixture(loop_scope="session")
async def meet(browser: Browser, served: Served, request: pytest.FixtureRequest) -> AsyncIterator[Meet]:
    """A maker of people; at the end of the test nobody's browser may have complained."""
    people: list[Person] = []

    async def make(name: str, *, url: str = "", size: Size = DESKTOP, **options: Any) -> Person:
        view = {"viewport": {"width": size[0], "height": size[1]}}
        person = await Person.arrive(browser, name, url or served.url, **view, **options)
        people.append(person)
        return person

    yield make
    complaints = {person.name: person.complaints() for person in people if person.complaints()}
    if complaints or request.node.stash.get(FAILED, False):
        name = re.sub(r"\W+", "-", request.node.name)
        keep(name, [*(person.story() for person in people), served.log()[-20_000:]])
        for person in people:
            await person.picture(PICTURES, name)
    for person in people:
        await person.context.close()
    assert not complaints, complaints
