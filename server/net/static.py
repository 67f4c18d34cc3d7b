"""The browser client's files, read once and kept ready to send.

What lives here: from a folder to a map of path → bytes, with tags, gzip variants and the version that
keeps a deploy whole. What does not: requests (pages).

index.html names its scripts and styles by `/js/…` and `/css/…`. When it is loaded these become
`/v/<version>/js/…`, where the version is a digest of all files; modules import each other by relative
paths, so they stay inside the version. Those of the first page come in one file, those of a later part in another
(joined, parts), and so do the style sheets of the first page. Such an address is never stale and may be kept
for ever; index.html itself is asked for anew each time. So one reload is enough to go from an old client to the new
one whole. Where people use an address with a path
(`https://example.org/kupa`), every address of this site that a file names is written below that path, and
the page says its public address in a `meta` for links to share.
The service worker (`/sw.js`) keeps one page for when there is no connection; it bears the version too, so
that a browser notices when that page is another one.
"""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import structlog

from server.net.bare import bare
from server.net.joined import CannotJoin, joined, part_file
from server.net.parts import PARTS

_log = structlog.get_logger(__name__)

CONTENT_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
"""Files of other kinds are not served."""
STYLES: Final = "first.css"
"""Name of the joined style sheets of the first page, beside the single ones."""
_PAGE = "/index.html"
_WORKER = "/sw.js"
_VERSION_MARK = b"VERSION"
"""Stands in the worker for the version."""
_PACKED = (".png", ".ico", ".woff2")
_COMMENTED = (".js", ".css")

