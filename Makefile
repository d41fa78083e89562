# Everything a person types. Needs GNU make and Python >= 3.11; `setup` brings the rest, by pip and Maven.
# PYTHON=/path/to/python3.11 chooses the interpreter; WORKERS=4 the number of test processes.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for each in python3.11 python3 python3.14 python3.13 python3.12; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$each; break; }; done)
WORKERS ?= logical
UV := uv==0.13.9

# The packages of requirements.lock are in the virtual environment.
INSTALLED := $(VENV)/.installed
# Apache Kafka is fetched and checked, and the JVM's start-up cache is written.
PREPARED := .pipeline/cache/kafka/.prepared

.PHONY: help setup run dev test check lint clean
.DELETE_ON_ERROR:

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

setup: $(INSTALLED) $(PREPARED) ## Make .venv from requirements.lock and fetch Apache Kafka; `run`, `dev` and `test` do it by themselves

run: setup ## Play a conversation through all five stages on a real Kafka; in a terminal, chat afterwards
	@$(BIN)/python -m consumers run-demo

dev: setup ## Run Kafka, the demo MCP servers and the five stages until Ctrl-C
	@$(BIN)/python -m consumers dev

test: setup ## Run every test, on the local Kafka too (its own ports and data: a running `dev` is not disturbed)
	@$(BIN)/pytest -n $(WORKERS) --maxprocesses=4 --dist worksteal

check: lint test ## lint, then test: what CI runs

lint: $(INSTALLED) ## Check style, format, types and the direction of imports
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

clean: ## Stop the local Kafka and remove all that was made: .venv, its data under .pipeline, caches
	@if [ -d .pipeline/kafka ] && [ -x $(BIN)/python ]; then $(BIN)/python -m consumers.local_kafka stop; fi
	@rm -rf $(VENV) .pipeline .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# uv installs the lock in 3 s where pip takes 30. `sync` also removes what the lock no longer names.
$(INSTALLED): requirements.lock
	@if [ -z "$(PYTHON)" ]; then \
		echo "No Python 3.11 or newer was found: install one, or run make PYTHON=/path/to/python3.11" >&2; exit 1; fi
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Python 3.11 or newer is needed, and $(PYTHON) is not: run make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@if ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
		echo "making $(VENV)"; $(PYTHON) -m venv --clear $(VENV); fi
	@echo "installing the packages of requirements.lock"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input $(UV)
	@$(BIN)/uv pip sync --quiet --python $(BIN)/python requirements.lock
	@touch $@

$(PREPARED): $(INSTALLED) consumers/local_kafka/jars.sha256
	@$(BIN)/python -m consumers.local_kafka prepare
	@mkdir -p $(@D)
	@[ -n "$$KAFKA_BOOTSTRAP_SERVERS" ] || touch $@
