# A newcomer needs `make run` and `make test`. Everything else is what these two are made of.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
LISTEN ?= 127.0.0.1:8448
DATA ?= data
HOST := target/debug/masthead

.PHONY: help run build test bench tools ui plugins host fmt lint test-rust test-ui test-browser conformance harvest fuzz fuzz-short openapi clean

help: ## Show what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-13s %s\n", $$1, $$2}'

run: host ## Build, seed the demo sites, serve them on $(LISTEN)
	$(HOST) serve --sites sites --data $(DATA) --listen $(LISTEN) --demo

build: ui plugins ## One file with user interface and plugins in it: target/release/masthead
	cargo build --release --locked -p masthead-cli

test: fmt lint test-rust test-ui test-browser fuzz-short ## Everything that .ci/run checks

bench: ui plugins ## Figures as ratios against a baseline of the same run
	cargo bench --locked -p masthead-documents -p masthead-runtime -p masthead-cli --bench import --bench hooks --bench serve --bench plugins --bench scale

# What the build needs and this machine may lack; says what is missing in one line.
tools:
	@command -v cargo >/dev/null || { echo "cargo is missing: install Rust 1.95 from https://rustup.rs"; exit 1; }
	@command -v npm >/dev/null || { echo "npm is missing: install Node.js 20.19 or newer"; exit 1; }
	@for target in wasm32-unknown-unknown wasm32-wasip2; do \
		rustc --print target-libdir --target $$target | xargs test -d || rustup target add $$target || exit 1; \
	done

node_modules/.package-lock.json: package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

UI_SOURCES := $(shell find plugin-sdk/ui ui-shell ui-modules locales -type f -not -path '*/node_modules/*' -not -path '*/dist/*' 2>/dev/null)

ui: dist/ui/stamp ## Build the shell and the federated modules into dist/ui
dist/ui/stamp: node_modules/.package-lock.json $(UI_SOURCES) package.json
	@$(MAKE) --no-print-directory tools
	npm run --silent build
	@rm -rf dist/ui && mkdir -p dist/ui/shell dist/ui/modules
	@cp -r ui-shell/dist/. dist/ui/shell/ && cp ui-shell/dist/.vite/manifest.json dist/ui/shell/manifest.json
	@for module in ui-modules/*/dist; do id=$$(basename $$(dirname $$module)); mkdir -p dist/ui/modules/$$id; cp -r $$module/. dist/ui/modules/$$id/; done
	@touch $@

plugins: tools ## Build the first-party plugins into dist/plugins
	@$(MAKE) --no-print-directory -C plugins all
	@mkdir -p dist/plugins && cp -ru plugins/dist/. dist/plugins/

# The whole workspace at once: built alone, each crate would have its dependencies compiled again with other features.
# Plugins come after, with the tool that the workspace holds; a debug build of the host reads them when it starts.
host: ui tools
	cargo build --workspace --locked
	@$(MAKE) --no-print-directory plugins

fmt: tools
	cargo fmt --all --check

lint: tools
	cargo clippy --workspace --all-targets --locked -- -D warnings
	@$(MAKE) --no-print-directory -C plugins lint

test-rust: ui tools
	cargo test --workspace --locked --no-run
	@$(MAKE) --no-print-directory plugins
	cargo test --workspace --locked
	@$(MAKE) --no-print-directory -C plugins test

test-ui: node_modules/.package-lock.json
	npm run --silent lint
	npm test --silent

# The binary is the one that the Rust tests were linked with: one build for both.
test-browser: ui plugins
	@test -x $(HOST) || cargo build --workspace --locked
	npm test --silent -w @masthead/browser-tests

# AT=http://127.0.0.1:8448 SITE=oceanledger looks at a running host; without it, a host is started on invented articles.
harvest: ## Harvest a site with a library's client (needs Python and, the first time, a network)
	@test -n "$(AT)" -o -x $(HOST) || $(MAKE) --no-print-directory host
	@tests/harvest/run $(if $(AT),--at $(AT) --site $(or $(SITE),oceanledger),--host $(HOST))

conformance: ui plugins ## Show every line of the specification with the test that proves it
	cargo test --workspace --locked --test conformance -- --nocapture

fuzz: ui plugins ## Fuzz every call on a demo, some minutes (needs Python and, the first time, a network)
	@test -x $(HOST) || cargo build --workspace --locked
	@HOST=$(HOST) tests/fuzz/run.sh long

# Without Python or a network it says that it did not run, and nothing fails.
fuzz-short: ui plugins
	@test -x $(HOST) || cargo build --workspace --locked
	@HOST=$(HOST) tests/fuzz/run.sh short || [ $$? = 2 ]

openapi: ## Write the OpenAPI document, and the TypeScript types made from it
	cargo build --workspace --locked
	$${CARGO_TARGET_DIR:-target}/debug/masthead openapi > ui-shell/openapi.json
	npm run --silent types

clean: ## Remove everything that was built; content in $(DATA) stays
	rm -rf target dist ui-shell/dist ui-modules/*/dist node_modules
	$(MAKE) -C plugins clean
