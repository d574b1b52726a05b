package ops

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/validate"
)

// loads says whether Codex would load a text.
func loads(t *testing.T, text string) string {
	t.Helper()
	f, err := validate.New(validate.Options{Workers: 1}).File(open(t, text), func(validate.Finding) {})
	if err != nil {
		t.Fatal(err)
	}
	return string(f.Loadable)
}

func TestRescueCuresOfReports(t *testing.T) {
	in := readText(t, "../../fixtures/cures/rescue/torn-and-misaligned.jsonl")
	for _, options := range [][]string{nil, {"suffix-only", "true"}} {
		out := checkCured(t, in, operation(t, "rescue", options...), "J003", "J005", "M001", "I021")
		if got := loads(t, out); got != "yes" {
			t.Errorf("%v: loads: %s", options, got)
		}
		// The newest checkpoint counts now: three questions, the compaction item, one question.
		rows := rowsAtEnd(t, out)
		if len(rows) != 5 || !strings.Contains(rows[2], "Write the report.") || !strings.Contains(rows[4], "Send it.") || !strings.Contains(rows[4], "Invalid image") {
			t.Errorf("%v: the history at the end:\n%s", options, strings.Join(rows, "\n"))
		}
		if n := strings.Count(out, `"replacement_history":null`); n != 2 {
			t.Errorf("%v: %d checkpoints are empty, want 2", options, n)
		}
	}
}

