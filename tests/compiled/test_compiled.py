"""`make machine` runs this and the tests of the modules themselves on what `make compiled` made."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parents[2] / "setup.py"


def hot() -> list[str]:
    """The files that setup.py names."""
    for node in ast.parse(SETUP.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "HOT":
            return list(ast.literal_eval(node.value))
    raise AssertionError("setup.py names no modules")


@pytest.mark.parametrize("name", hot())
def test_a_module_that_every_move_goes_through_is_machine_code(name: str) -> None:
    module = importlib.import_module(name.removesuffix(".py").replace("/", "."))
    assert module.__file__ is not None
    assert module.__file__.endswith(".so")
