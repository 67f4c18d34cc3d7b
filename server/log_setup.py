"""How this process logs: one line an event, for people or for programs.

What lives here: the set-up of structlog and of the standard library's loggers. What does not: what is
logged. No payloads, tokens, codes of deals or URLs with passwords are ever handed to a logger.
"""

from __future__ import annotations

import logging
import sys
from collections import Counter

import structlog

LEVELS = ("debug", "info", "warning", "error", "critical")

LINES: Counter[str] = Counter()
"""Lines of this process so far, by level (for metrics)."""


def _counted(_: object, method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    LINES[event.get("level", method)] += 1
    return event


def set_up(level: str, style: str) -> None:
    """Log from `level` on (debug, info, warning, error) in `style` (text or json) to stderr."""
    number = logging.getLevelNamesMapping()[level.upper()]
    logging.basicConfig(level=number, stream=sys.stderr, format="%(message)s", force=True)
    logging.getLogger("websockets").setLevel(max(number, logging.WARNING))
    last: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if style == "json"
        # A traceback with the values of variables could print the code of a deal that is not open.
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    shared: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        _counted,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if style == "json":
        shared.append(structlog.processors.format_exc_info)
    structlog.configure(
        processors=[*shared, last],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # The standard library's records (the store, the network shell) look the same.
    formatter = structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processor=last)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(formatter)
