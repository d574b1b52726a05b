#!/usr/bin/env bash
# Fails on anything that gofmt would change, that go vet reports or that
# staticcheck reports. The version is pinned: a new release must not turn a
# build red by itself. Without network and module cache staticcheck is skipped
# with a message, unless LINT_STRICT is set.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2

unformatted=$("$("$go" env GOROOT)/bin/gofmt" -l .)
if [ -n "$unformatted" ]; then
	printf 'gofmt would change:\n%s\n' "$unformatted" >&2
	exit 1
fi

"$go" vet ./...

if "$go" run "$staticcheck" -version >/dev/null 2>&1; then
	"$go" run "$staticcheck" ./...
elif [ -n "${LINT_STRICT:-}" ]; then
	echo "lint: $staticcheck cannot be built" >&2
	exit 1
else
	echo "lint: $staticcheck cannot be fetched, skipped" >&2
fi
