"""Scripts and styles without their comments, as they are sent.

What lives here: leaving out comments that fill whole lines. What does not: which files are served, and
packing (static). The client has no build step and a third of its text is documentation; this is all that
is done to it, and lines keep their numbers, so that an error in a browser names the line of the source.

It is no parser: a line that begins with `//` or `/*` must be a comment. `tests/js/sources.test.js` keeps
the client free of text that spans lines, the only place where such a line could be anything else.
"""

from __future__ import annotations


def bare(text: str) -> str:
    """The text with an empty line for each line of a comment that stands alone.

    A block comment with code behind its end stays, as does every comment behind code.
    """
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        end = _comment_end(lines, at)
        for line in range(at, end):
            lines[line] = ""
        at = max(end, at + 1)
    return "\n".join(lines)


def _comment_end(lines: list[str], at: int) -> int:
    """The line after the comment that begins with line `at`, or `at` where none to leave out begins."""
    start = lines[at].lstrip()
    if start.startswith("//"):
        return at + 1
    if not start.startswith("/*"):
        return at
    for line in range(at, len(lines)):
        text = lines[line].lstrip()[2:] if line == at else lines[line]
        _, closed, rest = text.partition("*/")
        if closed:
            return at if rest.strip() else line + 1
    return at
