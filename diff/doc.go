// Package diff aligns two request payloads, say the ones before and after a
// compaction, and says of every item whether it was kept, cut, dropped, added,
// changed or moved, and why.
//
// Input: two sides (instructions, normalised rows of history or the input of a captured
// request, and what that request carries besides). Output: a Result with what breaks the
// prompt cache, the changes of items, tools, members and headers, totals by kind and the
// common prefix; renderers write it as JSON, text and Markdown. Reasons name what is
// evident from the items; Options.Explain lets the decisions of package compaction
// take over.
//
// Allowed imports: parse, parse/accept, tokens, history, compaction, request,
// request/capture, internal packages, sergi/go-diff.
package diff