func TestRescueReasons(t *testing.T) {
	in := readText(t, "../../fixtures/cures/rescue/torn-and-misaligned.jsonl")
	_, res, err := run(t, in, rewrite.Options{}, operation(t, "rescue"))
	if err != nil || len(res.Operations) != 1 {
		t.Fatalf("%v, %d operations", err, len(res.Operations))
	}
	var got []string
	for _, r := range res.Operations[0].Reasons {
		got = append(got, r.Text)
	}
	for _, want := range []string{"torn end", "sidecar of another length", "invalid images replaced", "superseded checkpoint emptied", "line that cannot be read dropped"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
}

// A newest checkpoint that nothing aligns goes, and the one before it counts.
func TestRescueDropsWhatCannotBeRead(t *testing.T) {
	bad := checkpointLine("", `{"type":"message","role":"user"}`)
	for name, meta := range map[string]string{"legacy": metaLine(""), "paginated": metaLine(`,"history_mode":"paginated"`)} {
		t.Run(name, func(t *testing.T) {
			lines := []string{meta, itemLine(userItem("a")), checkpointLine("", userItem("a"), imagesEnd), itemLine(userItem("b")), "{broken", bad, itemLine(userItem("c"))}
			var lost []string
			fillers := 1 // of two that follow each other
			if name == "paginated" {
				fillers = 2
				for i := range lines {
					lines[i] = strings.Replace(lines[i], `"type"`, `"ordinal":`+string(rune('0'+i))+`,"type"`, 1)
				}
			}
			text := fileOf(lines...)
			opt := rewrite.Options{Lost: func(l rewrite.Lost) error { lost = append(lost, l.Reason); return nil }}
			out, res, err := run(t, text, opt, operation(t, "rescue"))
			if err != nil {
				t.Fatal(err)
			}
			if loads(t, out) != "yes" || strings.Count(out, `"payload":{"type":"other"}`) != fillers || res.Edits() != 2 {
				t.Errorf("loads: %s, %d edits\n%s", loads(t, out), res.Edits(), out)
			}
			want := []string{userItem("a"), imagesEnd, userItem("b"), userItem("c")}
			if got := rowsAtEnd(t, out); !slices.Equal(got, want) {
				t.Errorf("the history at the end: %q", got)
			}
			checkCured(t, text, operation(t, "rescue"))
			checkCured(t, text, operation(t, "rescue", "suffix-only", "true"))
			src := open(t, text)
			rw, err := rewrite.Prepare(context.Background(), src, []rewrite.Operation{operation(t, "rescue")}, opt)
			if err != nil {
				t.Fatal(err)
			}
			defer rw.Close()
			if _, err := rw.Commit(context.Background(), &strings.Builder{}); err != nil || len(lost) != 2 {
				t.Errorf("%v, in quarantine: %q", err, lost)
			}
		})
	}
}

func TestRescueSuffixOnly(t *testing.T) {
	context1 := recLine("turn_context", `{"turn_id":"t","cwd":"/srv","approval_policy":"never","sandbox_policy":{"type":"read-only"},"model":"m"}`)
	first := checkpointLine(`,"window_number":1`, userItem("a"), imagesEnd)
	emptied := strings.Replace(first, `[`+userItem("a")+","+imagesEnd+`]`, "null", 1)
	second := checkpointLine(`,"window_number":2`, userItem("b"), imagesEnd)
	filler := recLine("response_item", `{"type":"other"}`)
	in := fileOf(metaLine(""), itemLine(userItem("a")), context1, itemLine(userItem("x")), first, itemLine(userItem("b")), second, itemLine(userItem("c")))
	want := fileOf(metaLine(""), filler, context1, emptied, second, itemLine(userItem("c")))
	out := checkCured(t, in, operation(t, "rescue", "suffix-only", "true"))
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	if !slices.Equal(rowsAtEnd(t, in), rowsAtEnd(t, out)) {
		t.Error("the history at the end has changed")
	}
	whole := fileOf(metaLine(""), itemLine(userItem("a")), itemLine(userItem("b")))
	if out := checkCured(t, whole, operation(t, "rescue", "suffix-only", "true")); out != whole {
		t.Errorf("without a checkpoint all of it is the suffix:\n%s", out)
	}
}

// A session_meta that is gone is made anew from the name and the records.
func TestRescueMakesTheSessionMeta(t *testing.T) {
	const thread = "0199c0de-0000-7000-8000-000000000009"
	rescued := func(name, text string) (string, error) {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := parse.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		rw, err := rewrite.Prepare(context.Background(), src, []rewrite.Operation{operation(t, "rescue")}, rewrite.Options{})
		if err != nil {
			return "", err
		}
		defer rw.Close()
		var out strings.Builder
		_, err = rw.WriteTo(context.Background(), &out)
		return out.String(), err
	}
	named := "rollout-2026-09-01T10-00-00-" + thread + ".jsonl"
	turn := recLine("turn_context", `{"turn_id":"t","cwd":"/srv/a","approval_policy":"never","sandbox_policy":{"type":"read-only"},"model":"m"}`)
	meta := func(mode, ordinal, more string) string {
		line := recLine("session_meta", `{"id":"`+thread+`","timestamp":"2026-09-01T10:00:00.000Z","cwd":"/srv/a",`+more+`"history_mode":"`+mode+`"}`)
		return strings.TrimSuffix(line, "}") + ordinal + "}"
	}
	made := `"originator":"rollout-tool","cli_version":"0.0.0",`
	ordinal := func(n, line string) string { return strings.Replace(line, `"type"`, `"ordinal":`+n+`,"type"`, 1) }
	for _, tt := range []struct{ name, in, want string }{
		{"legacy", fileOf(turn, itemLine(userItem("a"))), fileOf(meta("legacy", "", made), turn, itemLine(userItem("a")))},
		{"paginated", fileOf(ordinal("1", turn), ordinal("2", itemLine(userItem("a")))),
			fileOf(meta("paginated", `,"ordinal":0`, made), ordinal("1", turn), ordinal("2", itemLine(userItem("a"))))},
		{"torn line in front", "{\"timesta\n" + fileOf(turn, itemLine(userItem("a"))), fileOf(meta("legacy", "", made), turn, itemLine(userItem("a")))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := rescued(named, tt.in)
			if err != nil || got != tt.want {
				t.Errorf("%v\ngot\n%s\nwant\n%s", err, got, tt.want)
			}
			if loads(t, got) != "yes" {
				t.Errorf("loads: %s", loads(t, got))
			}
		})
	}
	t.Run("one that is rejected", func(t *testing.T) {
		bad := recLine("session_meta", `{"id":"`+thread+`","timestamp":"2026-09-01T10:00:00.000Z","cwd":"/srv/a","originator":"codex_cli_rs","cli_version":7,"base_instructions":{"text":"Be brief."},"git":1}`)
		got, err := rescued(named, fileOf(bad, turn, itemLine(userItem("a"))))
		want := strings.Replace(meta("legacy", "", `"originator":"codex_cli_rs","cli_version":"0.0.0",`), `"history_mode":"legacy"`, `"history_mode":"legacy","base_instructions":{"text":"Be brief."}`, 1)
		if err != nil || got != fileOf(want, turn, itemLine(userItem("a"))) {
			t.Errorf("%v\ngot\n%s\nwant\n%s", err, got, want)
		}
	})
	t.Run("no thread id", func(t *testing.T) {
		if _, err := rescued("session.jsonl", fileOf(turn, itemLine(userItem("a")))); rewrite.AsRefusal(err) == nil {
			t.Errorf("got %v, want a refusal", err)
		}
	})
	t.Run("no records", func(t *testing.T) {
		if _, err := rescued(named, "hello\nworld\n"); rewrite.AsRefusal(err) == nil {
			t.Errorf("got %v, want a refusal", err)
		}
	})
}

// What is fine stays: a session that resumes is not touched but for what no longer counts.
func TestRescueLeavesSoundSessions(t *testing.T) {
	in := fileOf(metaLine(""), itemLine(userItem("a")), checkpointLine("", userItem("a"), imagesEnd), itemLine(userItem("b")))
	if out := checkCured(t, in, operation(t, "rescue")); out != in {
		t.Errorf("got\n%s", out)
	}
}
