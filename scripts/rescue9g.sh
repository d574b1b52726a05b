#!/usr/bin/env bash
# Rescues a generated 9 GB session that does not resume: repeated images, superseded
# checkpoints, a torn end, a newest checkpoint whose sidecar does not fit. The result has
# to load without a loss, and memory may depend on the longest record only: the limit is
# 64 MB and four times that record.
#
#   RESCUE_SIZE   default 9GB; the disk needs twice as much and a little more
#   TMPDIR        where the files go; they are removed at the end
set -euo pipefail
cd "$(dirname "$0")/.."
size=${RESCUE_SIZE:-9GB}
timer=/usr/bin/time
if ! "$timer" -f %M true >/dev/null 2>&1; then
	echo "rescue: GNU time is not installed: skipped"
	exit 0
fi
case $size in
*GB) need=$((${size%GB} * 2000000 + 500000)) ;;
*MB) need=$((${size%MB} * 2000 + 500000)) ;;
*) echo "rescue: RESCUE_SIZE $size: want MB or GB" >&2; exit 2 ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
free=$(df -Pk "$dir" | awk 'NR == 2 { print $4 }')
if ((free < need)); then
	echo "rescue: $dir has $((free / 1000)) MB, needs $((need / 1000)) MB: skipped"
	exit 0
fi
tool=$dir/rollout-tool
CGO_ENABLED=0 "${GO:-go}" build -trimpath -o "$tool" ./cmd/rollout-tool
name=rollout-2026-10-01T06-00-00-0199b001-0000-7000-8000-000000000001.jsonl
"${GO:-go}" run ./fixtures/gen rescue --size "$size" -o "$dir/$name"
longest=$(LC_ALL=C awk '{ if (length($0) > n) n = length($0) } END { print n + 1 }' "$dir/$name")
limit=$((64000 + 4 * longest / 1000)) # kB, as time prints

failed=0
# measured LABEL COMMAND...
measured() {
	local label=$1 start peak verdict=ok
	shift
	start=$SECONDS
	"$timer" -f %M -o "$dir/time" "$@" >"$dir/out" || { echo "rescue: $label failed"; cat "$dir/out"; exit 1; }
	peak=$(tail -n 1 "$dir/time")
	if ((peak > limit)); then
		verdict='over the limit'
		failed=1
	fi
	echo "$label: $((SECONDS - start)) s, peak $((peak / 1000)) MB, limit $((limit / 1000)) MB (longest record $((longest / 1000)) kB): $verdict"
}
echo "session of $(wc -c <"$dir/$name") bytes"
measured "rescue" "$tool" rewrite rescue -q -o "$dir/rescued.jsonl" "$dir/$name"
echo "result of $(wc -c <"$dir/rescued.jsonl") bytes"
measured "validate the result" "$tool" validate -q --no-config --exit-zero --output "json:$dir/findings.json" "$dir/rescued.jsonl"
grep -Eo '"loadable": ?"[a-z_]+"' "$dir/findings.json"
grep -Eq '"loadable": ?"yes"' "$dir/findings.json" || { echo "rescue: the result does not load without a loss"; failed=1; }
measured "history of the result" "$tool" history -q --format json "$dir/rescued.jsonl"
measured "rescue --suffix-only" "$tool" rewrite rescue --suffix-only -q -o "$dir/suffix.jsonl" "$dir/$name"
echo "result of $(wc -c <"$dir/suffix.jsonl") bytes"
exit "$failed"
