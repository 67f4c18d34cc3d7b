"""Pages: what is served, how long it may be kept, and the headers on everything."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from websockets.datastructures import Headers

from server.config import CLIENT_DIR
from server.net.pages import CSP, LANGUAGES, PageRequest, Pages, Reply, response, text
from server.net.parts import wanted
from server.net.static import Asset, load

VERSION = "0123456789ab"
BODY = b"<!doctype html><title>Kupa</title>" * 9
ASSETS = {
    "/index.html": Asset(BODY, gzip.compress(BODY, mtime=0), "aaaa", "text/html; charset=utf-8"),
    "/js/main.js": Asset(b"main", None, "bbbb", "text/javascript; charset=utf-8"),
}


def ask(path: str, method: str = "GET", pages: Pages | None = None, **headers: str) -> Reply:
    """The reply to a request; header names with `_` for `-`."""
    sent = Headers({name.replace("_", "-"): value for name, value in headers.items()})
    where, _, query = path.partition("?")
    pages = pages if pages is not None else Pages(ASSETS, VERSION)
    reply = pages.answer(PageRequest(method, where, query, sent, "203.0.113.9"))
    assert isinstance(reply, Reply)
    return reply


def header(reply: Reply, name: str) -> str:
    return response(reply).headers.get(name, "")


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    "path",
    ["/", "/new", "/solo", "/solo/DS1-D1N", "/daily", "/rules", "/rules/single", "/examples/king-only", "/faq",
     "/settings", "/device", "/r/KMPQR", "/r/kmpqr", "/d/DS1-D1N-ABCD",
     "/daily/2026-07-29", "/daily/2026-07-29/DS1-D1N", "/daily/2026-07-29/SS1-D3N/practice", "/leaderboards",
     "/player/KMPQRTVWXY",
     "/t/KMPQR", "/t/KMPQR/host", "/replay/KMPQRTVWXY", "/index.html"],
)  # fmt: skip
def test_the_clients_pages_are_one_file(path: str) -> None:
    assert ask(path).body == BODY
    assert header(ask(path), "Cache-Control") == "no-cache"


@pytest.mark.parametrize("word", ["screen", "print"])
def test_the_screen_of_a_hall_and_what_is_printed_are_documents_of_their_own(word: str) -> None:
    own = Asset(b"own", None, "cccc", "text/html; charset=utf-8")
    assert ask(f"/t/KMPQR/{word}", pages=Pages({**ASSETS, f"/{word}.html": own}, VERSION)).body == b"own"


@pytest.mark.parametrize(
    "path", ["/nothing", "/r", "/r/A/B/C", "/js", "/js/", "/js/main", "/v", "/v/", "/qr/", "/x.js"]
)
def test_what_is_not_there_is_404_and_not_kept(path: str) -> None:
    reply = ask(path)
    assert reply.status == 404
    assert header(reply, "Cache-Control") == "no-store"


@pytest.mark.parametrize("path", ["/nope", "/r/", "/d/", "/p/nope", "/player/nope", "/r/A/B/C", "/t/KMPQR/a/b"])
def test_who_reads_pages_is_told_in_the_words_of_the_client_that_there_is_none(path: str) -> None:
    reply = ask(path, Accept="text/html,*/*;q=0.8", Accept_Encoding="gzip")
    assert (reply.status, gzip.decompress(reply.body)) == (404, BODY)
    assert ask(path, Accept="text/html").body == BODY
    assert header(reply, "Cache-Control") == "no-store"
    assert ask(path, Accept="application/json").body == b"Not Found\n"


@pytest.mark.parametrize(
    "path",
    ["/v/nope", "/js/main", "/css/", "/lang/en", "/ws/a", "/x.js", "/r/../nope", "/%2e/nope",
     "/r//nope", "/a/b/c/d/e/f/g", f"/{'a' * 65}"],
)  # fmt: skip
def test_files_and_what_nobody_mistypes_have_their_bare_404(path: str) -> None:
    reply = ask(path, Accept="text/html")
    assert (reply.status, reply.body) == (404, b"Not Found\n")


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/heats", "/api/a/b"])
def test_the_api_refuses_as_json_whoever_asks(path: str) -> None:
    for method, status, code in (("GET", 404, "not_found"), ("POST", 405, "method")):
        reply = ask(path, method, Accept="text/html")
        assert (reply.status, json.loads(reply.body)) == (status, {"error": code})
        assert header(reply, "Cache-Control") == "no-store"
        assert reply.content_type == "application/json; charset=utf-8"
    assert header(ask(path, "POST"), "Allow") == "GET, HEAD"


def test_a_file_in_this_version_may_be_kept_for_ever() -> None:
    reply = ask(f"/v/{VERSION}/js/main.js")
    assert (reply.status, reply.body) == (200, b"main")
    assert header(reply, "Cache-Control") == "public, max-age=31536000, immutable"


def test_a_file_in_another_version_is_served_and_not_kept() -> None:
    reply = ask("/v/fedcba987654/js/main.js")
    assert (reply.status, reply.body) == (200, b"main")
    assert header(reply, "Cache-Control") == "no-store"


def test_a_file_without_a_version_is_asked_for_again_each_time() -> None:
    reply = ask("/js/main.js")
    assert header(reply, "Cache-Control") == "no-cache"
    assert header(reply, "ETag") == '"bbbb"'
    again = ask("/js/main.js", If_None_Match='"bbbb"')
    assert (again.status, again.body) == (304, b"")
    assert header(again, "ETag") == '"bbbb"'
    assert ask("/js/main.js", If_None_Match='"old"').status == 200


@pytest.mark.parametrize("known", ['W/"aaaa"', '"x", "aaaa"', "*"])
def test_a_copy_that_is_known_is_not_sent_again(known: str) -> None:
    assert ask("/", If_None_Match=known).status == 304


@pytest.mark.parametrize("accepts", ["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8", "GZIP"])
def test_who_takes_gzip_gets_gzip(accepts: str) -> None:
    reply = ask("/", Accept_Encoding=accepts)
    assert gzip.decompress(reply.body) == BODY
    assert header(reply, "Content-Encoding") == "gzip"
    assert header(reply, "Vary") == "Accept-Encoding"
    assert header(reply, "ETag") == '"aaaa-gz"'


@pytest.mark.parametrize("accepts", ["", "identity", "gzip;q=0", "gzip; q=0.0", "xgzip"])
def test_who_does_not_take_gzip_gets_the_file(accepts: str) -> None:
    reply = ask("/", Accept_Encoding=accepts)
    assert reply.body == BODY
    assert header(reply, "Content-Encoding") == ""
    assert header(reply, "Vary") == "Accept-Encoding"


# ---------------------------------------------------------------- methods and headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW", ""])
def test_only_get_and_head_are_served(method: str) -> None:
    for path in ("/", "/healthz", "/qr/r/KMPQR.svg", "/nothing"):
        reply = ask(path, method)
        assert reply.status == 405
        assert header(reply, "Allow") == "GET, HEAD"


def test_head_has_the_length_and_not_the_body() -> None:
    answered = response(ask("/", "HEAD"), "HEAD")
    assert answered.body == b""
    assert answered.headers["Content-Length"] == str(len(BODY))


@pytest.mark.parametrize("path", ["/", "/js/main.js", "/nothing", "/healthz", "/readyz", "/qr/r/KMPQR.svg"])
def test_security_headers_are_on_everything(path: str) -> None:
    headers = response(ask(path, Host="kupa.local")).headers
    assert headers["Content-Security-Policy"] == CSP
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Connection"] == "close"


def test_the_policy_lets_nothing_in_but_our_own() -> None:
    assert CSP == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; manifest-src 'self'"
    )


def test_a_reply_without_a_body_says_so() -> None:
    assert response(text(405)).headers["Content-Length"] == str(len("Method Not Allowed\n"))
    assert "Content-Length" not in response(Reply(304)).headers


# ---------------------------------------------------------------- health


def test_health_is_about_the_process_and_readiness_about_visitors() -> None:
    reason: list[str | None] = [None]
    pages = Pages(ASSETS, VERSION, ready=lambda: reason[0])
    assert ask("/readyz", pages=pages).status == 200
    reason[0] = "store away"
    assert ask("/healthz", pages=pages).status == 200
    unready = ask("/readyz", pages=pages)
    assert (unready.status, unready.body) == (503, b"store away\n")
    assert header(unready, "Cache-Control") == "no-store"


# ---------------------------------------------------------------- invitations


def test_an_invitation_is_a_qr_code_of_the_public_address() -> None:
    pages = Pages(ASSETS, VERSION, public_url="https://play.example.org/")
    reply = ask("/qr/r/KMPQR.svg", pages=pages)
    assert (reply.status, reply.content_type) == (200, "image/svg+xml")
    assert reply.body.lstrip().startswith((b"<?xml", b"<svg"))
    assert b"<script" not in reply.body
    assert b"style=" not in reply.body
    assert reply.body != ask("/qr/r/KMPQS.svg", pages=pages).body
    assert ask("/qr/g/KMPQRTVWXY.svg", pages=pages).status == 200
    assert reply.body == ask("/qr/r/KMPQR.svg", pages=pages, Host="evil.example").body
    deeper = Pages({}, public_url="https://play.example.org/kupa")
    assert ask("/qr/r/KMPQR.svg", pages=deeper).body != ask("/qr/r/KMPQR.svg", pages=pages).body


@pytest.mark.parametrize("host", ["192.168.1.20:8000", "kupa.local", "[fe80::1]:8000"])
def test_without_a_public_address_it_is_the_host_that_was_asked_for(host: str) -> None:
    shown = ask("/qr/r/KMPQR.svg", Host=host)
    assert shown.body == ask("/qr/r/KMPQR.svg", pages=Pages({}, public_url=f"http://{host}")).body
    secure = ask("/qr/r/KMPQR.svg", Host=host, X_Forwarded_Proto="https")
    assert secure.body == ask("/qr/r/KMPQR.svg", pages=Pages({}, public_url=f"https://{host}")).body
    assert re.search("private", header(shown, "Cache-Control"))


@pytest.mark.parametrize("host", ["", "a b", "evil.example/path?", "x" * 300, "user@host", "host:port", "<x>"])
def test_a_host_that_is_none_makes_no_code(host: str) -> None:
    assert ask("/qr/r/KMPQR.svg", Host=host).status == 400


def test_two_hosts_make_no_code() -> None:
    headers = Headers()
    headers["Host"] = "a"
    headers["Host"] = "b"
    reply = Pages({}).answer(PageRequest("GET", "/qr/r/KMPQR.svg", "", headers, ""))
    assert isinstance(reply, Reply)
    assert reply.status == 400


# ---------------------------------------------------------------- routes of services


def test_a_route_is_a_path_or_everything_below_one() -> None:
    pages = Pages(ASSETS, VERSION)
    pages.route("/api/rooms", lambda request: text(200, "rooms"))
    pages.route("/api/heats/", lambda request: text(200, request.path))
    assert ask("/api/rooms?x=1", pages=pages).body == b"rooms\n"
    assert ask("/api/heats/KMPQRTVWXY", pages=pages).body == b"/api/heats/KMPQRTVWXY\n"
    assert ask("/api/heats/a/b", pages=pages).body == b"/api/heats/a/b\n"
    assert ask("/api/heats", pages=pages).status == 404
    assert ask("/api/room", pages=pages).status == 404


@pytest.mark.parametrize(
    ("accepts", "tag"),
    [("tr-TR,tr;q=0.9,en;q=0.8", "tr"), ("fr, in;q=0.5", "id"), ("de", "en"), ("", "en"), ("EN_us;q=1", "en")],
)
def test_the_page_comes_with_word_of_the_texts_that_the_browser_will_ask_for(accepts: str, tag: str) -> None:
    assets = ASSETS | {f"/lang/{each}.json": ASSETS["/index.html"] for each in ("en", "tr", "id")}
    pages = Pages(assets, VERSION, public_url="https://example.org/kupa")
    reply = ask("/solo", pages=pages, **{"Accept-Language": accepts})
    assert header(reply, "Link") == f"</kupa/v/{VERSION}/lang/{tag}.json>; rel=preload; as=fetch; crossorigin=anonymous"
    assert "Accept-Language" in header(reply, "Vary")
    assert header(ask("/js/main.js", pages=pages), "Link") == ""


@pytest.mark.parametrize(
    ("path", "announced"),
    [
        ("/", ["lang/tr.json"]),
        ("/r/ABCDE", ["lang/tr.json"]),
        ("/solo", ["js/solo.part.js", "css/solo.css", "lang/tr.json"]),
        (
            "/solo/DS1-D1N",
            ["js/solo.part.js", "js/table.part.js", "js/rules.part.js", "css/solo.css", "lang/tr.json"],
        ),
        ("/daily", ["js/daily.part.js", "css/daily.css", "lang/tr.json"]),
        ("/leaderboards", ["js/daily.part.js", "css/daily.css", "lang/tr.json"]),
        ("/rules", ["js/book.part.js", "js/rules.part.js", "css/book.css", "lang/tr.json", "lang/pages.tr.json"]),
        ("/t/ABCDE", ["js/tournament.part.js", "css/tournament.css", "lang/tr.json", "lang/tournament.tr.json"]),
        ("/t/ABCDE/screen", []),
    ],
)
def test_the_page_is_told_what_its_address_is_going_to_ask_for(path: str, announced: list[str]) -> None:
    pages = Pages.load(CLIENT_DIR)
    link = header(ask(path, pages=pages, **{"Accept-Language": "tr"}), "Link")
    assert re.findall(r"</v/[0-9a-f]{12}/([^>]+)>", link) == announced
    assert link.count("rel=modulepreload") == sum(name.endswith(".js") for name in announced)
    assert link.count("rel=preload; as=style") == sum(name.endswith(".css") for name in announced)


def test_all_that_addresses_announce_is_there() -> None:
    site = load(CLIENT_DIR)
    for path in ("/solo", "/d/x", "/daily", "/daily/2026-01-01/DS1-D1N", "/rules", "/replay/x", "/t", "/t/ABCDE/host"):
        want = wanted(path)
        assert want.part
        assert {*want.part} <= site.parts.keys()
        assert {f"/css/{name}.css" for name in want.styles} <= site.assets.keys()
        assert not want.words or {f"/lang/{want.words}{tag}.json" for tag in LANGUAGES} <= site.assets.keys()
