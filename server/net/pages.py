"""Every page but the socket: files, invitations as QR codes, health.

What lives here: from a request to a reply, for GET and HEAD (ruling 29). What does not: reading files
(static), the socket's handshake (listener). A request's path is only ever looked up in a map or matched
against a pattern: it never becomes a path on disk (reliability S13).
"""

from __future__ import annotations

import io
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

import msgspec
import segno
from websockets.datastructures import Headers
from websockets.http11 import Response

from server.net.parts import wanted
from server.net.static import Asset, load

CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
SECURITY: Final = (
    ("Content-Security-Policy", CSP),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)
"""On every reply (reliability S12)."""

_PAGE = re.compile(
    r"/(?:new|solo|daily|leaderboards|rules|examples|faq|lobby|settings|device|boards|stats|about|replay|t)?"
    r"|/(?:r|d|t|g|solo|rules|examples|replay)/[A-Za-z0-9-]{1,40}(?:/[a-z]{1,16})?"
    r"|/daily/[0-9]{4}-[0-9]{2}-[0-9]{2}(?:/[A-Z0-9-]{1,8}(?:/practice)?)?"
    r"|/player/[A-Z]{10}"
)
"""Addresses of the client's own pages: each is answered with index.html, which finds its way."""
_OWN = re.compile(r"/t/[A-Za-z0-9-]{1,40}/(screen|print)")
"""Pages with a document of their own: nothing of the player's client is on them."""
_LOST = re.compile(
    r"/(?!(?:api|v|js|css|lang|data|qr|ws|healthz|readyz)(?:/|$))[A-Za-z0-9_-]{1,64}(?:/[A-Za-z0-9_-]{1,64}){0,5}/?"
)
"""Addresses that somebody may have mistyped: a browser that opens one gets the client's page, which says so."""
_API = re.compile(r"/api(?:/|$)")
"""Addresses that programs read: all that is said there is JSON, or a table that was asked for."""
_VERSIONED = re.compile(r"/v/[0-9a-f]{12}(/.+)")
_QR = re.compile(r"/qr(/[rtg]/[A-Za-z0-9]{1,16}|/)\.svg")
_HOST = re.compile(r"[A-Za-z0-9.\-]{1,253}(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?")
_REASONS = {
    200: "OK", 304: "Not Modified", 308: "Permanent Redirect",
    400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    426: "Upgrade Required", 429: "Too Many Requests", 500: "Internal Server Error", 503: "Service Unavailable",
    505: "HTTP Version Not Supported",
}  # fmt: skip


