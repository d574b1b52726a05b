// Package validate finds what is wrong with a rollout: lines that Codex would not
// load, ordinals, pairing, sidecars, checkpoints, windows, images, sizes, names.
//
// Input: a rollout (parse.Source), or captured requests (request/capture). Output:
// findings, each with a code of the registry, a place (line, byte offset, JSON pointer;
// in a capture the request) and a fix; and for each file whether Codex would load it.
// Reports (text, JSON, SARIF, ...) are in validate/report.
//
// Allowed imports: parse, parse/accept, tokens, history, compaction, request,
// request/capture, internal packages.
package validate
