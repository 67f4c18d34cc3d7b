"""Comments that fill their lines are not sent; everything else is, line by line."""

from __future__ import annotations

from server.net.bare import bare


def test_a_comment_alone_on_its_line_leaves_an_empty_line() -> None:
    assert bare("a();\n  // why\nb();\n") == "a();\n\nb();\n"


def test_a_block_comment_leaves_as_many_empty_lines_as_it_had() -> None:
    assert bare("/**\n * What.\n */\nexport const a = 1;") == "\n\n\nexport const a = 1;"


def test_a_block_comment_on_one_line_goes_too() -> None:
    assert bare("/** @param {number} n */\nf(n);") == "\nf(n);"


def test_comments_beside_code_stay() -> None:
    for line in ("a(); // why", "a(/* why */ 1);", "/** @type {number} */ (a);", "const u = 'https://x/';"):
        assert bare(line) == line


def test_code_behind_the_end_of_a_long_comment_stays_with_it() -> None:
    text = "/* one\n two */ a();\n/* three */\nb();"
    assert bare(text) == "/* one\n two */ a();\n\nb();"


def test_a_comment_that_never_ends_is_left_to_the_browser() -> None:
    assert bare("/* open\na();") == "/* open\na();"


def test_the_end_is_not_found_in_its_own_beginning() -> None:
    assert bare("/*/ still open */\na();") == "\na();"


def test_styles_are_treated_alike() -> None:
    assert bare("/* Cards */\n.card { color: red; } /* ink */\n") == "\n.card { color: red; } /* ink */\n"
