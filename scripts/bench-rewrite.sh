#!/usr/bin/env bash
# Times a rewrite that changes about one line in a hundred against `jq -c .` on the same
# file: both read all of it and write all of it again, jq without an edit. The second
# row writes to a file: there the result is validated against the input and flushed to
# the disk, which jq does not do.
#
#   ROUNDS, BENCH_SIZE, BENCH_DIR   as for bench.sh
#   BENCH_OUTPUTS                   outputs are cut to this many tokens, default 1900
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5}
if ! command -v jq >/dev/null; then
	echo "bench-rewrite: jq is not installed, nothing to compare with: skipped"
	exit 0
fi
file=$(scripts/bench-file.sh text "${BENCH_SIZE:-300MB}")
make -s build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rewrite=(bin/rollout-tool rewrite slim --outputs "${BENCH_OUTPUTS:-1900}" --everywhere --checkpoints=false --ghosts=false --no-progress "$file")
"${rewrite[@]}" -o - --report "$work/report" >/dev/null
changed=$(sed -n 's/.*"changed":\([0-9]*\).*/\1/p' "$work/report")
echo "$changed of $(wc -l <"$file") lines are changed"

# seconds COMMAND...: wall time and user time, standard output thrown away.
seconds() {
	local TIMEFORMAT='%R %U'
	{ time "$@" >/dev/null 2>&3; } 3>&2 2>&1
}
median() { sort -n | awk '{v[NR] = $1} END {print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
medians() { printf '%s' "${times[$1]}" | cut -d ' ' -f "$2" | median; }

cat "$file" >/dev/null # all read from the page cache
declare -A times
for ((i = 1; i <= rounds; i++)); do
	times[stream]+="$(seconds "${rewrite[@]}" -o -)"$'\n'
	rm -f "$work/out.jsonl"
	times[checked]+="$(seconds "${rewrite[@]}" -o "$work/out.jsonl")"$'\n'
	times[jq]+="$(seconds jq -c . "$file")"$'\n'
done
for row in stream checked; do
	awk -v name="$row" -v a="$(medians $row 1)" -v b="$(medians jq 1)" -v au="$(medians $row 2)" -v bu="$(medians jq 2)" 'BEGIN {
		names["stream"] = "rewrite to standard output"; names["checked"] = "rewrite to a file, checked"
		printf "%s: %.2f s, jq -c %.2f s: %.1f times as fast; computing %.2f s, jq %.2f s: %.3f of it\n", names[name], a, b, b / a, au, bu, au / bu
	}'
done
