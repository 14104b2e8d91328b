# `make run` and `make test` are all that a newcomer needs; the other targets are their parts, and tools for developers.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
LISTEN ?= 127.0.0.1:8448
DATA ?= data
HOST := target/debug/masthead
RELEASE := target/release/masthead
# The tests write their results into this folder, and `conformance` reads them.
export TEST_RESULTS := $(CURDIR)/target/test-results

.PHONY: help run build test bench bench-search-large kills tools ui plugins test-plugins host binary fmt lint test-rust test-ui test-browser accessibility conformance harvest fuzz fuzz-short audit attack foreign-module lighthouse inp crawl gallery openapi reference clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-19s %s\n", $$1, $$2}'

run: host ## Build, seed the demo sites and serve them on $(LISTEN)
	$(HOST) serve --sites sites --data $(DATA) --listen $(LISTEN) --demo

build: ui plugins ## Build one binary with the user interface and plugins in it: target/release/masthead
	cargo build --release --locked -p masthead-cli

test: fmt lint test-rust test-ui test-browser conformance fuzz-short ## Run all checks of .ci/run

BENCHES := import hooks articles serve members plugins scale backup search alerts sign_in

# What does not compile ends this at once. A part that misses a bound does not: all of them run, and the last line names those that failed.
# Without a network, the script of Lighthouse says that it was not run and exits with 2, which is not a failure here.
bench: ui test-plugins ## Run the benchmarks: ratios to a baseline of the same run, interactions (inp) and Lighthouse in a browser
	@$(MAKE) --no-print-directory host
	cargo bench --workspace --locked --no-run $(BENCHES:%=--bench %)
	@failed=; \
	for bench in $(BENCHES); do cargo bench --workspace --locked --bench $$bench || failed="$$failed $$bench"; done; \
	cargo test --workspace --locked --profile bench --test relevance -- --nocapture --test-threads=1 || failed="$$failed relevance"; \
	npm run --silent inp -w @masthead/browser-tests || failed="$$failed inp"; \
	npm run --silent lighthouse -w @masthead/browser-tests || [ $$? = 2 ] || failed="$$failed lighthouse"; \
	test -z "$$failed" || { echo "make bench: these failed or did not meet a bound:$$failed"; exit 1; }

bench-search-large: ## Run the benchmark of search with 1,000,000 articles (one to two hours on two cores, 45 GB of disk)
	MASTHEAD_BENCH_ARTICLES=1000000 cargo bench --workspace --locked --bench search

# Checks that the build tools are installed, and reports a missing one in one line; adds missing WebAssembly targets.
tools:
	@command -v cargo >/dev/null || { echo "cargo is missing: install Rust 1.95 from https://rustup.rs"; exit 1; }
	@command -v npm >/dev/null || { echo "npm is missing: install Node.js 20.19 or newer"; exit 1; }
	@for target in wasm32-unknown-unknown wasm32-wasip2; do \
		rustc --print target-libdir --target $$target | xargs test -d || rustup target add $$target || exit 1; \
	done

node_modules/.package-lock.json: package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

UI_SOURCES := $(shell find plugin-sdk/ui ui-shell ui-renderer ui-modules locales -type f -not -path '*/node_modules/*' -not -path '*/dist/*' 2>/dev/null)

