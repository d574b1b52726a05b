#!/usr/bin/env bash
# Times `rollout-tool parse --summary` and `validate` against `jq -c empty` on the
# same file, one after the other in turn, so that a busy machine slows all, and
# prints the ratios of the medians. jq reads every byte and checks the JSON, no more.
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

commands=("parse --summary" validate)
cat "$file" >/dev/null # all read from the page cache
declare -A times
for ((i = 1; i <= rounds; i++)); do
	line="round $i:"
	for command in "${commands[@]}" jq; do
		case $command in
		jq) t=$(seconds jq -c empty "$file") ;;
		# shellcheck disable=SC2086 # the command's words are words
		*) t=$(seconds bin/rollout-tool $command "$file") ;;
		esac
		times[$command]+="$t"$'\n'
		line+=" $command $t s,"
	done
	echo "${line%,}"
done
jq=$(printf '%s' "${times[jq]}" | median)
for command in "${commands[@]}"; do
	t=$(printf '%s' "${times[$command]}" | median)
	awk -v name="$command" -v a="$t" -v b="$jq" -v bytes="$(wc -c <"$file")" 'BEGIN {
		printf "%s: %.2f s (%.0f MB/s), jq %.2f s: %.2f times as fast\n", name, a, bytes / a / 1e6, b, b / a
	}'
done
