#!/usr/bin/env bash
# Builds dist/rollout-tool_<os>_<arch> for every platform, without cgo.
set -euo pipefail
cd "$(dirname "$0")/.."
for os in linux darwin windows; do
	for arch in amd64 arm64; do
		out=dist/rollout-tool_${os}_${arch}
		[ "$os" != windows ] || out=$out.exe
		echo "cross: $out"
		CGO_ENABLED=0 GOOS=$os GOARCH=$arch "${GO:-go}" build -trimpath \
			-ldflags "-s -w -X main.version=${VERSION:-}" -o "$out" ./cmd/rollout-tool
	done
done
