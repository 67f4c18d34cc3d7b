"""The modules of the first page, and of each part that comes later, joined into one file when they are loaded.

What lives here: joining modules, and what then stands at the addresses of the single ones. What does not: reading and
sending files (static). Fifty modules are fifty requests, and a phone's line takes a while for each; the sources
stay small files all the same, and nothing is built before the server starts.

Every module becomes a function that is called once, after those it imports, and gives back what it exports. It is in
one file only: in that of the first part that needs it, from which the others take it. `import('…')` of a module that is
joined becomes one of its part. At its own address stands a line that takes its names from there, so that whoever
asks for it by itself gets the very same one. The client is written for it (`tests/js/sources.test.js`): imports and
exports begin their line and name what they mean, there is no default and nothing exported changes.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

JOINED: Final = "first.js"
"""Name of the joined file, beside the module that the page names."""

_TAKES: Final = re.compile(
    r"^import\s+(?:\{(?P<names>[^}]*)\}|\*\s+as\s+(?P<all>\w+))\s+from\s+'(?P<path>[^']+)';[ \t]*$"
    r"|^import\s+'(?P<bare>[^']+)';[ \t]*$"
    r"|^export\s+(?:\{(?P<passed>[^}]*)\}|\*)\s+from\s+'(?P<from>[^']+)';[ \t]*$",
    re.MULTILINE,
)
_GIVES: Final = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (?P<name>\w+))", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import\b(?!\()|export\b).*$", re.MULTILINE)
_LOADS: Final = re.compile(r"\bimport\('(?P<path>[^']+)'\)")
_ADDRESSED: Final = re.compile(r"\bimport\s*(?:\(|\.meta\b)")


class CannotJoin(Exception):
    """The modules are not written so that they can be joined; the text names the first that is not."""


class _Joiner:
    """The joined files. `folder`: of the module that the page names."""

    def __init__(self, files: dict[str, bytes], folder: str) -> None:
        self._files = files
        self._folder = folder
        self._open: list[str] = []
        self._file = ""
        self.numbers: dict[str, int] = {}
        """Every module that is joined, in the order they have to be called."""
        self.places: dict[str, str] = {}
        """The file it is in."""
        self.gives: dict[str, list[str]] = {}
        """What it exports."""
        self.texts: dict[str, list[str]] = {}
        """The modules of each file."""
        self.takes: dict[str, dict[str, list[int]]] = {}
        """What each file takes from others, by their names."""

    def part(self, name: str, roots: Iterable[str]) -> None:
        """A file of these modules and of all they import that is in no file yet. Raises CannotJoin."""
        self._file = name
        self.texts[name] = []
        self.takes[name] = {}
        for path in roots:
            self.add(path)

    def add(self, path: str) -> None:
        """A module with all that it imports. Raises CannotJoin."""
        if path in self.numbers:
            return
        if path in self._open:
            raise CannotJoin(f"{path} imports itself by way of {self._open[-1]}")
        self._open.append(path)
        text, names = self.rewritten(path)
        self._open.pop()
        if _ADDRESSED.search(text) and posixpath.dirname(path) != self._folder:
            raise CannotJoin(f"{path} loads by its own address, which is not in {self._folder}")
        number = self.numbers[path] = len(self.numbers)
        self.places[path] = self._file
        self.gives[path] = names
        self.texts[self._file].append(
            f"const ${number} = (() => {{\n{text}\nreturn {{ {', '.join(names)} }};\n}})();\n"
        )

    def held(self, path: str) -> str:
        """The name of a module that is joined, in the file that is being written."""
        self.add(path)
        number, place = self.numbers[path], self.places[path]
        if place != self._file:
            taken = self.takes[self._file].setdefault(place, [])
            if number not in taken:
                taken.append(number)
        return f"${number}"

    def written(self, name: str) -> str:
        """The text of a joined file."""
        heads = "".join(f"import {{ {_list(taken)} }} from './{place}';\n" for place, taken in self.takes[name].items())
        own = _list(number for path, number in self.numbers.items() if self.places[path] == name)
        return f"{heads}{self.pointed(''.join(self.texts[name]))}export {{ {own} }};\n"

    def pointed(self, text: str) -> str:
        """A text with the modules that it loads later taken from their parts."""

        def point(match: re.Match[str]) -> str:
            path = posixpath.normpath(posixpath.join(self._folder, match["path"]))
            if path not in self.numbers:
                return match[0]
            number = self.numbers[path]
            return f"import('./{self.places[path]}').then(({{ ${number} }}) => ${number})"

        return _LOADS.sub(point, text)

    def rewritten(self, path: str) -> tuple[str, list[str]]:
        """The text of a module with its imports taken from what is joined, and the names it exports."""
        names: list[str] = []

        def take(match: re.Match[str]) -> str:
            target = match["path"] or match["bare"] or match["from"]
            other = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            if other not in self._files:
                raise CannotJoin(f"{path} imports {target}, which is not there")
            held = self.held(other)
            if match["bare"]:
                return ""
            if match["all"]:
                return f"const {match['all']} = {held};"
            wanted = match["names"] or match["passed"]
            if match["from"]:
                pairs = _pairs(wanted) if wanted else [(name, name) for name in self.gives[other]]
                names.extend(new for _, new in pairs)
            else:
                pairs = _pairs(wanted)
            return f"const {{ {', '.join(old if old == new else f'{old}: {new}' for old, new in pairs)} }} = {held};"

        def give(match: re.Match[str]) -> str:
            names.append(match["name"])
            return ""

        text = _GIVES.sub(give, _TAKES.sub(take, self._files[path].decode()))
        if left := _LEFT.search(text):
            raise CannotJoin(f"{path}: {left[0]}")
        return text, names


def _pairs(names: str) -> list[tuple[str, str]]:
    """`a, b as c` as pairs of the old name and the new."""
    parts = [part.split() for part in names.split(",") if part.strip()]
    return [(part[0], part[-1]) for part in parts]


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(f"${number}" for number in numbers)


def joined(
    files: dict[str, bytes], entry: str, parts: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> dict[str, bytes]:
    """What to send in place of some of `files` so that the module `entry` and all it imports are two files.

    The entry keeps a file of its own, since it may wait for something. Each of `parts`, by its name the modules that
    are loaded later, is a file besides (`part_file`). Raises CannotJoin.
    """
    folder = posixpath.dirname(entry)
    joiner = _Joiner(files, folder)
    joiner.part(JOINED, ())
    text, names = joiner.rewritten(entry)
    if names or not joiner.numbers:
        raise CannotJoin(f"{entry} exports something, or imports nothing")
    first = _list(joiner.numbers.values())
    for name, roots in parts.items():
        joiner.part(part_file(name), roots)
    made = {posixpath.join(folder, name): joiner.written(name) for name in joiner.texts}
    made[entry] = f"import {{ {first} }} from './{JOINED}';\n{joiner.pointed(text)}"
    for path, number in joiner.numbers.items():
        way = posixpath.relpath(posixpath.join(folder, joiner.places[path]), posixpath.dirname(path))
        names = joiner.gives[path]
        taken = f"export const {{ {', '.join(names)} }} = ${number};\n" if names else ""
        made[path] = f"import {{ ${number} }} from '{way if way.startswith('.') else './' + way}';\n{taken}"
    return {path: body.encode() for path, body in made.items()}


def part_file(name: str) -> str:
    """Name of the joined file of a part, beside that of the first page."""
    return f"{name}.part.js"
