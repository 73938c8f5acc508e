# Two commands: `make demo` and `make test`. Both create .venv and install what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet -c constraints.txt

.PHONY: help demo test wheel slow fuzz mutants lint clean

help:
	@echo "make demo   install, then Blocks-3 from traces to a validated plan"
	@echo "make test   install the test extras, then run the tests"
	@echo "make wheel  build sdist and wheel, install the wheel elsewhere, walk through the commands there"
	@echo "make slow   the tests that take minutes"
	@echo "make fuzz   half an hour of odd files for the readers (SECONDS_EACH=600)"
	@echo "make mutants  what the tests see of bugs made on purpose (AREA=nn N=50 SEED=0)"
	@echo "make lint   ruff and mypy"
	@echo "make clean  remove .venv and what tools left behind"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12"; exit 1; }
	@echo "Creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing dias and what it needs into $(VENV) (about a minute)"
	@$(PIP) -e .
	@touch $@

$(VENV)/.test: $(VENV)/.installed
	@echo "Installing the test extras"
	@$(PIP) -e '.[test]'
	@touch $@

$(VENV)/.mutants: $(VENV)/.test
	@echo "Installing cosmic-ray"
	@$(PIP) -e '.[test,mutants]'
	@touch $@

$(VENV)/.lint: $(VENV)/.installed
	@echo "Installing ruff and mypy"
	@$(PIP) -e '.[lint]'
	@touch $@

demo: $(VENV)/.installed
	@$(BIN)/dias demo

# The tests start some hundred processes: what they compile is kept, whatever the environment says.
# Each of them computes with one thread: there are as many as cores.
test: export PYTHONDONTWRITEBYTECODE =
test: export OMP_NUM_THREADS = 1
test: $(VENV)/.test
	@echo "Running the tests, as many at a time as there are cores (four at most)"
	@$(BIN)/python -m pytest -q -n auto --maxprocesses=4 --dist worksteal

ELSEWHERE := $(VENV)/elsewhere
wheel: $(VENV)/.test
	@echo "Building sdist and wheel into dist, installing the wheel into an environment of its own"
	@rm -rf dist $(ELSEWHERE)
	@$(BIN)/python -m build --quiet
	@$(PYTHON) -m venv $(ELSEWHERE)
	@$(ELSEWHERE)/bin/python -m pip --disable-pip-version-check install --quiet -c constraints.txt dist/*.whl
	@set -e; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; cd "$$folder"; \
	  "$(CURDIR)/$(ELSEWHERE)/bin/python" -P "$(CURDIR)/tests/wheel/installed.py" \
	  "$(CURDIR)/$(ELSEWHERE)/bin/dias"
	@rm -rf $(ELSEWHERE)

slow: $(VENV)/.test
	@$(BIN)/python -m pytest -q -m slow

SECONDS_EACH ?= 600
fuzz: $(VENV)/.test
	@for target in traces domains problems dialects plans; do \
	  $(BIN)/python -m tests.fuzz $$target --seconds $(SECONDS_EACH) || exit 1; done

N ?= 50
SEED ?= 0
SURVIVORS ?= build/mutants/survivors.json
mutants: $(VENV)/.mutants
	@$(BIN)/python -m tests.mutants $(AREA) -n $(N) --seed $(SEED) --survivors $(SURVIVORS)

lint: $(VENV)/.lint
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache
