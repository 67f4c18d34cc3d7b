"""What the fault suite tells at its end: a table of what was promised and what was measured."""

from __future__ import annotations

from typing import Any

import pytest

from tests.faults import table


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    """Print the table, or leave its lines to who prints them; one of several processes has only its part."""
    if hasattr(config, "workerinput"):
        return
    lines, file = list(table.of_run(terminalreporter)), table.where_kept()
    if file is not None:
        table.keep(lines, file)
    elif lines:
        terminalreporter.section("faults: promised and measured")
        table.told(lines, terminalreporter.write_line)
