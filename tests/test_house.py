"""The habits of the house, as tests: what a reviewer would say twice is said here once.

Limits are for every file alike; there is no list of exceptions.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.faults import __main__ as faults

ROOT = Path(__file__).resolve().parent.parent
FILE_LINES = 400
FUNCTION_LINES = 40
GENERATED = (".gen.js", "PROTOCOL.md")
NOT_OURS = r"\.(?!ci$).*|node_modules|__pycache__|build|dist|data|screenshots|.*\.egg-info"
PURE = ("engine/", "server/core/")
UNIT = ("tests/engine/", "tests/server/core/", "tests/server/wire/", "tests/server/test_")
"""Tests without processes and sockets; nothing there may wait."""

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def project() -> tuple[str, ...]:
    """Every file of the project, relative to the root; not what was installed, built or played here."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [each for each in folders if not re.fullmatch(NOT_OURS, each)]
        found += [(Path(folder) / each).relative_to(ROOT).as_posix() for each in names]
    return tuple(sorted(found))


def files(*endings: str) -> list[str]:
    """The project's files with one of these endings."""
    return [name for name in project() if name.endswith(endings)]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(read(name), name)


def nodes(*prefixes: str) -> Iterator[tuple[str, ast.AST]]:
    """Every syntax node of the Python files under these prefixes."""
    for name in files(".py"):
        if name.startswith(prefixes):
            for node in ast.walk(tree(name)):
                yield name, node


def code_lines(function: AnyFunction) -> int:
    """Lines of a function without its docstring and decorators."""
    body = function.body
    spoken = ast.get_docstring(function, clean=False) is not None
    docstring = (body[0].end_lineno or 0) - body[0].lineno + 1 if spoken else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


# ---------------------------------------------------------------- sizes


def test_no_file_is_longer_than_its_budget() -> None:
    written = [name for name in files(".py", ".js", ".css", ".lua") if not name.endswith(GENERATED)]
    long = {name: count for name in written if (count := read(name).count("\n")) > FILE_LINES}
    assert long == {}


def test_no_function_is_longer_than_its_budget() -> None:
    long = {
        f"{name}:{node.lineno} {node.name}": code_lines(node)
        for name, node in nodes("engine/", "server/", "tests/")
        if isinstance(node, AnyFunction) and code_lines(node) > FUNCTION_LINES
    }
    assert long == {}


# ---------------------------------------------------------------- purity


def test_nothing_waits_in_the_pure_parts() -> None:
    waiting = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
    assert [f"{name}:{node.lineno}" for name, node in nodes(*PURE) if isinstance(node, waiting)] == []


def test_pure_modules_open_with_what_lives_in_them() -> None:
    silent = [name for name in files(".py") if name.startswith(PURE) and not ast.get_docstring(tree(name))]
    assert silent == []


def test_unit_tests_do_not_sleep() -> None:
    sleepers = [
        f"{name}:{node.lineno}"
        for name, node in nodes(*UNIT)
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "sleep"
    ]
    assert sleepers == []


def test_only_the_settings_know_the_names_of_variables() -> None:
    names = re.compile(r"KUPA_[A-Z_]+|REDIS_URL")
    readers = {
        name
        for name, node in nodes("engine/", "server/")
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and names.fullmatch(node.value)
    }
    assert readers == {"server/config.py"}


def test_what_is_imported_is_installed() -> None:
    """A package that only the tests bring would be missing where the game is played."""
    wanted = tomllib.loads(read("pyproject.toml"))["project"]["dependencies"]
    declared = {re.split(r"[^\w-]", each)[0].replace("-", "_") for each in wanted}
    imported = {
        module.partition(".")[0]
        for name, node in nodes("engine/", "server/")
        for module in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
    }
    foreign = imported - sys.stdlib_module_names - {"engine", "server"}
    assert foreign - declared == set()


# ---------------------------------------------------------------- errors


