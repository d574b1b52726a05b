# Every target is one line or one script; scripts/ has the reasons.

GO       ?= go
FUZZTIME ?= 1m
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null)

export GO FUZZTIME VERSION

.PHONY: all build test test-race lint fuzz bench mem crash demo fixtures cross clean

all: lint build test

build: ## bin/rollout-tool, static
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/rollout-tool ./cmd/rollout-tool

test: ## needs nothing but Go
	$(GO) test ./...

test-race: ## needs a C compiler; without the heavy inputs, whose memory the detector multiplies
	CGO_ENABLED=1 $(GO) test -race -short ./...

lint: ## gofmt, go vet, staticcheck
	scripts/lint.sh

fuzz: ## every fuzz target for FUZZTIME
	scripts/fuzz.sh

bench: ## time against jq on a 300 MB session; growth with the records
	scripts/bench.sh
	scripts/bench-rewrite.sh
	scripts/linear.sh

mem: ## memory on a 1 GB session with 2 MB records
	scripts/mem.sh

crash: ## a batch of 500 files killed 200 times at random moments
	ROLLOUT_TOOL_CRASHES=200 $(GO) test ./rewrite/batch -run TestCrash -v -timeout 30m

demo: build ## what the compaction of the demo session changed
	bin/rollout-tool diff fixtures/demo/rollout.jsonl

fixtures: ## write fixtures/demo and fixtures/scenarios again
	$(GO) run ./fixtures/gen demo
	$(GO) run ./fixtures/gen scenarios

cross: ## dist/ for all platforms
	scripts/cross.sh

clean:
	rm -rf bin dist
