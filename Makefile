# Everything runs inside the checkout: .venv holds the tools, pinned by constraints.txt; .build holds what can be redone.
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test check lint format types layers house wheel compiled coverage bench bench-store bench-lint constraints clean

demo: .venv/ready  ## the main job on real input, told in one screen
	@$(BIN)/python examples/demo/run.py

test: .venv/ready  ## all tests
	$(BIN)/python -m pytest -q -n 2

check: lint types layers house wheel compiled coverage  ## what must be green before a change lands

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: .venv/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: .venv/ready
	$(BIN)/mypy
	$(BIN)/pyright

layers: .venv/ready
	$(BIN)/lint-imports

house: .venv/ready
	$(BIN)/python -m pytest -q tests/house

wheel: .venv/ready  ## build, install into a clean environment, run the tests from another folder
	$(BIN)/python tests/support/wheel_check.py

compiled: .venv/ready  ## build the compiled linter (some minutes), and hold it against the interpreted one
	$(BIN)/python tests/support/compiled_check.py

coverage: .venv/ready  ## branch coverage: 100 % on the core, 95 % elsewhere
	$(BIN)/python tests/support/coverage_check.py

bench: .venv/ready
	$(BIN)/python bench/buffer.py

bench-store: .venv/ready  ## what the SQLite store costs, as ratios in one run; about two minutes
	$(BIN)/python bench/store.py

bench-lint: .venv/ready  ## PACKAGES=folder with one unpacked package a folder
	$(BIN)/python bench/corpus.py $(PACKAGES) .build/corpus
	$(BIN)/python bench/ratios.py $(PACKAGES)

constraints: .venv/ready  ## pin what is installed now: names and versions only
	@{ head -1 constraints.txt; $(BIN)/pip freeze --exclude-editable; } > .venv/constraints.new
	@mv .venv/constraints.new constraints.txt

clean:
	rm -rf .venv .build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*

# The stamp is newer than the files that decide what is installed, so a second call costs nothing.
.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "setting up .venv (once; about half a minute)"
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@