ui: dist/ui/stamp ## Build the shell and the federated modules into dist/ui
dist/ui/stamp: node_modules/.package-lock.json $(UI_SOURCES) package.json
	@$(MAKE) --no-print-directory tools
	npm run --silent build
	@rm -rf dist/ui && mkdir -p dist/ui/shell dist/ui/modules
	@cp -r ui-shell/dist/. dist/ui/shell/ && cp ui-shell/dist/.vite/manifest.json dist/ui/shell/manifest.json
	@mkdir -p dist/ui/renderer && cp ui-renderer/dist/quickjs.wasm ui-renderer/dist/renderer.js dist/ui/renderer/
	@for module in ui-modules/*/dist; do id=$$(basename $$(dirname $$module)); mkdir -p dist/ui/modules/$$id; cp -r $$module/. dist/ui/modules/$$id/; done
	@touch $@

plugins: tools ## Build the first-party plugins into dist/plugins
	@$(MAKE) --no-print-directory -C plugins first-party
	@mkdir -p dist/plugins && cp -ru plugins/dist/. dist/plugins/

# The plugins that only tests use take a minute of processor time to build, and `make run` does not wait for them.
test-plugins: plugins ## Build the plugins that the tests use too
	@$(MAKE) --no-print-directory -C plugins all

# The whole workspace is built at once: building crates separately would compile their dependencies again with other features.
# Plugins are built afterwards, with a tool of the workspace; a debug build of the host reads them when it starts.
host: ui tools
	cargo build --workspace --locked
	@$(MAKE) --no-print-directory plugins

# The binary that the tests in Rust have built, if there is one, so that `make test` builds once.
binary: ui test-plugins
	@test -x $(HOST) || cargo build --workspace --locked

fmt: tools
	cargo fmt --all --check

# Licences and sources of the Rust packages are checked by tests/structure, against deny.toml. Where Clippy compiles the tests (.ci/run), it
# need not check all packages once more.
lint: tools node_modules/.package-lock.json
	$(if $(RUSTC_WORKSPACE_WRAPPER),,cargo clippy --workspace --all-targets --locked -- -D warnings)
	@$(MAKE) --no-print-directory -C plugins lint
	@node tests/supply/npm.mjs

$(TEST_RESULTS):
	@mkdir -p $@

# Documentation has no examples to run (tests/structure), and looking for them would read every crate once more.
# The table of conformance is printed at the end, when the results of all tests are known.
test-rust: ui tools | $(TEST_RESULTS)
	cargo test --workspace --locked --no-run $(if $(RUSTC_WORKSPACE_WRAPPER),--all-targets)
	@$(MAKE) --no-print-directory test-plugins
	cargo test --workspace --locked --lib --bins --tests -- --skip every_line_works_or_is_marked_as_later | tee $(TEST_RESULTS)/rust.txt
	@$(MAKE) --no-print-directory -C plugins test

kills: ui test-plugins ## Kill imports, backups, restores, loads and changes at 200 random moments each (an hour on two cores)
	MASTHEAD_KILLS=200 cargo test --workspace --locked --test cli -- kill --nocapture

test-ui: node_modules/.package-lock.json | $(TEST_RESULTS)
	npm run --silent lint
	npm test --silent
	@report=$$(node --test tests/supply/npm.test.mjs tests/attack/host.test.mjs) || { echo "$$report"; exit 1; }

test-browser: binary | $(TEST_RESULTS)
	npm test --silent -w @masthead/browser-tests
	@node --test --test-timeout=600000 tests/foreign-module/foreign-module.test.mjs

accessibility: binary ## Check every screen with all rules of axe and in every colour preset, light and dark (an hour on two cores)
	@npm run --silent accessibility -w @masthead/browser-tests

# AT=http://127.0.0.1:8448 SITE=oceanledger harvests a running host; without AT, a host is started with generated articles.
harvest: ## Harvest a site over OAI-PMH with a Python client (needs Python and, the first time, a network)
	@test -n "$(AT)" -o -x $(HOST) || $(MAKE) --no-print-directory host
	@tests/harvest/run $(if $(AT),--at $(AT) --site $(or $(SITE),oceanledger),--host $(HOST))

conformance: ui test-plugins ## List what works, line by line of the specification, with the results of the last tests
	cargo test --workspace --locked --test conformance -- --nocapture

fuzz: host ## Fuzz the API of a demo host for some minutes (needs Python and, the first time, a network)
	@HOST=$(HOST) tests/fuzz/run.sh long

# Without Python or a network, the script prints that it was skipped and exits with 2, which is not a failure here.
fuzz-short: binary
	@HOST=$(HOST) tests/fuzz/run.sh short || [ $$? = 2 ]

audit: ## Compare the packages with the databases of known vulnerabilities (needs a network)
	@tests/supply/audit.sh

attack: host ## Attack a demo host: hostile articles, requests and clients, one line for each attack
	@MASTHEAD=$(HOST) tests/attack/run

foreign-module: build ## Build modules outside of the repository and show them in pages of the release binary (needs Chromium)
	@MASTHEAD=$(RELEASE) node --test --test-timeout=600000 tests/foreign-module/foreign-module.test.mjs

lighthouse: host ## Rate pages of three sites with Lighthouse (needs Chromium and, the first time, a network)
	@npm run --silent lighthouse -w @masthead/browser-tests

inp: host ## Measure interactions with the processor slowed down four times (needs Chromium)
	@npm run --silent inp -w @masthead/browser-tests

crawl: host ## Follow the links of the demo on all sites in all languages, until no page is left
	@CRAWL_SECONDS=$${CRAWL_SECONDS:-3600} npm run --silent crawl -w @masthead/browser-tests

gallery: host ## Take pictures of every screen and style: target/gallery/index.html (needs Chromium)
	@npm run --silent gallery -w @masthead/browser-tests

reference: ## Write docs/configuration.md, the reference of all configuration keys
	cargo build --workspace --locked
	$${CARGO_TARGET_DIR:-target}/debug/masthead config reference > docs/configuration.md

openapi: ## Write the OpenAPI document and the TypeScript types generated from it
	cargo build --workspace --locked
	$${CARGO_TARGET_DIR:-target}/debug/masthead openapi > ui-shell/openapi.json
	npm run --silent types

clean: ## Remove all build output; keeps the content in $(DATA)
	rm -rf target dist ui-shell/dist ui-renderer/dist ui-modules/*/dist plugin-sdk/ui/dist node_modules
	$(MAKE) -C plugins clean
