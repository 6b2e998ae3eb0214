# The tasks of this repository; `make` alone lists them.
#
# test    offline and under a minute: before every commit
# check   what CI runs: at most half an hour
# nightly longer: whole campaigns, every mutant, full-size tests

SHELL := /bin/bash
GO    ?= go

# The revision goes in by the linker, not by -buildvcs: the toolchain's own stamp
# fails the build where git refuses a checkout that another user owns.
REVISION = $(shell git rev-parse --short=12 HEAD 2>/dev/null)$(shell git diff --quiet HEAD -- 2>/dev/null || echo +)
LDFLAGS  = -X rokrig/internal/version.revision=$(REVISION)

.PHONY: help setup build test check fuzz bench peers nightly
.DEFAULT_GOAL := help

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install the Debian packages that are lacking (as root), fetch the Go modules
	@.ci/setup

build: ## build bin/rokrig
	@mkdir -p bin
	$(GO) build -buildvcs=false -ldflags '$(LDFLAGS)' -o bin/rokrig ./cmd/rokrig

test: ## the fast tests: offline, under a minute
	$(GO) test -short ./...

check: setup build ## everything CI asks: format, vet, staticcheck, tests, race, a campaign, mutants
	@.ci/check check

fuzz: build ## one minute of fuzzing; needs only Go, gcc and binutils
	bin/rokrig fuzz --for 1m --profile smoke

bench: build ## measure the rig itself
	bin/rokrig bench rig

peers: build ## measure Csmith and C-Vise beside the rig: installs both (100 MB, as root), takes three minutes
	@.ci/setup .ci/packages-peers
	bin/rokrig bench peers

nightly: build ## the long run: full-size tests, a long campaign, every mutant
	@.ci/setup .ci/packages-peers
	@.ci/check nightly
