// Package rewrite changes stored rollouts record by record, and nothing else in them.
//
// Input: a rollout (parse.Source) and operations. Output: the rewritten text and an
// account of what was done. An Operation is a pure function from records to edits; it
// never sees files, ordinals or offsets to keep right: those are the engine's. Several
// operations run in one pass, each on what the one before left. Lines that no operation
// changes are written back byte for byte.
//
// What the engine sees to, whatever the operations do: ordinals of a paginated file stay
// contiguous (a record that goes leaves a filler with its ordinal; one that comes moves
// those behind it), byte offsets stay when asked for, a line that cannot be read is shown
// to repairing operations only.
//
// rewrite/ops holds the operations of the command, rewrite/batch writes files: safely,
// many at a time.
//
// Allowed imports: parse, parse/accept, tokens, history, compaction, request, validate,
// diff, internal packages.
package rewrite
