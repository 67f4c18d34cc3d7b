"""How every command says that it cannot use what it was given."""

from __future__ import annotations


class Unusable(Exception):
    """Input that cannot be used; the text is one line that says how to mend it."""
