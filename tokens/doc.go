// Package tokens estimates what a history costs the model and cuts text the way
// Codex does (rules 25 to 27).
//
// Input: typed views of items and content parts, plain text, image bytes.
// Output: bytes or tokens as int64, truncated text, image sizes. One token is
// four bytes; an item is summed in bytes first and rounded up to tokens once.
//
// Nothing here runs a tokenizer: these are the numbers by which Codex itself
// decides what to trim and what to retain. Media is read as a stream, so memory
// stays small whatever an image or a compressed payload claims to be.
//
// Allowed imports: parse, internal packages, golang.org/x/image (so far as an
// oracle in tests: its header reader allocates what a file claims), the standard
// library.
package tokens
