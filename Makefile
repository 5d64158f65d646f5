# SPDX-License-Identifier: MIT
# The commands of pliant's everyday; `make help` lists them. CMake presets do the building, this
# file only remembers what to call. Variables: JOBS, PREFIX, CTEST_ARGS, FUZZ_SECONDS, FILES.

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20
# What `make tidy` looks at, a regular expression over paths.
FILES ?= /(src/pliant|apps)/
# More for ctest, e.g. CTEST_ARGS="-R mesh"
CTEST_ARGS ?=

export OPENBLAS_NUM_THREADS := 1
export ASAN_OPTIONS ?= strict_string_checks=1
export UBSAN_OPTIONS ?= print_stacktrace=1
export TSAN_OPTIONS ?= halt_on_error=1

PYTHON := $(firstword $(wildcard /usr/bin/python3) python3)
PLIANT := build/release/pliant
TAKE := demo/pneumatic_box_drop.plrec
SOURCES = $(shell find src apps tests fuzz bench examples python -name '*.h' -o -name '*.cpp' 2>/dev/null)
CMAKE_FILES := CMakeLists.txt CMakePresets.json $(wildcard cmake/* tests/CMakeLists.txt fuzz/CMakeLists.txt)

.DEFAULT_GOAL := build
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: build demo page test asan tsan fuzz bench layers style format format-check tidy docs install clean help
# build/NAME/build.ninja would be deleted as an intermediate file.
.SECONDARY:

# --- configuring and building ---------------------------------------------------------------------

# $(call configure,PRESET,ARGUMENTS): quiet unless it fails. ccache is used where it is; it is looked for
# here, not when make starts, because tools/setup may just have installed it. The linker is the
# compiler's own: mold 1.10 made test programs now and then whose RELRO segment the loader refused.
define configure
@mkdir -p build/$(1)
@echo "configuring build/$(1)"
@PLIANT_CCACHE=$$(command -v ccache) \
 cmake --preset $(1) $(2) >build/$(1)/configure.log 2>&1 \
 || { cat build/$(1)/configure.log; exit 1; }
@touch build/$(1)/build.ninja
endef

# $(call compile,PRESET,TARGETS): a moving status on a terminal, only what goes wrong otherwise.
define compile
@echo "building build/$(1)"
@test -t 1 || quiet=--quiet; $(3) cmake --build build/$(1) $(if $(2),--target $(2)) -- -j $(JOBS) $$quiet
endef

# $(call run-tests,PRESET)
run-tests = ctest --test-dir build/$(1) --output-on-failure -j $(JOBS) $(CTEST_ARGS)

# Without GoogleTest the program can still be built; `make test` installs it and switches tests on.
build/%/build.ninja: $(CMAKE_FILES)
	$(call configure,$*,$(if $(wildcard /usr/include/gtest/gtest.h /usr/local/include/gtest/gtest.h),,-DPLIANT_TESTS=OFF))

build/fuzz/build.ninja: $(CMAKE_FILES)
	$(call configure,fuzz)

.PHONY: setup-build setup-film setup-page setup-asan setup-test setup-lint setup-fuzz setup-docs with-tests
setup-build:
	@tools/setup build
setup-film:
	@tools/setup build film
setup-page:
	@tools/setup build page
setup-test:
	@tools/setup build test
setup-asan:
	@tools/setup build test fuzz
setup-lint:
	@tools/setup lint
setup-fuzz:
	@tools/setup build fuzz
setup-docs:
	@tools/setup docs

# The release tree may have been configured before GoogleTest or npm was there.
with-tests: setup-test build/release/build.ninja
	@if grep -qE '^PLIANT_TESTS:BOOL=OFF|^PLIANT_(NPM|NODE):FILEPATH=.*NOTFOUND' build/release/CMakeCache.txt; then \
	     cmake build/release -DPLIANT_TESTS=ON >build/release/configure.log 2>&1 \
	     || { cat build/release/configure.log; exit 1; }; fi

build: setup-build build/release/build.ninja ## build the program: build/release/pliant (also plain `make`)
	$(call compile,release,pliant_cli)

# A page that could not be built, for want of npm or its packages, is tried again only here.
page: setup-page build/release/build.ninja ## build the page of `pliant export take.html` (again), and the program
	@cmake build/release >build/release/configure.log 2>&1 || { cat build/release/configure.log; exit 1; }
	$(call compile,release,page)
	$(call compile,release,pliant_cli)

# --- running --------------------------------------------------------------------------------------

demo: setup-film build ## install what is missing, build, run the pneumatic box and its ball; results in demo/
	@mkdir -p demo
	@$(PLIANT) run scenes/pneumatic_box_drop.json -o $(TAKE) --force
	@$(PLIANT) export $(TAKE) -o demo/pneumatic_box_drop.glb --force --quiet
	@$(PLIANT) export $(TAKE) -o demo/pneumatic_box_drop.pc2 --force --quiet
	@$(PLIANT) export $(TAKE) -o demo/pneumatic_box_drop.html --force --quiet \
	 || echo "no demo/pneumatic_box_drop.html: 'make page' installs npm and builds what is missing"
	@$(PLIANT) render $(TAKE) -o demo/pneumatic_box_drop.mp4 --force --quiet
	@$(PLIANT) plot $(TAKE) energy -o demo/energy.svg --force --quiet
	@$(PLIANT) plot $(TAKE) energy -o demo/energy.png --force --quiet
	@printf '%s\n' '' \
	 'A ball fell on the elastic lid of a box; gas switched on below threw it up again. Look at' \
	 '  demo/energy.svg .png              where the energy went, and that none was invented' \
	 '  demo/pneumatic_box_drop.html      a page that plays it: open it in a browser' \
	 '  demo/pneumatic_box_drop.mp4       a film of it' \
	 '  demo/pneumatic_box_drop.glb       the animation, for a glTF viewer or Blender' \
	 '  demo/pneumatic_box_drop.obj .pc2  the same as a mesh with a point cache' \
	 '  $(TAKE)     the recording itself, an SQLite file' \
	 'and try' \
	 '  $(PLIANT) info $(TAKE)' \
	 '  $(PLIANT) plot $(TAKE) box.volume -o demo/volume.svg' \
	 '  $(PLIANT) run scenes/pneumatic_box_drop_light.json -o demo/light_ball.plrec'

bench: build ## measure scenes and kernels; CSV under bench/results
	@$(PLIANT) bench

install: build ## install program, library and headers; PREFIX=/usr/local
	@cmake --install build/release --prefix $(PREFIX)

# --- checking -------------------------------------------------------------------------------------

test: with-tests layers style ## install what is missing, build, check layers and style, run all tests
	$(call compile,release)
	@$(call run-tests,release)

# clang builds it in half the time that g++ takes, and its warnings come with it.
asan: setup-asan build/asan/build.ninja ## the tests under AddressSanitizer and UBSan
	$(call compile,asan)
	@$(call run-tests,asan)

# ThreadSanitizer of g++ 12 cannot map its memory under strong address randomisation.
no-aslr = $$(setarch -R true 2>/dev/null && echo setarch -R)
tsan: setup-test build/tsan/build.ninja ## the tests under ThreadSanitizer
	$(call compile,tsan,,$(no-aslr))
	@$(no-aslr) $(call run-tests,tsan)

fuzz: setup-fuzz build/fuzz/build.ninja ## feed the readers garbage for FUZZ_SECONDS each; finds in build/fuzz/found
	$(call compile,fuzz)
	@tools/fuzz $(FUZZ_SECONDS)

layers: ## who includes whom
	@$(PYTHON) tools/check_layers.py

style: ## licence lines, leftovers, things a library must not do
	@$(PYTHON) tools/check_style.py

format: setup-lint ## rewrite all sources with clang-format 14
	@clang-format-14 -i $(SOURCES)

format-check: setup-lint ## say which sources clang-format 14 would change
	@wrong=0; for file in $(SOURCES); do \
	     clang-format-14 $$file | cmp -s - $$file || { echo "$$file: not formatted"; wrong=1; }; done; \
	 test $$wrong = 0 && echo "format: ok" || { echo "format: run 'make format'"; exit 1; }

tidy: setup-lint setup-build build/release/build.ninja ## clang-tidy 14; FILES=src/pliant/mesh for a part
	@echo "clang-tidy"
	@$(PYTHON) tools/tidy build/release $(JOBS) '$(FILES)'
	@echo "tidy: ok"

# --- the rest -------------------------------------------------------------------------------------

docs: setup-docs ## the C++ reference: build/docs/cpp/index.html
	@mkdir -p build/docs
	@PLIANT_VERSION=$$(sed -n 's/^project(pliant VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt) doxygen docs/Doxyfile
	@echo "build/docs/cpp/index.html"

clean: ## remove build/ (recordings in demo/ stay)
	@rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
