#!/usr/bin/env bash
# Peak memory on a 1 GB session whose records are 2 MB each. Memory may depend
# on the longest record, never on the file: the limit is 64 MB and four times
# the longest line.
#
#   BENCH_SIZE   default 1GB
#   BENCH_DIR    where the generated file is kept between runs
set -euo pipefail
cd "$(dirname "$0")/.."
timer=/usr/bin/time
if ! "$timer" -f %M true >/dev/null 2>&1; then
	echo "mem: GNU time is not installed: skipped"
	exit 0
fi
file=$(scripts/bench-file.sh big-records "${BENCH_SIZE:-1GB}")
make -s build
longest=$(LC_ALL=C awk '{ if (length($0) > n) n = length($0) } END { print n + 1 }' "$file")
limit=$((64000 + 4 * longest / 1000)) # kB, as time prints

report=$(mktemp)
trap 'rm -f "$report"' EXIT
failed=0
while read -r -a command; do
	"$timer" -f %M -o "$report" bin/rollout-tool "${command[@]}" "$file" >/dev/null
	peak=$(tail -n 1 "$report")
	verdict=ok
	if ((peak > limit)); then
		verdict='over the limit'
		failed=1
	fi
	echo "rollout-tool ${command[*]}: peak $((peak / 1000)) MB, limit $((limit / 1000)) MB (longest record $((longest / 1000)) kB): $verdict"
done <<'COMMANDS'
parse --summary
parse --format jsonl
history --at compaction:-1:after
validate --no-config --exit-zero
COMMANDS
exit "$failed"
