#!/usr/bin/env bash
# Replays and plans a session with 200 checkpoints at 1x, 2x, 4x and 8x the records
# and prints how the time grows at each doubling. Linear is 2.00 or less; above 2.40
# something is not linear. Reported, not asserted: machines are noisy.
set -euo pipefail
cd "$(dirname "$0")/.."
"${GO:-go}" test -run '^$' -bench '^BenchmarkSession$' -benchtime "${BENCHTIME:-3x}" ./compaction |
	awk '/^BenchmarkSession/ {
		if (last) printf "replay and plan, %-12s %8.0f ms, %.2f times the one before\n", $1, $3 / 1e6, $3 / last
		else printf "replay and plan, %-12s %8.0f ms\n", $1, $3 / 1e6
		last = $3
	}'
