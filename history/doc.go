// Package history replays a rollout to any point: what the model saw there.
//
// Input: a rollout (parse.Source), a point. Output: rows (line, item, sidecar) and
// the facts that stand beside them. Rules 10 to 24 (checkpoint, rollback,
// recording, legacy rebuild) and 31 to 34 (prompt normalisation).
//
// Allowed imports: parse, parse/accept, tokens, internal packages, google/uuid.
package history
