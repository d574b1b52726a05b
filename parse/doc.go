// Package parse reads Codex CLI rollout JSONL: files, folders and streams into
// lines with offsets, lines into records, items into typed views.
//
// Input: plain or zstd-compressed rollout files, standard input, trees.
// Output: physical lines (number, byte offset, bytes), records (envelope with
// raw payload) and views over raw JSON. Views never copy or re-encode: what a
// view does not know stays in its Raw bytes. Rules 1 to 9 of the reference live
// here and in parse/accept.
//
// Allowed imports: internal packages, klauspost/compress, the standard library.
package parse
