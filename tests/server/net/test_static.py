"""The client's files as they are sent: one version at a time, never a stale one."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from server.config import CLIENT_DIR
from server.net.static import load

INDEX = """<!doctype html>
<html><head>
<link rel="stylesheet" href="/css/base.css">
<link rel="manifest" href="/manifest.webmanifest">
<script type="module" src="/js/main.js"></script>
</head><body><a href="/rules">Rules</a><a href="/js/gone.js">x</a></body></html>
"""
MAIN = """// the entry
import { a } from './a.js';
import './b/b.js';
import {
  long,
  list,
} from './list.js';
export { x } from './a.js';
const later = () => import('./later.js');
const text = "import nothing from './text.js'";
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "index.html": INDEX,
        "manifest.webmanifest": "{}",
        "css/base.css": "body { margin: 0 }\n" * 50,
        "js/main.js": MAIN,
        "js/a.js": "import './b/b.js';\n",
        "js/b/b.js": "import { c } from '../c.js';\n",
        "js/c.js": "import './main.js';\n",
        "js/list.js": "",
        "js/later.js": "",
        "js/text.js": "",
        "sw.js": "const KEEP = 'kept-VERSION';\n",
        "lang/en.json": '{"hello": "Hello"}',
        ".hidden.js": "secret",
        ".git/config.txt": "secret",
        "notes.md": "not served",
        "__init__.py": "not served",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "icon.png").write_bytes(b"\x89PNG" + bytes(1000))
    return tmp_path


def test_only_files_of_known_kinds_are_served_and_hidden_ones_never(folder: Path) -> None:
    assert sorted(load(folder).assets) == sorted(
        [
            "/index.html", "/manifest.webmanifest", "/css/base.css", "/js/main.js", "/js/a.js", "/js/b/b.js",
            "/js/c.js", "/js/list.js", "/js/later.js", "/js/text.js", "/lang/en.json", "/icon.png", "/sw.js",
        ]
    )  # fmt: skip


def test_scripts_and_styles_of_a_page_are_pinned_to_the_version(folder: Path) -> None:
    site = load(folder)
    html = site.assets["/index.html"].body.decode()
    assert f'src="/v/{site.version}/js/main.js"' in html
    assert f'href="/v/{site.version}/css/base.css"' in html
    assert 'href="/rules"' in html
    assert 'href="/manifest.webmanifest"' in html
    assert 'href="/js/gone.js"' in html


def test_style_sheets_of_the_first_page_come_in_one_file_in_their_order(folder: Path) -> None:
    two = INDEX.replace('href="/css/base.css">', 'href="/css/base.css">\n<link rel="stylesheet" href="/css/more.css">')
    (folder / "index.html").write_text(two)
    (folder / "other.html").write_text(two)
    (folder / "css" / "more.css").write_text("body { margin: 1px }")
    site = load(folder)
    html = site.assets["/index.html"].body.decode()
    assert re.findall(r'href="([^"]+\.css)"', html) == [f"/v/{site.version}/css/first.css"]
    assert site.assets["/css/first.css"].body.endswith(b"body { margin: 0 }\n\nbody { margin: 1px }")
    assert site.assets["/css/more.css"].body == b"body { margin: 1px }", "other pages name the single ones"
    assert "/css/more.css" in site.assets["/other.html"].body.decode()


def test_one_style_sheet_or_one_that_is_not_there_stays_as_it_is(folder: Path) -> None:
    assert "/css/first.css" not in load(folder).assets
    lost = INDEX.replace('href="/css/base.css">', 'href="/css/base.css">\n<link rel="stylesheet" href="/css/gone.css">')
    (folder / "index.html").write_text(lost)
    assert "/css/first.css" not in load(folder).assets


def test_every_module_that_is_imported_is_announced_once(folder: Path) -> None:
    site = load(folder)
    html = site.assets["/index.html"].body.decode()
    announced = re.findall(rf'<link rel="modulepreload" href="/v/{site.version}(/js/[^"]+)">', html)
    assert sorted(announced) == ["/js/a.js", "/js/b/b.js", "/js/c.js", "/js/list.js"]


def test_the_version_changes_with_any_file(folder: Path) -> None:
    before = load(folder).version
    assert load(folder).version == before
    (folder / "lang" / "en.json").write_text("{}")
    changed = load(folder).version
    assert changed != before
    (folder / "js" / "new.js").write_text("")
    assert load(folder).version != changed
    assert re.fullmatch("[0-9a-f]{12}", before)


