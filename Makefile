# `make run` and `make test` need Python 3.11 or newer (with venv) and make; everything else goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help run test exhaustive check format bench fuzz reproduction constraints clean

help:
	@echo "make run          serve the dashboard on this machine"
	@echo "make test         run all tests (browser tests too where Chromium is installed)"
	@echo "make exhaustive   run the tests that make test leaves out: brute force on larger grids (many minutes)"
	@echo "make check        ruff and mypy"
	@echo "make format       let ruff format the code"
	@echo "make bench        run the benchmarks"
	@echo "make reproduction run the paper's experiment in four ways, renew docs/reproduction.md (many minutes)"
	@echo "make fuzz         throw mutated files at the readers; FUZZ_SECONDS=600 for each of the four"
	@echo "make constraints  write the newest versions that fit pyproject.toml to constraints.txt"
	@echo "make clean        remove .venv and everything the tools left behind"

# venv is called on an existing .venv too: that repairs one that was left half made.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -e '.[dev]' -c constraints.txt
	@touch $@

run: $(STAMP)
	$(BIN)/python -m streamlit run app.py

# Two workers; tests of one xdist_group (the browser) share a worker, so that one Chromium runs at a time.
test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadgroup

exhaustive: $(STAMP)
	$(BIN)/python -m pytest tests -m exhaustive

check: $(STAMP)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

format: $(STAMP)
	$(BIN)/python -m ruff format .

bench: $(STAMP)
	$(BIN)/python benchmarks/run.py

reproduction: $(STAMP)
	$(BIN)/python benchmarks/reproduction.py

FUZZ_SECONDS ?= 120

# atheris has wheels for Linux and Python 3.11 to 3.13 only, and nothing else needs it: it is no dependency.
fuzz: $(STAMP)
	$(BIN)/python -m pip install --quiet atheris==3.0.0
	for reader in data release study hierarchy; do \
		$(BIN)/python -W error fuzz/run.py $$reader -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 || exit 1; \
	done

# From a clean venv, so that nothing a developer tried out is pinned.
constraints:
	scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	$(PYTHON) -m venv "$$scratch" && \
	"$$scratch/bin/python" -m pip install --quiet -e '.[dev]' && \
	"$$scratch/bin/python" -m pip freeze --exclude-editable > "$$scratch/frozen.txt" && \
	{ echo "# The versions that the tests ran with. Written by 'make constraints'; the ranges stand in pyproject.toml."; \
	  cat "$$scratch/frozen.txt"; } > constraints.txt

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
