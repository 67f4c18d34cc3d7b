"""Modules joined into one file: the browser runs what the sources say, and each module is there once."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from server.config import CLIENT_DIR
from server.net.joined import CannotJoin, joined
from server.net.parts import PARTS as PARTS_OF_CLIENT
from server.net.static import load

FILES = {
    "/js/main.js": "import { first as one, Thing } from './a.js';\nimport * as all from './deep/b.js';\n"
    "import './side.js';\n"
    "console.log(JSON.stringify([one(), all.two, new Thing() instanceof all.Kept, globalThis.side]));\n"
    "const later = await import('./later.js');\nconsole.log(JSON.stringify(later.same(Thing)));\n",
    "/js/a.js": "import {\n  two,\n  Kept,\n} from './deep/b.js';\nexport function first() { return two + 1; }\n"
    "export class Thing extends Kept {}\nexport async function slow() {}\n",
    "/js/deep/b.js": "export * from './c.js';\nexport { three as tres } from './c.js';\nexport class Kept {}\n",
    "/js/deep/c.js": "export const two = 2;\nexport const three = 3;\n",
    "/js/side.js": "globalThis.side = (globalThis.side ?? 0) + 1;\n",
    "/js/later.js": "import { Thing } from './a.js';\nimport { tres } from './deep/b.js';\nimport './side.js';\n"
    "export const same = (other) => [other === Thing, tres, globalThis.side];\n",
}


def packed(files: dict[str, str]) -> dict[str, bytes]:
    return {path: text.encode() for path, text in files.items()}


def run(files: dict[str, bytes], folder: Path) -> list[object]:
    """What the entry says."""
    for path, body in files.items():
        place = folder / path.removeprefix("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)
    (folder / "package.json").write_text('{"type": "module"}')
    done = subprocess.run(["node", "js/main.js"], cwd=folder, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_joined_modules_do_what_the_single_ones_do(tmp_path: Path) -> None:
    single = packed(FILES)
    said = run(single, tmp_path / "single")
    assert run(single | joined(single, "/js/main.js"), tmp_path / "joined") == said
    assert said == [[3, 2, True, 1], [True, 3, 1]], "what is loaded later finds the very same modules, run once"


PARTED = FILES | {
    "/js/main.js": FILES["/js/main.js"]
    + "const more = await import('./deep/more.js');\nconsole.log(JSON.stringify(more.sum(Thing)));\n",
    "/js/deep/more.js": "import { same } from '../later.js';\nimport { two } from './c.js';\n"
    "import { lone } from './lone.js';\nexport const sum = (thing) => [...same(thing), two, lone];\n",
    "/js/deep/lone.js": "export const lone = 'lone';\n",
}
PARTS = {"late": ["/js/later.js"], "more": ["/js/deep/more.js"]}


def test_parts_do_what_the_single_modules_do_and_share_what_both_import(tmp_path: Path) -> None:
    single = packed(PARTED)
    said = run(single, tmp_path / "single")
    assert run(single | joined(single, "/js/main.js", PARTS), tmp_path / "joined") == said
    assert said[-1] == [True, 3, 1, 2, "lone"]


def test_a_part_is_one_file_that_takes_from_the_others_what_they_hold() -> None:
    made = joined(packed(PARTED), "/js/main.js", PARTS)
    assert sorted(path for path in made if path.endswith(".part.js")) == ["/js/late.part.js", "/js/more.part.js"]
    more = made["/js/more.part.js"].decode()
    assert [line.split()[-1] for line in more.splitlines() if line.startswith("import")] == [
        "'./late.part.js';",
        "'./first.js';",
    ]
    assert more.count("const lone = 'lone';") == 1
    assert b"globalThis.side" not in made["/js/more.part.js"]


def test_what_loads_a_part_asks_for_its_file_and_for_others_as_it_is_written() -> None:
    entry = PARTED["/js/main.js"] + "export_(() => import('./other.js'));\n"
    made = joined(packed(PARTED | {"/js/main.js": entry}), "/js/main.js", PARTS)["/js/main.js"].decode()
    assert "await import('./late.part.js').then(({ $" in made
    assert "await import('./more.part.js').then(({ $" in made
    assert "import('./other.js')" in made
    assert "later.js" not in made


def test_the_entry_asks_for_one_file() -> None:
    made = joined(packed(FILES), "/js/main.js")
    assert made["/js/main.js"].count(b"import {") == 1
    assert made["/js/deep/c.js"] == b"import { $0 } from '../first.js';\nexport const { two, three } = $0;\n"
    assert "/js/later.js" not in made


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("/js/a.js", "import './main.js';\nexport const first = 1;\nexport class Thing {}\n", "/js/main.js"),
        ("/js/a.js", "export default 1;\n", "export default 1"),
        ("/js/a.js", "export let first = 1;\n", "export let first"),
        ("/js/a.js", "import x from './side.js';\n", "import x from"),
        ("/js/a.js", "import './gone.js';\n", "gone.js"),
        ("/js/deep/c.js", "export const two = () => import('./more.js');\n", "own address"),
    ],
)
def test_what_cannot_be_joined_is_named(path: str, text: str, why: str) -> None:
    with pytest.raises(CannotJoin, match=why):
        joined(packed(FILES | {path: text}), "/js/main.js")


def test_the_real_client_is_two_files_at_first() -> None:
    assets = load(CLIENT_DIR).assets
    assert "/js/first.js" in assets
    assert assets["/js/main.js"].body.count(b"import {") == 1
    html = assets["/index.html"].body.decode()
    assert html.count("modulepreload") == 1


def test_every_later_part_of_the_real_client_is_one_file_and_nothing_is_loaded_singly() -> None:
    site = load(CLIENT_DIR)
    joint = {path: asset.body.decode() for path, asset in site.assets.items() if path.startswith("/js/")}
    assert sorted(site.parts) == sorted(PARTS_OF_CLIENT)
    texts = [
        text for path, text in joint.items() if path in ("/js/main.js", "/js/first.js") or path.endswith(".part.js")
    ]
    loaded = {name for text in texts for name in re.findall(r"\bimport\('\./([^']+)'\)\.then", text)}
    assert loaded == {f"{name}.part.js" for name in PARTS_OF_CLIENT if name != "rules"}
    singly = {path for text in texts for path in re.findall(r"\bimport\('([^']+)'\)(?!\.then)", text)}
    assert singly == set()


@pytest.mark.parametrize(
    ("part", "others"),
    [("solo", []), ("daily", []), ("tournament", []), ("book", ["rules"]), ("table", ["rules"])],
)
def test_a_later_page_needs_few_files_besides_its_own(part: str, others: list[str]) -> None:
    own, *more = load(CLIENT_DIR).parts[part]
    assert own == f"/js/{part}.part.js"
    assert more == [f"/js/{name}.part.js" for name in others]
