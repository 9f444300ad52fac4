# Every target brings what it needs into .venv by itself; only Python 3.11 or newer must be there.
# A stamp file per set of dependencies makes the second call fast.

# The first Python that is new enough. PYTHON=/path/to/python overrides it.
PYTHON ?= $(shell for candidate in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	$$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$candidate && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Workers of the test suite: one more than cores, because tests wait for servers. WORKERS=0 runs them in one process, for a debugger.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 1)')
# More arguments for pytest, e.g. make test ARGS="tests/sql -k levels".
ARGS ?=
# Random releases that `make redteam` tries on each engine, and how many times more examples it draws of searches, models and nights.
EXAMPLES ?= 300
TIMES ?= 10
DRAWN := tests/search tests/privacy tests/nightly/test_attacker.py tests/nightly/test_kept_groups.py
# make test ENGINE=postgresql: the tests that ask for this engine, and for no heavier one.
ENGINE ?=
ENGINES := duckdb postgresql spark
ASKED_duckdb := duckdb and not postgresql and not spark and
ASKED_postgresql := postgresql and not spark and
ASKED_spark := spark and
ifneq ($(filter-out $(ENGINES),$(ENGINE)),)
$(error ENGINE is one of: $(ENGINES))
endif
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

# Spark is tested where Java 17 or newer is: its extra is half a gigabyte, so nobody else downloads it.
JAVA := $(shell java -version 2>&1 | sed -nE 's/.*version "(1[7-9]|[2-9][0-9])[."].*/\1/p' | head -n 1)
SPARK_STAMP := $(if $(JAVA),$(VENV)/.spark-installed)

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-cluster test-workflow faults redteam lint docs pre-commit bench bench-full clean
# A half-finished installation must not look like a finished one.
.DELETE_ON_ERROR:

help:  ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

demo: $(VENV)/.run-installed  ## make a synthetic census in demo/ and publish a verified k-anonymous release of it
	$(BIN)/kanon demo demo

test: $(VENV)/.all-installed $(if $(filter duckdb postgresql,$(ENGINE)),,$(SPARK_STAMP))  ## the whole test suite: DuckDB, a real PostgreSQL and, where Java is, Spark; ENGINE=duckdb|postgresql|spark for a part
	@test -n "$(JAVA)$(filter duckdb postgresql,$(ENGINE))" || echo "Spark is left out of the tests: it needs Java 17 or newer, and there is none here"
	$(PYTEST) -m "$(ASKED_$(ENGINE)) not long and not cluster" $(ARGS)

test-fast: $(VENV)/.all-installed  ## no server, no Spark, nothing slow: in a minute and a half
	$(PYTEST) -m "not slow and not postgresql and not spark and not long and not cluster" $(ARGS)

test-cluster: $(VENV)/.all-installed $(SPARK_STAMP)  ## a Spark cluster of three processes on this machine, and workers killed in it; every local recoding on Spark
	$(BIN)/python -m pytest -m cluster $(ARGS)

test-workflow: $(VENV)/.all-installed $(VENV)/workflow/.installed  ## a real dbt builds the emitted model, a real Airflow takes the DAG of the manual; half a gigabyte
	$(BIN)/python -m pytest tests/workflow $(ARGS)

faults: $(VENV)/.all-installed  ## kill runs and servers at every step, race them, and run a hundred nights; takes a while
	$(BIN)/python -m pytest -m long -s $(ARGS)

redteam: $(VENV)/.all-installed $(SPARK_STAMP)  ## hundreds of random releases of odd types, judged by an independent checker, and thousands of drawn searches and nights; EXAMPLES=n, TIMES=n
	KANON_REDTEAM_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest tests/redteam tests/truth/test_every_type_in_every_role.py -s $(ARGS)
	KANON_TEST_TIMES=$(TIMES) $(PYTEST) $(DRAWN) -m "not long and not cluster" $(ARGS)

lint: $(VENV)/.all-installed  ## style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.all-installed  ## the API reference, from the docstrings, in build/docs
	$(BIN)/python docs/api.py build/docs

pre-commit: $(VENV)/.all-installed  ## let git check style, types and imports before every commit
	$(BIN)/pre-commit install

bench: $(VENV)/.all-installed  ## plans and whole nights against a plain GROUP BY and CREATE TABLE AS, in minutes
	$(BIN)/python -m bench
	$(BIN)/python -m bench --runs

bench-full: $(VENV)/.all-installed  ## the same up to ten million rows, whole nights on DuckDB up to a hundred million (40 GB of disk)
	$(BIN)/python -m bench --full
	$(BIN)/python -m bench --runs --full

clean:  ## remove what these targets made
	rm -rf $(VENV) demo build dist bench/results .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or say make PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run-installed: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[report]'
	@touch $@

$(VENV)/.spark-installed: $(VENV)/.all-installed
	$(PIP) --editable '.[spark]'
	@touch $@

# Each pins packages that we use in other versions, so each has an environment of its own.
$(VENV)/workflow/.installed: tests/workflow/dbt.txt tests/workflow/airflow.txt | $(BIN)/python
	for name in dbt airflow; do $(BIN)/python -m venv $(VENV)/workflow/$$name && \
	$(VENV)/workflow/$$name/bin/python -m pip install --quiet --disable-pip-version-check -r tests/workflow/$$name.txt || exit 1; done
	@touch $@

$(VENV)/.all-installed: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[test,lint,docs,report]'
	@touch $@ $(VENV)/.run-installed
