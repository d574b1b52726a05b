// Package report writes the findings of package validate: text, concise, json,
// jsonl, sarif, junit, github.
//
// Input: files, one after another, each with its findings, as they become known.
// Output: one report for each reporter, to the writer it was made with. Findings are
// written as they come; memory does not grow with their number, only with that of
// codes and (sarif) of files.
//
// Allowed imports: validate, internal packages.
package report