def test_the_service_worker_bears_the_version_and_keeps_no_script(folder: Path) -> None:
    site = load(folder)
    assert site.assets["/sw.js"].body.decode() == f"const KEEP = 'kept-{site.version}';\n"
    real = load(CLIENT_DIR).assets["/sw.js"].body.decode()
    kept = set(re.findall(r"'([a-z]+\.(?:html|css|svg|js|json))'", real))
    assert kept == {"offline.html", "offline.css", "icon.svg"}
    assert {f"/{name}" for name in kept} <= load(CLIENT_DIR).assets.keys()


def test_a_zipped_variant_is_kept_where_it_is_smaller(folder: Path) -> None:
    assets = load(folder).assets
    style = assets["/css/base.css"]
    assert style.zipped is not None
    assert gzip.decompress(style.zipped) == style.body
    assert assets["/icon.png"].zipped is None
    assert assets["/manifest.webmanifest"].zipped is None


def test_types_are_what_browsers_insist_on(folder: Path) -> None:
    assets = load(folder).assets
    assert assets["/js/main.js"].content_type == "text/javascript; charset=utf-8"
    assert assets["/css/base.css"].content_type == "text/css; charset=utf-8"
    assert assets["/icon.png"].content_type == "image/png"


def test_a_folder_that_is_not_there_is_an_error_at_start(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no folder"):
        load(tmp_path / "nowhere")


def test_the_real_client_can_be_served() -> None:
    site = load(CLIENT_DIR)
    assert "/js/wire.gen.js" in site.assets
    for path, asset in site.assets.items():
        if path.endswith(".html"):
            references = re.findall(r'(?:src|href)="(/(?:js|css|v)/[^"?#]+)"', asset.body.decode())
            assert [r for r in references if not r.startswith(f"/v/{site.version}/")] == []
            assert [r for r in references if r.removeprefix(f"/v/{site.version}") not in site.assets] == []


def test_everything_the_first_page_loads_is_at_most_90_kb_compressed() -> None:
    assets = load(CLIENT_DIR).assets
    html = assets["/index.html"].body.decode()
    named = {re.sub(r"^/v/[0-9a-f]{12}", "", path) for path in re.findall(r'(?:src|href)="(/[^"]+)"', html)}
    languages = [path for path in assets if re.fullmatch(r"/lang/[a-z]+\.json", path)]
    weight = {path: len(assets[path].zipped or assets[path].body) for path in {"/index.html", *named, *languages}}
    heaviest_language = max(weight.pop(path) for path in languages)
    assert {"/js/first.js", "/js/main.js", "/css/first.css"} <= weight.keys()
    assert sum(weight.values()) + heaviest_language <= 90_000, weight


def test_the_installed_client_has_a_name_and_icons_that_are_there() -> None:
    assets = load(CLIENT_DIR).assets
    manifest = json.loads(assets["/manifest.webmanifest"].body)
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    assert all(assets[icon["src"]].content_type == icon["type"] for icon in manifest["icons"])


def test_the_icon_for_home_screens_without_svg_is_drawn_from_the_present_svg() -> None:
    assets = load(CLIENT_DIR).assets
    picture, drawing = assets["/icon-180.png"], assets["/icon-maskable.svg"]
    assert picture.content_type == "image/png"
    assert picture.body[:24] == b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (180).to_bytes(4) * 2
    drawn = hashlib.sha256(drawing.body).hexdigest().encode()
    assert drawn in picture.body, "the drawing has changed: python -m tests.icon"
    assert b'<link rel="apple-touch-icon" href="/icon-180.png">' in assets["/index.html"].body


def test_the_real_modules_import_each_other_by_relative_paths() -> None:
    imports = re.compile(r"""(?:from|import)\s*\(?\s*['"]([^'"]+)['"]""")
    absolute = [
        f"{path.name}: {name}"
        for path in (CLIENT_DIR / "js").rglob("*.js")
        for name in imports.findall(path.read_text(encoding="utf-8"))
        if name.startswith("/")
    ]
    assert absolute == []


def test_below_a_path_every_address_of_a_page_lies_there_and_the_page_says_where_it_is(folder: Path) -> None:
    site = load(folder, "https://example.org/kupa")
    html = site.assets["/index.html"].body.decode()
    assert f'src="/kupa/v/{site.version}/js/main.js"' in html
    assert 'href="/kupa/manifest.webmanifest"' in html
    assert '<meta name="kupa-address" content="https://example.org/kupa">' in html
    assert site.version == load(folder).version
    manifest = json.loads(load(CLIENT_DIR, "https://example.org/kupa").assets["/manifest.webmanifest"].body)
    assert (manifest["start_url"], manifest["scope"]) == ("/kupa/", "/kupa/")
    assert all(icon["src"].startswith("/kupa/") for icon in manifest["icons"])
