// Package diff aligns two request payloads, say the ones before and after a
// compaction, and says of every item whether it was kept, cut, dropped, added,
// changed or moved, and why.
//
// Input: two sides (instructions and normalised rows of history). Output: a Result
// with the changes, totals by kind and the common prefix that a prompt cache can
// reuse; renderers write it as JSON, text and Markdown. Reasons name what is
// evident from the items; Options.Explain lets the decisions of package compaction
// take over.
//
// Allowed imports: parse, parse/accept, tokens, history, compaction, request,
// internal packages, sergi/go-diff.
package diff
