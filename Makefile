# `make run` and `make test` need Python 3.11 or newer (with venv) and make; everything else goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
RUNTIME := .venv/.runtime
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help run test served exhaustive walks wheel one-file lowest check site format bench fuzz reproduction constraints clean

help:
	@echo "make run          serve the dashboard on this machine"
	@echo "make test         run the tests (the main path in a browser where Chromium is installed)"
	@echo "make served       run the other tests in a browser, and those of the server"
	@echo "make exhaustive   run the tests that make test leaves out: brute force on larger grids (many minutes)"
	@echo "make walks        run those of them that drive a browser (ten minutes)"
	@echo "make wheel        build the wheel, install it into an empty environment and try it there (package index)"
	@echo "make one-file     build the one file to double-click for this system, and try it (package index, minutes)"
	@echo "make lowest       run the tests with the lowest versions that pyproject.toml promises (package index)"
	@echo "make check        ruff, mypy, and the borders of the rooms"
	@echo "make site         build the site from docs/ and the docstrings into build/site, strictly"
	@echo "make format       let ruff format the code"
	@echo "make bench        run the benchmarks"
	@echo "make screenshots  picture every page at four widths in light and dark, into SCREENSHOTS=folder"
	@echo "make reproduction run the paper's experiment in four ways, renew docs/reproduction.md (many minutes)"
	@echo "make fuzz         throw mutated files at all readers in turns, for FUZZ_SECONDS=3600 in all"
	@echo "make load         classes of thirty and of sixty beside eight who attack: times, memory, what was seen (minutes)"
	@echo "make licences     list the licences of what the program needs in docs/licences.md"
	@echo "make advisories   ask for known holes in the pinned versions, and whether they can still be had (network)"
	@echo "make constraints  write the newest versions that fit pyproject.toml to constraints.txt"
	@echo "make clean        remove .venv and everything the tools left behind"

# What the program needs, and no development tools; these come on top when a target asks for them.
# venv is called on an existing .venv too: that repairs one that was left half made.
$(RUNTIME): pyproject.toml constraints.txt constraints-run.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r constraints-run.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(STAMP): $(RUNTIME)
	$(BIN)/python -m pip install --quiet --require-hashes -r constraints.txt
	@touch $@

run: $(RUNTIME)
	$(BIN)/cra-explorer --no-browser

# Tests start many processes, which need not compile the program anew each time.
test served exhaustive walks wheel lowest: export PYTHONDONTWRITEBYTECODE=
# In the order that tests/conftest.py gives: what takes longest first.
SHARED_OUT := --dist loadgroup --no-loadscope-reorder

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 $(SHARED_OUT)

# One worker for the browser and one for the server: both wait more than they work.
served: $(STAMP)
	$(BIN)/python -m pytest -n 2 $(SHARED_OUT) -m 'served and not exhaustive'

# Nothing of it is in make test, or in make served.
exhaustive: $(STAMP)
	$(BIN)/python -m pytest -n 2 $(SHARED_OUT) -m exhaustive

# The part of it that drives a browser.
walks: $(STAMP)
	$(BIN)/python -m pytest tests/browser -m exhaustive

wheel: $(STAMP)
	$(BIN)/python -m pytest tests/wheel -m wheel

# PyInstaller is no dependency: nothing else needs it. docs/one-file.md says why it is that one.
ONE := build/one-file
one-file: $(STAMP)
	rm -rf $(ONE)
	$(BIN)/python -m build --wheel --no-isolation --outdir $(ONE) .
	$(PYTHON) -m venv $(ONE)/env
	$(ONE)/env/bin/python -m pip install --quiet --require-hashes -r constraints-run.txt
	$(ONE)/env/bin/python -m pip install --quiet --no-deps $(ONE)/*.whl
	$(ONE)/env/bin/python -m pip install --quiet pyinstaller==6.22.3
	cd $(ONE) && env/bin/pyinstaller --noconfirm --log-level WARN --distpath . ../../tools/one_file.spec
	CRA_ONE_FILE=$(ONE)/CRA-Explorer $(BIN)/python -m pytest tests/wheel/test_one_file_program.py -m wheel

# Of what is installed for people; development tools are the newest that fit. tests/test_licences.py is about the
# pinned versions, which these are not.
lowest:
	scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	$(PYTHON) -m venv "$$scratch" && \
	"$$scratch/bin/python" -m pip install --quiet uv && \
	"$$scratch/bin/uv" pip compile --quiet --python "$$scratch/bin/python" --resolution lowest-direct \
		--extra all --output-file "$$scratch/lowest.txt" pyproject.toml && \
	"$$scratch/bin/uv" pip install --quiet --python "$$scratch/bin/python" -e '.[dev]' -c "$$scratch/lowest.txt" && \
	"$$scratch/bin/python" -m pytest -n 2 $(SHARED_OUT) --ignore tests/test_licences.py \
		-m "not exhaustive and not wheel and not browser and not site"

check: $(STAMP)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

# A warning is a failure: a dead link, a page that no list names, a docstring that cannot be read.
site: $(STAMP)
	mkdir -p build/extra
	$(BIN)/cra-explorer --export build/extra/playground.html
	$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet docs build/site
	$(BIN)/python -m pytest tests/test_site.py tests/test_worked_case.py tests/test_r.py tests/test_notebooks.py \
		-m site

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

FUZZ_SECONDS ?= 3600

# atheris has wheels for Linux and Python 3.11 to 3.13 only, and nothing else needs it: it is no dependency.
fuzz: $(STAMP)
	$(BIN)/python -m pip install --quiet atheris==3.0.0
	$(BIN)/python fuzz/all.py $(FUZZ_SECONDS)

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
# FRESH=` keeps the versions and adds what pyproject.toml asks for anew. The second file is what `make run` needs of it.
FRESH ?= --upgrade
PIN = pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	--no-emit-index-url --no-emit-package cra-explorer
SAYS := \# What the tests ran with, and what the files of each version hash to. Written by 'make constraints'.
constraints:
	scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	$(PYTHON) -m venv "$$scratch" && \
	"$$scratch/bin/python" -m pip install --quiet uv && \
	cp constraints.txt "$$scratch/all.txt" && \
	"$$scratch/bin/uv" $(PIN) pyproject.toml --extra dev $(FRESH) --output-file "$$scratch/all.txt" && \
	printf 'hatchling\neditables\n' > "$$scratch/build.in" && \
	"$$scratch/bin/uv" $(PIN) pyproject.toml --extra app "$$scratch/build.in" --constraints "$$scratch/all.txt" \
		--output-file "$$scratch/run.txt" && \
	{ echo "$(SAYS)"; grep -v '^#' "$$scratch/all.txt"; } > constraints.txt && \
	{ echo "$(SAYS)"; grep -v '^#' "$$scratch/run.txt"; } > constraints-run.txt

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
