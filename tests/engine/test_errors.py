"""Codes and the tree of errors."""

from __future__ import annotations

import importlib
import re

import pytest

from engine import errors
from engine.errors import ErrorCode


def test_codes_are_words_and_each_stands_for_itself() -> None:
    for code in ErrorCode:
        assert re.fullmatch(r"[a-z_]+", code)
        assert code.name.lower() == code.value == str(code)


@pytest.mark.interpreted
def test_the_tree_in_the_docstring_is_the_tree_of_the_classes() -> None:
    shown = re.findall(r"── (\w+) +([\w.]+)", errors.__doc__ or "")
    assert len(shown) == 5
    for name, module in shown:
        found = getattr(importlib.import_module(module), name)
        assert issubclass(found, ValueError)
        assert found.__bases__ == (ValueError,)
