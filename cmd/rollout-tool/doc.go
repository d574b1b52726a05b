// Command rollout-tool is an offline toolkit for Codex CLI rollout JSONL files.
//
// This package parses flags, calls the library packages and renders what they
// return; it decides nothing about rollouts. Streams, environment and clock are
// injected through app, so that tests run it in-process.
//
// Allowed imports: everything below it, urfave/cli, tablewriter, gojq.
package main
