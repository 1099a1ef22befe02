# Start with `make play` and `make test`. Each target installs what is missing first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8700

# Tests write hundreds of databases; keep them in memory if a GiB is free there.
IN_MEMORY := $(shell test -w /dev/shm && df -Pk /dev/shm 2>/dev/null | \
	awk 'NR == 2 && $$4 > 1048576 { print "TMPDIR=/dev/shm" }')
PYTEST := $(IN_MEMORY) $(BIN)/pytest

# Always write compiled files: otherwise each test process compiles everything again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play run test test-public-api quick lint types goldens words messages commands pictures screenshots screens bench accuracy simulate browser postgres clean

help:
	@echo "make play     play in the browser on a local Discord sandbox, without a token"
	@echo "make run      connect to Discord with the token in .env"
	@echo ""
	@echo "make test     run lint, import contracts, types and all tests"
	@echo "make quick    run lint, types, and the tests of rules, store and structure (a minute)"
	@echo "make test-public-api  run the tests without the calls that rely on private parts of discord.py"
	@echo ""
	@echo "make bench    measure engine, pictures, computer players, clicks and more"
	@echo "make accuracy measure what players of known strength lose, to calibrate reviews (hours)"
	@echo "make simulate compute what more servers need (docs/scale.md)"
	@echo "make goldens  regenerate the goldens; review their diff"
	@echo "make words    regenerate the list of all texts (docs/words.txt); review its diff"
	@echo "make messages bring the catalogues of other languages up to date (locales/)"
	@echo "make commands regenerate the list of slash commands (docs/commands.md)"
	@echo "make pictures redraw the pictures of the rule books; look at them"
	@echo "make screenshots take the README's screenshots in Chromium; look at them"
	@echo "make screens  play whole games on a phone in Chromium, and report what does not fit its screen"
	@echo "make clean    remove the virtual environment and caches"

# Extras that the owner has installed (metrics, PostgreSQL) are updated too.
ADDED := from importlib.util import find_spec as found; \
	print(*(name for name, module in (("metrics", "prometheus_client"), ("postgres", "psycopg")) if found(module)), sep=",")

$(VENV)/run.stamp: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Cellblock needs Python 3.11 or newer; set PYTHON=, e.g. make PYTHON=python3.12 play"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what Cellblock needs …"
	@extras=$$($(BIN)/python -c '$(ADDED)'); \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".$${extras:+[$$extras]}"
	@touch $@

$(VENV)/dev.stamp: pyproject.toml $(VENV)/run.stamp
	@echo "Installing what the tests need …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

play: $(VENV)/run.stamp
	@$(BIN)/python bot.py --sandbox --port $(PORT)

run: $(VENV)/run.stamp
	@$(BIN)/python bot.py

# The page is tested in Chromium, which is installed if possible; otherwise those tests are skipped with a reason.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "Installing Chromium for the tests of the page …"; \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } >/dev/null 2>&1 \
		|| echo "Chromium could not be installed; the tests of the page will be skipped."; \
	else \
		echo "Chromium is missing (apt-get install chromium); the tests of the page will be skipped."; \
	fi

# The store is also tested over PostgreSQL, in a separate cluster.
postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "Installing PostgreSQL for the tests of the store …"; \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql; } >/dev/null 2>&1 \
		|| echo "PostgreSQL could not be installed; the tests of the store over it will be skipped."; \
	else \
		echo "PostgreSQL is missing (apt-get install postgresql); the tests of the store over it will be skipped."; \
	fi

lint: $(VENV)/dev.stamp
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-logo

types: $(VENV)/dev.stamp
	@$(BIN)/mypy

# Three at a time on two cores: some wait for processes, leases and disks. The first run compiles the tests beside lint
# and types, since otherwise each of the three would compile all of them.
test: $(VENV)/dev.stamp browser postgres
	@test -d tests/__pycache__ || $(PYTEST) --collect-only -q >/dev/null 2>&1 & \
	$(MAKE) --no-print-directory lint types; checked=$$?; wait; exit $$checked
	@$(PYTEST) -n 3 --dist worksteal

# All tests without the calls that rely on private parts of discord.py.
test-public-api: $(VENV)/dev.stamp
	@FAST_DISCORD=0 $(PYTEST) -n 3 --dist worksteal

# What a change breaks most often: run it before each commit.
quick: lint types
	@$(PYTEST) -q -n 3 --dist worksteal tests/engine/games tests/engine/test_chance.py tests/engine/test_contract.py \
		tests/data tests/test_structure.py tests/test_rule_books.py --ignore-glob='*_referee.py' \
		$(addprefix --ignore=tests/data/test_,postgres.py shards.py transfer.py)

goldens: $(VENV)/dev.stamp
	@$(BIN)/python -m tools.goldens

words: $(VENV)/dev.stamp
	@$(BIN)/python -m tools.words

messages: $(VENV)/dev.stamp
	@$(BIN)/python -m tools.messages

commands: $(VENV)/dev.stamp
	@$(BIN)/python -m tools.commands_page

pictures: $(VENV)/dev.stamp
	@$(BIN)/python -m tools.rule_pictures

screenshots: $(VENV)/dev.stamp browser
	@$(BIN)/python -m tools.screenshots

screens: $(VENV)/dev.stamp browser
	@$(BIN)/python -m tools.screens $(if $(LANGUAGE),--language $(LANGUAGE))

bench: $(VENV)/dev.stamp
	@$(BIN)/python -m tools.bench

accuracy: $(VENV)/dev.stamp
	@$(BIN)/python -m tools.accuracy --processes 2

simulate: $(VENV)/dev.stamp
	@$(BIN)/python -m tools.scale

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis *.egg-info