_ADDRESS = re.compile(r"""(?<=\s)(src|href)="(/[^"]*)\"""")
_REFERENCE = re.compile(r"""(?<=\s)(src|href)="(/(?:js|css)/[^"?#]+)\"""")
_MODULE = re.compile(r"""<script\b[^>]*\btype="module"[^>]*\bsrc="(/js/[^"?#]+)\"""")
_STYLE = re.compile(r"""<link rel="stylesheet" href="(/css/[^"?#]+)">\n""")
_IMPORT = re.compile(r"""(?:^|;)\s*(?:import|export)\b[^;'"()]*?['"](\.{1,2}/[^'"]+)['"]""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    body: bytes
    zipped: bytes | None
    """The same with gzip, where that is smaller."""
    etag: str
    content_type: str


@dataclass(frozen=True, slots=True)
class Site:
    """All files by their path, and the version they are."""

    assets: dict[str, Asset]
    version: str
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The scripts of each part that is joined, with those it takes from others; without the first page's."""


def load(folder: Path, public_url: str = "") -> Site:
    """Read every servable file below `folder`; hidden ones are left out. OSError when it cannot be read.

    `public_url` is the address people use, or empty; it is no part of the version: it is written after it.
    """
    if not folder.is_dir():
        raise NotADirectoryError(f"no folder with the browser client: {folder}")
    files = {
        f"/{path.relative_to(folder).as_posix()}": _read(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in CONTENT_TYPES and not _is_hidden(path.relative_to(folder))
    }
    if _PAGE in files:
        files |= _first(files)
        files |= _styled(files)
    version, parts = _version(files), _parts(files)
    for path, body in files.items():
        if path.endswith(".html"):
            files[path] = _based(_pinned(body.decode(), files, version), public_url).encode()
        elif path.endswith(".webmanifest"):
            files[path] = body.replace(b'"/', f'"{urlsplit(public_url).path}/'.encode())
    if _WORKER in files:
        files[_WORKER] = files[_WORKER].replace(_VERSION_MARK, version.encode())
    return Site({path: _asset(path, body) for path, body in files.items()}, version, parts)


def _first(files: dict[str, bytes]) -> dict[str, bytes]:
    """The modules of the first page as they are sent: joined, or as they are where that cannot be done."""
    for entry in _MODULE.findall(files[_PAGE].decode()):
        if entry in files:
            folder = posixpath.dirname(entry)
            paths = {name: [f"{folder}/{root}" for root in roots] for name, roots in PARTS.items()}
            try:
                return joined(files, entry, {name: roots for name, roots in paths.items() if files.keys() >= {*roots}})
            except CannotJoin as error:
                _log.warning("client.not_joined", why=str(error))
    return {}


def _styled(files: dict[str, bytes]) -> dict[str, bytes]:
    """The first page and its style sheets as they are sent: in one file, in their order.

    A browser has six connections to a server, and the module that takes longest must not wait for one of them.
    """
    page = files[_PAGE].decode()
    paths = _STYLE.findall(page)
    if len(paths) < 2 or not files.keys() >= {*paths} or len({posixpath.dirname(path) for path in paths}) > 1:
        return {}
    path = posixpath.join(posixpath.dirname(paths[0]), STYLES)
    links = iter([f'<link rel="stylesheet" href="{path}">\n'])
    page = _STYLE.sub(lambda _: next(links, ""), page)
    return {path: b"\n".join(files[one] for one in paths), _PAGE: page.encode()}


def _parts(files: dict[str, bytes]) -> dict[str, tuple[str, ...]]:
    entries = [entry for entry in _MODULE.findall(files.get(_PAGE, b"").decode()) if entry in files]
    first = {path for entry in entries for path in (entry, *_imported(entry, files))}
    found = {name: f"{posixpath.dirname(entry)}/{part_file(name)}" for entry in entries for name in PARTS}
    return {
        name: (path, *(other for other in _imported(path, files) if other not in first))
        for name, path in found.items()
        if path in files
    }


def _read(path: Path) -> bytes:
    """A file as it is sent."""
    body = path.read_bytes()
    return bare(body.decode()).encode() if path.suffix in _COMMENTED else body


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _version(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for path, body in files.items():
        digest.update(path.encode() + b"\0" + hashlib.sha256(body).digest())
    return digest.hexdigest()[:12]


def _asset(path: str, body: bytes) -> Asset:
    suffix = Path(path).suffix
    zipped = None if suffix in _PACKED else gzip.compress(body, 9, mtime=0)
    if zipped is not None and len(zipped) >= len(body):
        zipped = None
    return Asset(body, zipped, hashlib.sha256(body).hexdigest()[:16], CONTENT_TYPES[suffix])


def _pinned(html: str, files: dict[str, bytes], version: str) -> str:
    """The page with its scripts and styles in this version, and every module announced at once.

    Each request is a connection of its own, so modules that are found only one after another would
    cost a round trip for each level.
    """
    preloads = "".join(
        f'<link rel="modulepreload" href="{path}">\n'
        for entry in _MODULE.findall(html)
        for path in _imported(entry, files)
    )
    if preloads:
        html = html.replace("</head>", f"{preloads}</head>", 1)

    def pin(match: re.Match[str]) -> str:
        name, path = match.groups()
        return f'{name}="/v/{version}{path}"' if path in files else match.group(0)

    return _REFERENCE.sub(pin, html)


def _based(html: str, public_url: str) -> str:
    """The page with its addresses below the path of the public address, which it names."""
    if not public_url:
        return html
    base = urlsplit(public_url).path
    html = _ADDRESS.sub(lambda match: f'{match.group(1)}="{base}{match.group(2)}"', html)
    return html.replace("</head>", f'<meta name="kupa-address" content="{public_url}">\n</head>', 1)


def _imported(entry: str, files: dict[str, bytes]) -> list[str]:
    """The modules `entry` imports statically, directly or not, in the order they are found."""
    found, queue = [entry], [entry]
    while queue:
        module = queue.pop(0)
        for relative in _IMPORT.findall(files.get(module, b"").decode()):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(module), relative))
            if path in files and path not in found:
                found.append(path)
                queue.append(path)
    return found[1:]
