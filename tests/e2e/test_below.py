"""The whole site below a path of somebody else's address (`https://example.org/club/kupa`)."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Request, expect

from tests.e2e.conftest import Meet
from tests.e2e.servers import Served

PATH = "/club/kupa"


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose people use an address with a path."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}{PATH}"
    with Served(tmp_path_factory.mktemp("below"), KUPA_PORT=str(port), KUPA_PUBLIC_URL=address).running() as one:
        yield one


async def test_below_a_path_nothing_is_asked_for_above_it_and_links_lead_below_it(meet: Meet, below: Served) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(urlsplit(request.url).path)

    assert below.url.endswith(PATH)
    ann, bob = await meet("Ann", url=below.url), await meet("Bob", url=below.url)
    ann.page.on("request", note)
    table = await ann.play_now()
    await table.dealt()
    assert f"{PATH}/r/" in ann.page.url
    await ann.open("/solo")
    await ann.page.get_by_role("link", name="Rules").first.click()
    await expect(ann.page).to_have_url(re.compile(f"{PATH}/rules$"))
    await ann.page.go_back()
    await expect(ann.page).to_have_url(f"{below.url}/solo")
    sockets = [line for line in ann.frames if " opens " in line]
    assert all(f"{PATH}/ws" in line for line in sockets)
    assert len(sockets) >= 1
    assert [path for path in asked if not path.startswith(f"{PATH}/")] == []
    scope = await ann.page.evaluate("navigator.serviceWorker.ready.then((it) => new URL(it.scope).pathname)")
    assert scope == f"{PATH}/"

    await bob.open()
    code = await bob.create_room()
    await expect(bob.page.get_by_text(f"{PATH}/r/{code}")).to_be_visible()
    picture = bob.page.get_by_role("img", name="QR code of the link to this room")
    assert await picture.evaluate("(it) => it.naturalWidth") > 0
    await ann.page.goto(f"{below.url}/r/{code}")
    await expect(ann.page.get_by_role("img", name="QR code of the link to this room")).to_be_visible()
