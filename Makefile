# Everything a developer does, by name. Only Python 3.11+, make and git are needed.
PYTHON ?= python3
PY := .venv/bin/python
READY := .venv/.ready
BENCH_READY := .venv-bench/.ready
PIP := -m pip --disable-pip-version-check -q
CODE := $(wildcard domain service tests tools campaigns bench examples clients/python/kontor_client)
UV_VERSION := 0.13.8

ARGS ?= -n auto
GAMES ?= 2000
GAME ?=
SAMPLE ?= 600
SEED ?= 1
PATHS ?= domain
UPGRADE ?=
BENCH ?=

.DEFAULT_GOAL := help
.PHONY: help venv serve play test lint format rules conformance golden stored bench bench-service flame mutants lock clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{ printf "  make %-18s %s\n", $$1, $$2 }'

venv: $(READY) ## the virtual environment in .venv (PYTHON=python3 chooses who makes it)

# $(call new_venv,directory,requirements): a fresh or refreshed environment with the pinned packages and Kontor itself.
define new_venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Kontor needs Python 3.11 or newer; $(PYTHON) is not. Choose another: make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "Setting up $(1) ..."
	@$(PYTHON) -m venv $(1)
	@$(1)/bin/python $(PIP) install --require-hashes -r $(2)
	@$(1)/bin/python $(PIP) install --no-deps --no-build-isolation -e clients/python -e .
	@touch $(1)/.ready
endef

$(READY): requirements/dev.txt pyproject.toml clients/python/pyproject.toml
	$(call new_venv,.venv,requirements/dev.txt)

$(BENCH_READY): requirements/bench.txt pyproject.toml clients/python/pyproject.toml
	$(call new_venv,.venv-bench,requirements/bench.txt)

serve: $(READY) ## serves gRPC on 127.0.0.1:50051, the tables in .kontor (KONTOR_LISTEN=... and others: docs/configuration.md)
	@exec .venv/bin/kontor serve

play: $(READY) ## plays in the terminal, on the server that make serve has started (kontor play --help for more)
	@exec .venv/bin/kontor play

test: $(READY) ## all tests, in random order on all cores (ARGS="-k auction -x" for other pytest arguments)
	$(PY) -m pytest $(ARGS)

lint: $(READY) ## ruff, its formatter as a check, and mypy
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy $(CODE)

format: $(READY) ## ruff's formatter and its safe fixes
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix-only .

rules: $(READY) ## every rule id with its tests; fails if one has none
	$(PY) -m tools.rules

conformance: $(READY) ## the conformance suite at length (GAMES=2000 GAME=augsburg)
	KONTOR_GAMES=$(GAMES) KONTOR_GAME=$(GAME) $(PY) -m pytest $(ARGS) tests/conformance

golden: $(READY) ## rewrites the golden playthroughs: read their diff before committing it
	$(PY) -m tests.conformance.golden --write

stored: $(READY) ## locks the stored format of a game's present rules version, where it is not locked yet
	$(PY) -m tests.service.stored --write

bench: $(BENCH_READY) ## benchmarks beside other engines, in an environment of their own
	.venv-bench/bin/python -m bench

bench-service: $(READY) ## the service beside the bare stack and boardgame.io, in the same rounds (BENCH="--rounds 5 --only commands")
	$(PY) -m bench.service $(BENCH)

flame: $(BENCH_READY) ## where the time of a command goes: the flame graph of docs/performance.md
	.venv-bench/bin/python -m bench.service.flame

mutants: $(READY) ## mutation testing of a random sample (SAMPLE=600 SEED=1 PATHS=domain/augsburg, or areas: views show options commands)
	$(PY) -m tools.mutants --sample $(SAMPLE) --seed $(SEED) $(PATHS)

include proto/Makefile.inc
include deploy/Makefile.inc
include campaigns/Makefile.inc

lock: ## pins requirements/*.in anew, with hashes (UPGRADE=--upgrade for newer versions)
	@test -x .venv-lock/bin/uv || { $(PYTHON) -m venv .venv-lock && .venv-lock/bin/python $(PIP) install uv==$(UV_VERSION); }
	cd requirements && for set in run dev bench image deploy; do ../.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --custom-compile-command "make lock" $(UPGRADE) $$set.in -o $$set.txt || exit 1; done

clean: ## removes the environments and everything made
	rm -rf .venv .venv-bench .venv-lock .mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +
