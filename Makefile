# Each target does its own set-up: a private environment in .venv, every version and hash locked in requirements/.
# `make demo` shows what it does, `make test` tests it, `make check` is what must be green before a change goes in.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input install -qq
LOCKER := uv==0.13.9
COMPILE := build/lock/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

# How many processes run the tests, how often `fuzz` goes round, and what else pytest is told: make test ARGS='-k signature'
JOBS ?= 2
ROUNDS ?= 5
ARGS ?=

.PHONY: help demo test check format lint types contracts docs-check fuzz bench docs lock clean
.DELETE_ON_ERROR:

help:
	@echo 'make demo    a small repository with a bug: the session, the proof, the warning'
	@echo 'make test    all tests'
	@echo 'make check   format, lint, types, import contracts, docs, tests'
	@echo 'make fuzz    the property tests with fresh seeds, ROUNDS=$(ROUNDS) times'
	@echo 'make bench   time and memory, one JSON line each'
	@echo 'make docs    write the generated parts of docs/ and README.md again'
	@echo 'make lock    choose the newest versions that requirements/*.in allow'
	@echo 'make clean   take out everything that these targets made'

# The first Python that will do: PYTHON=... from the caller, python3.11, or any later one that can make environments.
$(VENV)/.made:
	@for python in $(PYTHON) python3.11 python3 python3.12 python3.13 python3.14; do \
	  if $$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    $$python -m venv $(VENV) && touch $@ && exit 0; \
	    echo "make: $$python could not make $(VENV)" >&2; exit 3; \
	  fi; \
	done; \
	echo 'make: no Python 3.11 or later with venv was found; install one (Debian: python3 and python3-venv), or name it: make PYTHON=/path/to/python3' >&2; \
	exit 3

$(VENV)/.run: requirements/run.txt pyproject.toml | $(VENV)/.made
	@$(PIP) --require-hashes -r requirements/run.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.run
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

demo: $(VENV)/.run
	@$(BIN)/ruledout demo

test: $(VENV)/.dev
	@$(BIN)/python -m pytest -q -n $(JOBS) $(ARGS)

check: format lint types contracts docs-check test

format: $(VENV)/.dev
	@$(BIN)/ruff format --check .

lint: $(VENV)/.dev
	@$(BIN)/ruff check .

types: $(VENV)/.dev
	@$(BIN)/mypy

contracts: $(VENV)/.dev
	@$(BIN)/lint-imports

docs-check: $(VENV)/.dev
	@$(BIN)/python docs/build_schema.py --check
	@$(BIN)/python docs/build.py --check

# A seed that fails is printed; CI is unset since it makes hypothesis deterministic.
fuzz: $(VENV)/.dev
	@for round in $$(seq $(ROUNDS)); do \
	  seed=$$($(BIN)/python -c 'import secrets; print(secrets.randbits(32))'); \
	  echo "round $$round of $(ROUNDS), seed $$seed"; \
	  env -u CI $(BIN)/python -m pytest -q -m hypothesis --hypothesis-seed=$$seed -n $(JOBS) $(ARGS) \
	  || { echo "again: make fuzz ROUNDS=1 ARGS='--hypothesis-seed=$$seed'" >&2; exit 1; }; \
	done

bench: $(VENV)/.dev
	@for name in start inspect_1mb memory_100mb read prove store mcp; do $(BIN)/python benchmarks/$$name.py --program $(BIN)/ruledout || exit 1; done

docs: $(VENV)/.dev
	@$(BIN)/python docs/build_schema.py
	@$(BIN)/python docs/build.py

# From the index that pip and uv are set up for on this machine; the files name no host.
lock:
	@python3 -m venv build/lock && build/lock/bin/python -m pip --disable-pip-version-check install -qq '$(LOCKER)'
	@cd requirements && for name in run dev; do ../$(COMPILE) --upgrade --annotation-style line -o $$name.txt $$name.in || exit 1; done

clean:
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find src tests docs benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
