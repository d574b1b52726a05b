package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Every document that diff writes is as its schema says, and the schema tells what is not.
func TestDiffSchema(t *testing.T) {
	root := filepath.Join("..", "..")
	s, err := jsonschema.NewCompiler().Compile(filepath.Join(root, "schema", "diff.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return s.Validate(v)
	}
	demo := filepath.Join(root, "fixtures", "demo")
	runs := [][]string{
		{filepath.Join(demo, "rollout.jsonl")},
		{filepath.Join(demo, "rollout.jsonl"), "--compaction", "all"},
		{filepath.Join(demo, "broken.jsonl"), "-q"},
		{filepath.Join(demo, "rollout.jsonl"), filepath.Join(demo, "local-compaction.jsonl")},
	}
	for _, f := range captureFixtures(t) {
		runs = append(runs, []string{f.capture}, []string{f.capture, "--from", "request:0"}, []string{f.rollout, f.capture})
	}
	for _, args := range runs {
		doc, _ := diffJSON(t, args...)
		if err := valid(string(doc.Raw)); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
	for _, wrong := range [][2]string{
		{`"op":"keep"`, `"op":"kept"`}, {`"common_prefix":`, `"prefix":`}, {`"format_version":"1.`, `"format_version":"2.`}, {`"line":7`, `"line":0`},
	} {
		doc, _ := diffJSON(t, filepath.Join(demo, "rollout.jsonl"))
		text := strings.Replace(string(doc.Raw), wrong[0], wrong[1], 1)
		if text == string(doc.Raw) || valid(text) == nil {
			t.Errorf("%s for %s is valid", wrong[1], wrong[0])
		}
	}
}