JSON: Final = "application/json; charset=utf-8"
LANGUAGES = ("en", "tr", "id")
"""Of the client, the one for everybody else first."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request for anything but the socket. `path` is as sent, without the query."""

    method: str
    path: str
    query: str
    headers: Headers
    address: str
    """The client's address, or empty."""

    def header(self, name: str) -> str:
        """A header's value, several joined by commas; empty when it was not sent."""
        return ", ".join(self.headers.get_all(name))


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered; security headers, length and `Connection: close` come with it by themselves."""

    status: int
    body: bytes = b""
    content_type: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


Route = Callable[[PageRequest], "Reply | Awaitable[Reply]"]


def text(status: int, words: str = "", *headers: tuple[str, str]) -> Reply:
    """A short plain reply that nobody keeps."""
    return Reply(status, f"{words or _REASONS[status]}\n".encode(), headers=(("Cache-Control", "no-store"), *headers))


def refused(status: int, code: str, *headers: tuple[str, str]) -> Reply:
    """A refusal of the API, as `{"error": code}`; nobody keeps it."""
    return Reply(status, msgspec.json.encode({"error": code}), JSON, (("Cache-Control", "no-store"), *headers))


def response(reply: Reply, method: str = "GET") -> Response:
    """The reply as HTTP; HEAD gets the same without the body."""
    headers = Headers([("Connection", "close"), *SECURITY, *reply.headers])
    if reply.status != 304:
        headers["Content-Type"] = reply.content_type
        headers["Content-Length"] = str(len(reply.body))
    body = b"" if method == "HEAD" else reply.body
    return Response(reply.status, _REASONS.get(reply.status, "Status"), headers, body)


class Pages:
    """Answers requests out of memory.

    `parts` are the scripts of the client's later parts (`static.Site`). `public_url` is the address people use, for
    QR codes; without one the host that was asked for is taken. `ready` answers None, or why this process should get
    no new visitors.
    """

    def __init__(
        self,
        assets: dict[str, Asset],
        version: str = "",
        *,
        parts: Mapping[str, Sequence[str]] = MappingProxyType({}),
        public_url: str = "",
        ready: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._assets = assets
        self._version = version
        self._parts = parts
        self._public_url = public_url.rstrip("/")
        self._ready = ready
        self._routes: dict[str, Route] = {}

    @classmethod
    def load(cls, folder: Path, *, public_url: str = "", ready: Callable[[], str | None] = lambda: None) -> Pages:
        """Pages over the files below `folder`, read now. OSError when it cannot be read."""
        site = load(folder, public_url.rstrip("/"))
        return cls(site.assets, site.version, parts=site.parts, public_url=public_url, ready=ready)

    def route(self, path: str, answer: Route) -> None:
        """Answer requests for `path`, or for whatever lies below it when it ends in `/`; the longest path counts."""
        self._routes[path] = answer

    def answer(self, request: PageRequest) -> Reply | Awaitable[Reply]:
        """The reply to a request; a route of a service may take its time."""
        if request.method not in ("GET", "HEAD"):
            allowed = ("Allow", "GET, HEAD")
            return refused(405, "method", allowed) if _API.match(request.path) else text(405, "", allowed)
        path = request.path
        if path == "/healthz":
            return text(200, "ok")
        if path == "/readyz":
            reason = self._ready()
            return text(200, "ready") if reason is None else text(503, reason, ("Retry-After", "2"))
        route = self._route_of(path)
        if route is not None:
            return route(request)
        qr = _QR.fullmatch(path)
        if qr is not None:
            return self._invitation(request, qr.group(1))
        return self._file(request)

    def _route_of(self, path: str) -> Route | None:
        route, end = self._routes.get(path), path.rfind("/")
        while route is None and end >= 0:
            route, end = self._routes.get(path[: end + 1]), path.rfind("/", 0, end)
        return route

    def _file(self, request: PageRequest) -> Reply:
        """A file by its path, or by its path in a version, or index.html for one of the client's pages."""
        path, keep = request.path, "no-cache"
        if _PAGE.fullmatch(path):
            own = _OWN.fullmatch(path)
            path = f"/{own.group(1)}.html" if own else "/index.html"
        versioned = _VERSIONED.fullmatch(path)
        if versioned is not None:
            # Of another version: a process from before or after a deploy. What is served may not be kept.
            keep = "public, max-age=31536000, immutable" if path.startswith(f"/v/{self._version}/") else "no-store"
            path = versioned.group(1)
        asset = self._assets.get(path)
        if asset is None:
            return self._lost(request)
        reply = _reply(asset, request, keep)
        return self._announcing(reply, request) if path == "/index.html" else reply

    def _lost(self, request: PageRequest) -> Reply:
        """What is not there: in the client's words for who reads pages, in the API's for programs, else bare."""
        if _API.match(request.path):
            return refused(404, "not_found")
        page = self._assets.get("/index.html")
        reads = "text/html" in request.header("Accept").lower()
        if page is None or not reads or not _LOST.fullmatch(request.path):
            return text(404)
        zipped = page.zipped if _takes_gzip(request.header("Accept-Encoding")) else None
        coding = () if zipped is None else (("Content-Encoding", "gzip"),)
        headers = (("Cache-Control", "no-store"), ("Vary", "Accept, Accept-Encoding"), *coding)
        return self._announcing(
            Reply(404, page.body if zipped is None else zipped, page.content_type, headers), request
        )

    def _announcing(self, reply: Reply, request: PageRequest) -> Reply:
        """The client's page, with word of what it is going to ask for at this address: it sets out at once."""
        language = _language(request.header("Accept-Language"))
        want = wanted(request.path)
        asked = [(path, "modulepreload") for part in want.part for path in self._parts.get(part, ())]
        asked += [(f"/css/{name}.css", "preload; as=style") for name in want.styles]
        words = ["", want.words] if want.words else [""]
        asked += [(f"/lang/{begin}{language}.json", "preload; as=fetch; crossorigin=anonymous") for begin in words]
        base = f"{urlsplit(self._public_url).path}/v/{self._version}"
        known = dict.fromkeys((path, how) for path, how in asked if path in self._assets)
        if not known:
            return reply
        kept = [(name, f"{value}, Accept-Language" if name == "Vary" else value) for name, value in reply.headers]
        link = ", ".join(f"<{base}{path}>; rel={how}" for path, how in known)
        return replace(reply, headers=(*kept, ("Link", link)))

    def _invitation(self, request: PageRequest, path: str) -> Reply:
        """The QR code of an address of this site."""
        base = self._public_url
        if not base:
            hosts = request.headers.get_all("Host")
            if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
                return text(400)
            # Only the one who asks sees the answer: believing them harms nobody
            scheme = "https" if request.header("X-Forwarded-Proto") == "https" else "http"
            base = f"{scheme}://{hosts[0]}"
        return Reply(200, _qr_svg(base + path), "image/svg+xml", (("Cache-Control", "private, max-age=3600"),))


def _reply(asset: Asset, request: PageRequest, keep: str) -> Reply:
    zipped = asset.zipped is not None and _takes_gzip(request.header("Accept-Encoding"))
    etag = f'"{asset.etag}{"-gz" if zipped else ""}"'
    headers = [("ETag", etag), ("Cache-Control", keep)]
    if asset.zipped is not None:
        headers.append(("Vary", "Accept-Encoding"))
    known = {tag.strip().removeprefix("W/") for tag in request.header("If-None-Match").split(",")}
    if etag in known or "*" in known:
        return Reply(304, headers=tuple(headers))
    if zipped and asset.zipped is not None:
        return Reply(200, asset.zipped, asset.content_type, (*headers, ("Content-Encoding", "gzip")))
    return Reply(200, asset.body, asset.content_type, tuple(headers))


def _language(accepts: str) -> str:
    """The first of the client's languages that a browser asks for (`chooseLanguage` in client_web/js/i18n.js)."""
    for part in accepts.lower().split(","):
        base = re.split("[-_;]", part.strip(), maxsplit=1)[0]
        if (tag := "id" if base == "in" else base) in LANGUAGES:
            return tag
    return LANGUAGES[0]


def _takes_gzip(accepts: str) -> bool:
    for part in accepts.lower().split(","):
        coding, _, parameters = part.strip().partition(";")
        if coding.strip() == "gzip":
            return parameters.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


@lru_cache(maxsize=1024)
def _qr_svg(address: str) -> bytes:
    out = io.BytesIO()
    segno.make_qr(address, error="m").save(out, kind="svg", scale=8, border=4, light="#fff")
    return out.getvalue()
