#!/usr/bin/env bash
# Runs every fuzz target for FUZZTIME: go test fuzzes one target of one package
# at a time.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
fuzztime=${FUZZTIME:-1m}

count=0
while IFS=: read -r file line; do
	name=$(sed -E 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/' <<<"$line")
	package=./$(dirname "${file#./}")
	echo "fuzz: $package $name for $fuzztime"
	"$go" test "$package" -run '^$' -fuzz "^${name}\$" -fuzztime "$fuzztime"
	count=$((count + 1))
done < <(grep -rE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*\(' . | sort)
echo "fuzz: $count targets"
