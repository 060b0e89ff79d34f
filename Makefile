# Each target makes what it needs: a virtual environment in .venv, the dependencies, the build.
# Needed beforehand: Python 3.11 or later, gcc and make.

PYTHON ?= python3
PYTHONS ?= $(PYTHON)
BIN := $(CURDIR)/.venv/bin
CHECKED := $(CURDIR)/build/checked
SANITIZED := $(CURDIR)/build/sanitized
# sets an editable install aside, which would win over PYTHONPATH
STARTUP := $(CURDIR)/tests/startup
# extras that are large: only the tests want them
ENGINES := clickhouse spark

# meson finds its tools on the path, so the environment must come first there
export PATH := $(BIN):$(PATH)
export MPLBACKEND := Agg
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONPATH

SOURCES := pyproject.toml meson.build meson.options README.md LICENSE \
  $(shell find src \( -name '*.js' -o -name '*.css' -o -name '*.py' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.pyi' -o -name '*.csv' -o -name '*.md' -o -name meson.build \))

.PHONY: help demo test lint bench mutants fuzz docs explorer wheel clean
.DELETE_ON_ERROR:

help:
	@echo "make demo   fit learners on known data, print the trees, write pictures into demo-output/"
	@echo "make test   lint, types, and every test in a bounds-checked build"
	@echo "make lint   ruff, mypy, cython-lint, import-linter"
	@echo "make bench  speed and memory beside other libraries"
	@echo "make mutants  plant faults, and see which the tests notice (an hour; ARGS='--only sql' for some)"
	@echo "make fuzz   10,000 random cases of each area, under the address sanitizer (ARGS='readers --cases 500' for some)"
	@echo "make wheel  one file in dist/ that installs without a compiler, on this Python and all later ones, tried in a clean"
	@echo "            environment (of several Pythons with PYTHONS='python3.11 python3.13')"
	@echo "make docs   the documentation, in docs/_build/html"
	@echo "make explorer   the page's bundle, from its TypeScript sources (needs Node)"
	@echo "make clean  remove what was built (not .venv)"

demo: .venv/installed
	$(BIN)/clearwood demo --out demo-output

test: lint build/checked.ready .venv/explorer-tools .venv/engines
	PYTHONPATH=$(CHECKED):$(STARTUP) CLEARWOOD_CHECKED_BUILD=$(CHECKED) \
	  $(BIN)/python -m pytest -n 2 -q tests $(CHECKED)/clearwood $(ARGS)

lint: .venv/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/cython-lint src
	PYTHONPATH=src:$(STARTUP) $(BIN)/lint-imports --no-cache

bench: .venv/installed .venv/bench-tools
	$(BIN)/python -m benchmarks $(ARGS)

mutants: .venv/tools
	$(BIN)/python tests/mutants $(ARGS)

fuzz: build/sanitized.ready
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
	  PYTHONPATH=$(SANITIZED):$(STARTUP) $(BIN)/python tests/fuzz $(ARGS)

docs: .venv/installed .venv/docs-tools
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

# the bundle is committed, so that nothing else here needs Node
explorer: explorer/node_modules
	cd explorer && npm run check && npm run build

# one file for this Python and all later ones, with what the kernels need but for the C library; it is then installed where
# nothing else is, and used from there, on each of PYTHONS
wheel: .venv/tools
	$(BIN)/python -m pip install --quiet --group wheel
	rm -rf build/wheel
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation -Cbuild-dir=build/meson-wheel \
	  -Csetup-args=-Dpython.allow_limited_api=true --wheel-dir build/wheel .
	$(BIN)/auditwheel repair --wheel-dir dist build/wheel/clearwood-*.whl
	set -e; for python in $(PYTHONS); do \
	  rm -rf build/wheel-check; $$python -m venv build/wheel-check; \
	  build/wheel-check/bin/python -m pip install --quiet --no-cache-dir "$$(ls -t dist/clearwood-*.whl | head -1)"; \
	  build/wheel-check/bin/python --version; \
	  (cd build/wheel-check && bin/python -I $(CURDIR)/tests/first_minute.py); done

clean:
	rm -rf build dist demo-output docs/_build docs/gallery docs/api/generated .venv/installed
	find src -name __pycache__ -type d -prune -exec rm -rf {} +

# -- what the targets stand on ---------------------------------------------------------------------

.venv/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or later is needed; name one with make PYTHON=python3.x"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	touch $@

# everything that a build, a test or a check imports; the project itself is not among it
.venv/tools: .venv/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --group build --group test --group lint
	$(BIN)/python -m pip install --quiet $$($(BIN)/python -c "import tomllib; \
	  project = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
	  extras = [name for group, names in project['optional-dependencies'].items() \
	    if group not in '$(ENGINES)'.split() for name in names]; \
	  print(*project['dependencies'], *extras)")
	touch $@

# engines that a table can be scanned in, half a gigabyte each; without them those tests skip
.venv/engines: .venv/tools
	@for extra in $(ENGINES); do $(BIN)/python -m pip install --quiet $$($(BIN)/python -c "import tomllib; \
	  print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$$extra'])") || \
	  echo "pip could not install what $$extra needs: the tests of it will skip."; done
	touch $@

# rivals that only the benchmarks need
.venv/bench-tools: .venv/tools
	$(BIN)/python -m pip install --quiet --group bench
	touch $@

explorer/node_modules: explorer/package-lock.json
	cd explorer && npm install --no-save --no-audit --no-fund
	touch $@

# what rebuilds the bundle and judges the page, where there is Node; without it those tests skip
.venv/explorer-tools: .venv/pip explorer/package-lock.json
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory explorer/node_modules || \
	  echo "npm could not install explorer/: the tests that need it will skip."; \
	  else echo "There is no npm: the tests that need it will skip."; fi
	touch $@

.venv/docs-tools: .venv/tools
	$(BIN)/python -m pip install --quiet --group docs
	touch $@

.venv/installed: .venv/tools $(SOURCES)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -Cbuild-dir=build/release .
	touch $@

# every index in the kernels is checked: slower, so for tests only
build/checked.ready: .venv/tools $(SOURCES)
	rm -rf $(CHECKED)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --target $(CHECKED) \
	  -Cbuild-dir=build/meson-checked -Csetup-args=-Dbounds_checks=true .
	touch $@

# the address sanitizer sees reads and writes beyond an array of the optimised kernels too
build/sanitized.ready: .venv/tools $(SOURCES)
	rm -rf $(SANITIZED)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --target $(SANITIZED) \
	  -Cbuild-dir=build/meson-sanitized -Csetup-args=-Db_sanitize=address -Csetup-args=-Db_lundef=false .
	touch $@
