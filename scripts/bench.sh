#!/usr/bin/env bash
# Times `rollout-tool parse --summary` against `jq -c empty` on the same file,
# one after the other in turn, so that a busy machine slows both, and prints the
# ratio of the medians. jq reads every byte and checks the JSON, no more.
#
#   ROUNDS       runs of each, default 5
#   BENCH_KIND   text (default), image or big-records
#   BENCH_SIZE   default 300MB
#   BENCH_DIR    where the generated file is kept between runs
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5}
kind=${BENCH_KIND:-text}
size=${BENCH_SIZE:-300MB}

if ! command -v jq >/dev/null; then
	echo "bench: jq is not installed, nothing to compare with: skipped"
	exit 0
fi
file=$(scripts/bench-file.sh "$kind" "$size")
make -s build

# seconds COMMAND...: wall time, the command's output thrown away.
seconds() {
	local TIMEFORMAT=%R
	{ time "$@" >/dev/null 2>&3; } 3>&2 2>&1
}
median() { sort -n | awk '{v[NR] = $1} END {print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

ours=() theirs=()
cat "$file" >/dev/null # both read from the page cache
for ((i = 1; i <= rounds; i++)); do
	a=$(seconds bin/rollout-tool parse --summary "$file")
	b=$(seconds jq -c empty "$file")
	echo "round $i: rollout-tool $a s, jq $b s"
	ours+=("$a") theirs+=("$b")
done
a=$(printf '%s\n' "${ours[@]}" | median)
b=$(printf '%s\n' "${theirs[@]}" | median)
awk -v a="$a" -v b="$b" -v bytes="$(wc -c <"$file")" 'BEGIN {
	printf "median: rollout-tool %s s (%.0f MB/s), jq %s s (%.0f MB/s)\n", a, bytes / a / 1e6, b, bytes / b / 1e6
	printf "jq / rollout-tool = %.2f\n", b / a
}'
