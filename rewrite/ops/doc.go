// Package ops holds the operations of the command: what each cures, its options, and the
// edits it makes.
//
// Input: records, through package rewrite. Output: edits. Each operation is one file (or a
// few with its name) and one entry in Registry; its options are declared there once, for
// the command line, recipes and the docs.
//
// Allowed imports: parse, parse/accept, tokens, history, compaction, request, validate,
// diff, rewrite, internal packages.
package ops