def test_no_exception_is_swallowed_unnamed() -> None:
    """`except Exception: pass` and bare `except:` hide faults; a named error may be ignored by choice."""
    silent = [
        f"{name}:{node.lineno}"
        for name, node in nodes("engine/", "server/")
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException"))
        and all(isinstance(line, ast.Pass | ast.Continue) for line in node.body)
    ]
    assert silent == []


def asserting() -> set[str]:
    """Names of the functions in tests/ that assert, themselves or through another one of them."""
    written = [(node.name, node) for _, node in nodes("tests/") if isinstance(node, AnyFunction)]
    found: set[str] = {"fail", "raises", "run_state_machine_as_test"}
    for _ in range(4):
        found |= {name for name, node in written if asserts(node, found)}
    return found


def asserts(function: AnyFunction, through: set[str]) -> bool:
    """Whether it asserts, raises AssertionError or calls one of `through`."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert) or (isinstance(node, ast.Raise) and "AssertionError" in ast.unparse(node)):
            return True
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in through:
            return True
    return False


def test_every_test_asserts_something() -> None:
    through = asserting()
    empty = [
        f"{name}:{node.lineno} {node.name}"
        for name, node in nodes("tests/")
        if isinstance(node, AnyFunction) and node.name.startswith("test_") and not asserts(node, through)
    ]
    assert empty == []


# ---------------------------------------------------------------- the client


def always_true(test: ast.expr) -> bool:
    """Whether the condition holds whatever the code does: a constant, or an `or` with one in it."""
    if isinstance(test, ast.BoolOp):
        return any(always_true(each) for each in test.values) if isinstance(test.op, ast.Or) else False
    return isinstance(test, ast.Tuple) or (isinstance(test, ast.Constant) and bool(test.value))


def test_no_assertion_is_true_whatever_happens() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, node in nodes("tests/")
        if isinstance(node, ast.Assert) and always_true(node.test)
    ]
    assert found == []


def test_nothing_is_made_one_thing_and_then_another() -> None:
    changed = [
        f"{name}:{node.lineno}"
        for name, node in nodes("engine/", "server/")
        if isinstance(node, ast.Attribute) and node.attr == "__class__" and isinstance(node.ctx, ast.Store)
    ]
    assert changed == []


def test_the_client_never_turns_text_into_markup_or_code() -> None:
    banned = r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function|createContextualFragment)\b"
    pattern = re.compile(banned)
    found = [
        f"{name}:{number} {line.strip()}"
        for name in files(".js", ".html")
        if name.startswith("client_web/")
        for number, line in enumerate(read(name).splitlines(), 1)
        if pattern.search(line) and not line.lstrip().startswith(("//", "*", "/*"))
    ]
    assert found == []


def test_pages_carry_no_inline_script_or_style() -> None:
    for name in files(".html"):
        if name.startswith("client_web/"):
            page = read(name)
            assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", page) == [], name
            assert re.findall(r"<style\b|\sstyle=|\son[a-z]+=|javascript:", page) == [], name


def test_the_client_fetches_nothing_from_elsewhere() -> None:
    elsewhere = re.compile(r"""(?:src|href|url|import|from)\s*[=(]?\s*["'(]\s*(?:https?:)?//""")
    found = [n for n in files(".js", ".css", ".html") if n.startswith("client_web/") and elsewhere.search(read(n))]
    assert found == []


def test_words_for_people_are_in_the_language_files() -> None:
    """Text set from a literal is a sentence in one language only; signs and digits are no words."""
    literal = re.compile(r"""(?:textContent|innerText|ariaLabel|title|placeholder)\s*=\s*["'`]([^"'`$]*)["'`]""")
    attribute = re.compile(r"""setAttribute\(\s*["'](?:aria-label|title|placeholder|alt)["'],\s*["'`]([^"'`$]*)["'`]""")
    found = [
        f"{name}: {words}"
        for name in files(".js")
        if name.startswith("client_web/")
        for pattern in (literal, attribute)
        for words in pattern.findall(read(name))
        if re.search(r"[A-Za-z]{2}", words)
    ]
    assert found == []


def test_what_several_commands_say_stands_in_one_place() -> None:
    """Sentences and ends of them, in the commands and the clients that they are."""
    said = Counter(
        node.value
        for name in files(".py")
        if re.fullmatch(r"server/(cli\w*|\w+_client|reaching|unusable|load/\w+)\.py", name)
        for node in set(ast.walk(tree(name))) - docstrings(name)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) > 3
    )
    assert said["; --new makes a store there"] == 1
    assert [words for words, times in said.items() if times > 1] == []


