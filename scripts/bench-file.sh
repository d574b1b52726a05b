#!/usr/bin/env bash
# bench-file.sh KIND SIZE: prints the path of a generated session, made once and
# kept in BENCH_DIR. The name has the sum of the generator, so that a changed
# generator makes a new file.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${BENCH_DIR:-${TMPDIR:-/tmp}/rollout-tool-bench}
mkdir -p "$dir"
sum=$(cat fixtures/gen/*.go fixtures/gen/text/* | cksum | cut -d' ' -f1)
file=$dir/$1-$2-$sum.jsonl
if [ ! -f "$file" ]; then
	rm -f "$dir/$1-$2"-*.jsonl
	"${GO:-go}" run ./fixtures/gen bench --kind "$1" --size "$2" -o "$file"
fi
echo "$file"
