// Package batch rewrites files: one or many thousand, and breaks none.
//
// Input: paths, operations, and where the results go. Output: files, and an Outcome for
// each path. A file is written beside its target, validated (it may have no error or
// warning that the input had not), flushed and put in place by one rename; mode and
// modification time stay. What is not safe is refused with the reason: sessions that may
// be running, paginated files that others point into, targets that exist. Files that
// point into each other by history_base are one unit: all of them change, or none. A
// journal lets a batch that was killed at any instant go on where it stood.
//
// The safety rules are those of the reference (needs.md 3, format.md 1.3, 1.4, 1.9, 1.10).
//
// Allowed imports: parse, parse/accept, tokens, history, validate, rewrite, internal
// packages.
package batch
