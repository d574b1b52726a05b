#!/usr/bin/env bash
# Times `rollout-tool parse --summary` and `validate` against `jq -c empty` on the
# same file, one after the other in turn, so that a busy machine slows all, and
# prints the ratios of the medians, of the time that passes and of that which is
# computed (on all cores): the second tells more on a busy machine. jq reads every
# byte and checks the JSON, no more.
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

# seconds COMMAND...: wall time and user time, the command's output thrown away.
seconds() {
	local TIMEFORMAT='%R %U'
	{ time "$@" >/dev/null 2>&3; } 3>&2 2>&1
}
median() { sort -n | awk '{v[NR] = $1} END {print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# medians NAME: those of the wall and of the user times of its runs.
medians() {
	printf '%s' "${times[$1]}" | cut -d ' ' -f 1 | median
	printf '%s' "${times[$1]}" | cut -d ' ' -f 2 | median
}

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
		line+=" $command ${t% *} s,"
	done
	echo "${line%,}"
done
{ read -r jq && read -r jq_user; } <<<"$(medians jq)"
for command in "${commands[@]}"; do
	{ read -r t && read -r user; } <<<"$(medians "$command")"
	awk -v name="$command" -v a="$t" -v b="$jq" -v au="$user" -v bu="$jq_user" -v bytes="$(wc -c <"$file")" 'BEGIN {
		printf "%s: %.2f s (%.0f MB/s), jq %.2f s: %.2f times as fast; computing %.2f s, jq %.2f s: %.2f of it\n",
			name, a, bytes / a / 1e6, b, b / a, au, bu, au / bu
	}'
done
