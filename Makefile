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
	@echo "make screenshots  picture every page at four widths in light and dark, into SCREENSHOTS=folder"
	@echo "make reproduction run the paper's experiment in four ways, renew docs/reproduction.md (many minutes)"
	@echo "make fuzz         throw mutated files at the readers; FUZZ_SECONDS=600 for each of the four"
	@echo "make load         open the dashboard thirty times at once, print times, memory and what was seen (minutes)"
	@echo "make licences     list the licences of what the program needs in docs/licences.md"
	@echo "make advisories   ask for known holes in the pinned versions, and whether they can still be had (network)"
	@echo "make constraints  write the newest versions that fit pyproject.toml to constraints.txt"
	@echo "make clean        remove .venv and everything the tools left behind"

# venv is called on an existing .venv too: that repairs one that was left half made.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r constraints.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

run: $(STAMP)
	$(BIN)/python -m cra_dashboard.program --no-browser

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

SCREENSHOTS ?= screenshots
.PHONY: screenshots
screenshots: $(STAMP)
	$(BIN)/python tests/browser/screenshots.py $(SCREENSHOTS)

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

# of the server and what it needs
.PHONY: load licences advisories
load: $(STAMP)
	$(BIN)/python benchmarks/load.py

licences: $(STAMP)
	$(BIN)/python tools/licences.py

# pip names a pinned version that was withdrawn (yanked) when it would install it. pip-audit needs the advisory service.
advisories: $(STAMP)
	$(BIN)/python -m pip check
	$(BIN)/python -m pip install --quiet --dry-run --ignore-installed --no-deps -r constraints.txt
	scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	$(PYTHON) -m venv "$$scratch" && \
	"$$scratch/bin/python" -m pip install --quiet pip-audit && \
	"$$scratch/bin/python" -m pip_audit --requirement constraints.txt --no-deps --disable-pip --strict

# With the hashes of all files of each version, for every computer: pip then installs nothing else. `make constraints
# FRESH=` keeps the versions and adds what pyproject.toml asks for anew.
FRESH ?= --upgrade
constraints:
	scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	$(PYTHON) -m venv "$$scratch" && \
	"$$scratch/bin/python" -m pip install --quiet uv && \
	cp constraints.txt "$$scratch/pins.txt" && \
	"$$scratch/bin/uv" pip compile pyproject.toml --quiet --extra dev --universal --python-version 3.11 $(FRESH) \
		--generate-hashes --no-annotate --no-header --no-emit-index-url --no-emit-package cra-explorer \
		--output-file "$$scratch/pins.txt" && \
	{ echo "# The versions that the tests ran with, and what their files hash to. Written by 'make constraints'."; \
	  grep -v '^#' "$$scratch/pins.txt"; } > constraints.txt

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
