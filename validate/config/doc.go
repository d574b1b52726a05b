// Package config decides what a run of validate shows and what fails it: the
// configuration file .rollout-tool.yaml, the selection of codes, severities by
// path, expected findings, and baselines.
//
// Input: findings and the registry of package validate, a configuration file, a
// baseline, the values of flags. Output: a Decision for each finding, the expected
// findings that are missing, a baseline to write. An *Error is a mistake in a
// configuration, with file and 1-based line.
//
// Allowed imports: validate, the YAML library.
package config
