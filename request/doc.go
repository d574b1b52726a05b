// Package request builds the body of the request that a session would send next.
//
// Input: history at a point and the facts that the records prove. Output: a body in
// the key order of compaction.md 6.2, and the names of what no record proves. The
// input items are the normalised history, verbatim unless the wire form is asked for.
//
// Allowed imports: parse, parse/accept, tokens, history, compaction, internal packages.
package request
