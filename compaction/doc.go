// Package compaction plans what Codex does to a history when its context is full:
// trim trailing tool outputs (rules 28 to 30), retain what the next window starts
// with and cut it to a budget (rules 35 to 43), or rebuild it locally (rule 23).
//
// Input: history rows and options; nothing is read or written. Output: plans, which
// hold the new rows, one Decision for every item (what happened, by which rule, why,
// tokens before and after) and, item by item, the story that led there. Rows that a
// plan does not change keep their bytes; input rows are never modified.
//
// Time and memory grow linearly with the rows.
//
// Allowed imports: parse, parse/accept, tokens, history, internal packages.
package compaction
