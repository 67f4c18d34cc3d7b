# Two commands are enough: `make serve` to play and host, `make test` to check everything.
# Each sets up what it needs (scripts/setup) and does nothing twice.

SHELL := /bin/sh
PY := .venv/bin/python
UV := uv==0.13.9
COMPILE := .make/locker/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
           --no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' --group build

.DEFAULT_GOAL := help
.PHONY: help serve test check unit machine e2e faults fuzz screenshots measure compiled bench soak format generate lock clean

help: ## this list
	@sed -n 's/^\([a-z0-9]*\):.*## \(.*\)/make \1	\2/p' Makefile

serve: ## play and host: sets up, then starts the server (ARGS="--port 9000")
	@scripts/setup run
	@exec .venv/bin/kupa serve $(ARGS)

test: ## everything that is checked before a change lands
	@scripts/setup test
	@$(MAKE) --no-print-directory check unit machine e2e

check: ## lint, types, import direction, generated files
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports
	$(PY) -m server.wire.generate --check
	$(PY) -m engine.golden --check
	$(PY) -m engine.examples --check
	$(PY) -m server.config --check
	$(PY) -m tests.compose.variables --check
	node_modules/.bin/tsc --project tsconfig.json

MACHINE := tests/compiled $(wildcard tests/engine/test_*.py) tests/server/net tests/server/core/test_limits.py \
           tests/server/store/test_log*.py tests/server/load \
           $(foreach name,lane outages pipe,tests/server/store/test_$(name).py) \
           $(foreach name,bad_inputs big_heats counts hop played_board rooms secrecy session,tests/server/services/test_$(name).py)
machine: ## tests of the modules every move goes through, on what compiling makes of them
	@KUPA_COMPILED_LEVEL=0 scripts/setup compiled
	$(PY) -m pytest -q -n auto --maxprocesses 4 -m "not interpreted" -o pythonpath=.make/compiled $(or $(ARGS),$(MACHINE))

unit: ## the tests without a browser (ARGS="-k moves")
	node --test $(wildcard tests/js/*.test.js)
	$(PY) -m pytest -q -n auto --maxprocesses 4 --ignore tests/e2e --ignore tests/faults --ignore tests/compiled $(ARGS)

e2e: ## the tests with real processes that die, and with a real browser
	$(PY) -m pytest -q -n 2 --dist worksteal tests/e2e $(ARGS)
	$(PY) -m tests.faults --gate $(ARGS)

faults: ## all that can go wrong, in every moment, within ten minutes; ends with a table (FAULT_SEEDS=5: more of each)
	@scripts/setup test
	$(PY) -m tests.faults $(ARGS)

SECONDS := 600
fuzz: ## bytes of strangers with coverage (SECONDS=600 for each of four readers)
	@scripts/setup test
	@test -d .make/fuzz/atheris || $(PY) -m pip install -q --disable-pip-version-check --target .make/fuzz 'atheris>=3,<4'
	PYTHONPATH=.make/fuzz $(PY) -m tests.fuzz.run $(SECONDS) .make/corpus

screenshots: ## every page in three sizes and both themes, into screenshots/ (ARGS="home race" for some)
	@scripts/setup test
	$(PY) -m tests.screenshots $(ARGS)

measure: ## how light and smooth the client is: Lighthouse, first paint, frames, taps (ARGS="paint" for some)
	@scripts/setup measure
	$(PY) -m tests.measure $(ARGS)

compiled: ## the modules every move goes through as machine code, in .make/compiled (needs gcc)
	@scripts/setup compiled

bench: ## figures of this machine against what was promised (QUICK=1, PEERS=folder, ARGS="--only race")
	@scripts/setup test
	@$(if $(QUICK)$(ARGS),,for program in wire solver boards; do $(PY) tests/bench/bench_$$program.py; done;) \
	$(PY) -m tests.bench $(if $(QUICK),--quick) $(if $(PEERS),--peers $(PEERS)) $(ARGS)

soak: ## 200 people and a fault a minute, then what is left over (MINUTES=30)
	@scripts/setup test
	$(PY) -m tests.soak --minutes $(or $(MINUTES),30) $(ARGS)

format: ## sort imports, format
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

generate: ## rewrite what is generated: PROTOCOL.md, the client's frames, the examples, the README's settings
	$(PY) -m server.wire.generate
	$(PY) -m engine.golden
	$(PY) -m engine.examples
	$(PY) -m server.config --write
	$(PY) -m tests.compose.variables --write

lock: ## resolve the newest versions that pyproject.toml and package.json allow
	python3 -m venv .make/locker
	.make/locker/bin/python -m pip install -q --disable-pip-version-check '$(UV)'
	$(COMPILE) --upgrade pyproject.toml -o requirements.lock
	$(COMPILE) --upgrade --extra test --constraint requirements.lock pyproject.toml -o requirements-test.lock
	$(COMPILE) --upgrade --extra compile --constraint requirements-test.lock pyproject.toml -o requirements-compile.lock
	npm update --package-lock-only

clean: ## remove what was built and installed; the data folder stays
	rm -rf .venv node_modules .make build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