def docstrings(name: str) -> set[ast.AST]:
    """Of a file: strings that are statements."""
    return {node.value for node in ast.walk(tree(name)) if isinstance(node, ast.Expr)}


def test_the_wheel_takes_every_kind_of_file_the_client_has() -> None:
    settings = tomllib.loads(read("pyproject.toml"))["tool"]["setuptools"]["package-data"]["*"]
    taken = {pattern.removeprefix("*") for pattern in settings}
    packaged = [n for n in files("") if n.startswith(("client_web/", "engine/", "server/")) and not n.endswith(".py")]
    left_out = [name for name in packaged if Path(name).suffix not in taken and Path(name).name not in settings]
    assert left_out == []


# ---------------------------------------------------------------- the project


@pytest.mark.parametrize("command", ["make serve", "make test"])
def test_the_readme_shows_the_two_commands(command: str) -> None:
    assert command in read("README.md")
    assert f"\n{command.removeprefix('make ')}:" in read("Makefile")


def test_how_long_the_faults_take_is_said_alike_everywhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(faults, "play", lambda *_: 0)
    assert faults.main([]) == 0
    assert capsys.readouterr().out.endswith("promised on two cores with nothing else to do: 10:00\n")
    said = [
        line
        for name in ("Makefile", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
        for line in read(name).splitlines()
        if re.search(r"^faults:|`make faults`", line) and "minutes" in line
    ]
    assert said
    assert [line for line in said if "within ten minutes" not in line] == []


def test_every_promise_of_the_readme_names_tests_that_are_there() -> None:
    promises = read("README.md").partition("### Promises")[2].partition("\n### ")[0]
    rows = re.findall(r"^\| ([A-Z][^|]*) \| (`tests/[^|]*) \|$", promises, re.MULTILINE)
    assert len(rows) >= 12
    named = [test for _, tests in rows for test in re.findall(r"`([^`]+)`", tests)]
    written = {f"{name}::{node.name}" for name, node in nodes("tests/") if isinstance(node, AnyFunction)}
    assert [test for test in named if test not in written] == []


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    places = re.compile("(?<![\\w.])/(?:" + "|".join(("work", "home", "Users", "root", "opt/pypi")) + ")/\\w")
    kinds = (".py", ".js", ".md", ".toml", ".json", ".yml", ".sh", ".lock", "Makefile", "Dockerfile", "run", "setup")
    found = [
        f"{name}:{number} {line.strip()[:100]}"
        for name in files(*kinds)
        if name != "tests/test_house.py"
        for number, line in enumerate(read(name).splitlines(), 1)
        if places.search(line)
    ]
    assert found == []


def test_lock_files_bind_contents_and_name_no_place_to_fetch_from() -> None:
    for name in ("requirements.lock", "requirements-test.lock", "requirements-compile.lock"):
        pins = re.findall(r"^[a-z0-9][\w.-]*==\S+.*?(?=^\S|\Z)", read(name), re.MULTILINE | re.DOTALL)
        assert len(pins) > 20
        assert all("--hash=sha256:" in pin for pin in pins), name
    for name in ("requirements.lock", "requirements-test.lock", "requirements-compile.lock", "package-lock.json"):
        assert re.findall(r"://|--index|--find-links|\"resolved\"", read(name)) == [], name


def test_what_is_tested_with_is_what_is_run_with() -> None:
    pinned = re.compile(r"^([a-z0-9][\w.-]*==\S+)", re.MULTILINE)
    assert set(pinned.findall(read("requirements.lock"))) <= set(pinned.findall(read("requirements-test.lock")))


def test_the_client_ships_without_packages() -> None:
    assert '"dependencies"' not in read("package.json")
