"""`make fuzz`: each target with coverage, for as long as one likes (`SECONDS=600` each).

A crash is left as a file and ends the run with a status other than 0.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def fuzz(target: str, seconds: str, corpus: Path) -> None:
    """Feed one target; does not come back."""
    import atheris  # brought by `make fuzz`

    with atheris.instrument_imports(include=["server", "engine"]):
        from tests.fuzz.targets import SEEDS, TARGETS
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[target]):
        (corpus / f"seed{number}").write_bytes(seed)
    words = [sys.argv[0], str(corpus), f"-max_total_time={seconds}", "-max_len=4096", f"-artifact_prefix={corpus}/"]
    atheris.Setup(words, TARGETS[target])
    atheris.Fuzz()


def main() -> int:
    """`run SECONDS FOLDER [TARGET]`: all targets one after the other, each in a process of its own."""
    seconds, folder, *only = sys.argv[1:]
    if only:
        fuzz(only[0], seconds, Path(folder) / only[0])
        return 0
    from tests.fuzz.targets import TARGETS

    worst = 0
    for target in TARGETS:
        ended = subprocess.run([sys.executable, "-m", "tests.fuzz.run", seconds, folder, target], check=False)
        print(f"{target}: {'nothing found' if ended.returncode == 0 else 'FAILED'}", flush=True)
        worst = max(worst, abs(ended.returncode))
    return worst


if __name__ == "__main__":
    sys.exit(main())
