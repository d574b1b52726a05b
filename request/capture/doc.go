// Package capture reads captured requests: what was sent to the model and what came
// back, as a proxy, a trace or a browser has written it down.
//
// Input: a JSON body (plain, zstd or gzip), a folder that `responses-api-proxy
// --dump-dir` has written, a rollout trace bundle, or a HAR 1.2 file with WebSocket
// messages (compaction.md 7). Output: exchanges in the order in which they were sent,
// one at a time. Incremental WebSocket frames get their whole input back through
// previous_response_id; server-sent events become items, usage and completion.
//
// What cannot be read becomes a Problem with its place, and the rest is read. Memory
// depends on the longest body and, for incremental frames, on the conversation that they
// go on from; never on the capture. Secrets are dropped while headers are read.
//
// Allowed imports: parse, request, internal packages, klauspost/compress.
package capture
