# `make play` and `make test` need python3 (with venv), git and make; everything else they fetch into .venv.
# `make help` lists what there is.

PYTHON ?= python3
# Passed on: make test ARGS="tests/test_arrows.py -v", make play ARGS="--game kahuna"
ARGS ?=

# What each purpose installs: extras of pyproject.toml, and Debian packages that are asked for only if missing.
PLAY_EXTRAS := vision,devices,web,firmware
TEST_EXTRAS := dev,vision,devices,web,firmware,postgres
BENCH_EXTRAS := dev,vision,devices,web,firmware,postgres,bench
PLAY_DEBIAN :=
TEST_DEBIAN := mosquitto openssl openscad postgresql chromium

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
# Without build isolation, because pip would fetch an unpinned setuptools for it.
INSTALL := $(PIP) install --constraint constraints.txt --no-build-isolation
PINNED := pyproject.toml constraints.txt companion/__init__.py

.DEFAULT_GOAL := help
.PHONY: help play test check format-check lint types format bench eval-vision pins clean
# Two pips in one environment would trip over each other.
.NOTPARALLEL:

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

play: $(VENV)/.play ## install what playing needs, open the house and play in the browser
	@$(BIN)/makabana play $(ARGS)

test: $(VENV)/.test ## run the tests on all cores; ARGS="..." goes to pytest
	$(BIN)/python -m pytest -n auto $(ARGS)

check: format-check lint types test ## all that must pass before a commit

format-check: $(VENV)/.test
	$(BIN)/ruff format --check .

lint: $(VENV)/.test
	$(BIN)/ruff check .

types: $(VENV)/.test
	$(BIN)/mypy

format: $(VENV)/.test ## put imports and layout in order
	$(BIN)/ruff check --select I --fix .
	$(BIN)/ruff format .

eval-vision: $(VENV)/.test ## read 300 made-up photographs and say how exactly
	$(BIN)/python -m vision.evaluate $(ARGS)

bench: $(VENV)/.bench ## measure speed next to python-chess and OpenSpiel
	@set -e; for script in tests/bench/bench_*.py; do echo "$$script"; PYTHONPATH=. $(BIN)/python "$$script"; done

pins: ## renew constraints.txt from a fresh environment with every extra
	$(PYTHON) -m venv --clear build/pins
	build/pins/bin/python -m pip install --quiet --upgrade setuptools '.[vision,devices,web,firmware,postgres,dev,bench]'
	{ sed '/^[^#]/d' constraints.txt; \
	  build/pins/bin/python -m pip freeze --all --exclude pip --exclude makabana-companion; } > build/constraints.txt
	mv build/constraints.txt constraints.txt

clean: ## remove the environment and everything generated
	rm -rf $(VENV) build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- The environment. A stamp is newer than what it was made from, so a second run installs nothing. ---

$(VENV)/.play: $(VENV)/.made $(PINNED)
	@$(call debian,$(PLAY_DEBIAN))
	@echo "Installing the companion into $(VENV), which takes a minute or a few ..."
	@$(INSTALL) setuptools
	@$(INSTALL) --editable '.[$(PLAY_EXTRAS)]'
	@touch $@

$(VENV)/.test: $(VENV)/.play
	@$(call debian,$(TEST_DEBIAN))
	@echo "Installing the tools for tests and checks ..."
	@$(INSTALL) --editable '.[$(TEST_EXTRAS)]'
	@touch $@

$(VENV)/.bench: $(VENV)/.play
	@echo "Installing what the benchmarks compare with ..."
	@$(INSTALL) --editable '.[$(BENCH_EXTRAS)]'
	@touch $@

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "The companion needs Python 3.11 or newer, and '$(PYTHON)' is not that: try make PYTHON=python3.11." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { $(call debian,python3-venv); }
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# $(call debian,PACKAGES) installs the missing ones among PACKAGES where that needs no password, and otherwise says
# in one sentence what to type.
define debian
missing=; for package in $(1); do \
  dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q ' installed$$' || missing="$$missing $$package"; \
done; \
if [ -n "$$missing" ]; then \
  if [ "$$(id -u)" = 0 ]; then root=; else root='sudo -n'; fi; \
  if command -v apt-get >/dev/null && $$root true 2>/dev/null; then \
    echo "Installing$$missing with apt ..."; \
    $$root apt-get -qq update && $$root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $$missing; \
  else \
    echo "Missing:$$missing. Please run: sudo apt install$$missing" >&2; false; \
  fi; \
fi
endef
