// Package accept says for every line of a rollout whether Codex's loader takes
// it, and if not, why and where.
//
// Input: the bytes of a physical line. Output: a Result (ok, err, blank or
// dropped, with the reason, a JSON pointer and a byte offset), and for a whole
// file what a load would give (File). Lines are judged alone (format.md 2-6,
// rules 1-9).
//
// What is accepted stands in tables, one row per field, in the files
// tables_*.go: name, type, presence, alias, the days between which readers know
// the field, and the section of format.md behind it. spec.go is the language of
// the tables, compile.go prepares them for one Profile, and check.go interprets
// them over the line in a single pass without decoding it. Adding a field is
// adding a row. Rules that need several fields at once are in rules.go.
//
// Allowed imports: internal/jsonraw and the standard library.
package accept
