package ops

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

func TestMigrateCuresItsCodes(t *testing.T) { checkCodes(t, "migrate", nil, nil) }

func TestMigrateCuresReported(t *testing.T) {
	for name, cured := range map[string][]string{
		"compaction-summary": {"R006", "L015"},
		"june-2026":          {"W006", "M014"},
		"rejected-settings":  {"R006", "R007", "R008", "R009", "R010", "R011"},
		"generation-0":       {"S006"},
	} {
		t.Run(name, func(t *testing.T) {
			text := cureFixture(t, "migrate", name)
			out := checkCured(t, text, operation(t, "migrate"), cured...)
			want := rowsAtEnd(t, text) // the same items, under their names of today
			for i := range want {
				want[i] = strings.NewReplacer(`"metadata":{`, `"internal_chat_message_metadata_passthrough":{`, "compaction_summary", "compaction").Replace(want[i])
			}
			if diff := cmp.Diff(want, rowsAtEnd(t, out)); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
		})
	}
}

const ghostItem = `{"type":"ghost_snapshot","ghost_commit":{"id":"a","parent":null,"preexisting_untracked_files":[],"preexisting_untracked_dirs":[]}}`

func TestMigrateShapes(t *testing.T) {
	turn := func(more string) string {
		return recLine("turn_context", `{"cwd":"/srv","approval_policy":"never","model":"m","summary":"auto",`+more+`}`)
	}
	user := userItem("q")
	withMember := func(member string) string { return strings.TrimSuffix(user, "}") + "," + member + "}" }
	tests := []struct {
		name, in, want string // want "": the line goes
	}{
		{"R007", turn(`"sandbox_policy":{ "mode" : "read-only"}`), turn(`"sandbox_policy":{ "type" : "read-only"}`)},
		{"mode beside type", turn(`"sandbox_policy":{"type":"read-only","mode":"x"}`), "="},
		{"R011", turn(`"sandbox_policy":{"type":"read-only"},"collaboration_mode":{"model":"m","mode":"plan","reasoning_effort":null,"developer_instructions":"d","x":1}`),
			turn(`"sandbox_policy":{"type":"read-only"},"collaboration_mode":{"mode":"plan","x":1,"settings":{"model":"m","reasoning_effort":null,"developer_instructions":"d"}}`)},
		{"R007 and R011 on one line", turn(`"sandbox_policy":{"mode":"read-only"},"collaboration_mode":{"mode":"plan","model":"m","reasoning_effort":null,"developer_instructions":null}`),
			turn(`"sandbox_policy":{"type":"read-only"},"collaboration_mode":{"mode":"plan","settings":{"model":"m","reasoning_effort":null,"developer_instructions":null}}`)},
		{"another defect beside it", strings.Replace(turn(`"sandbox_policy":{"mode":"read-only"}`), `"/srv"`, `"srv"`, 1), "="},
		{"R008", eventLine(`{"type":"entered_review_mode","prompt":"p","user_facing_hint":"h"}`),
			eventLine(`{"type":"entered_review_mode","target":{"type":"custom","instructions":"p"},"user_facing_hint":"h"}`)},
		{"R009, one of two", eventLine(`{"type":"token_count","info":null,"rate_limits":{"primary":{"used_percent":1.0,"window_minutes":1,"resets_at":"2025-10-18T12:00:00+02:00"},"secondary":{"used_percent":1.0,"window_minutes":1,"resets_at":7}}}`),
			eventLine(`{"type":"token_count","info":null,"rate_limits":{"primary":{"used_percent":1.0,"window_minutes":1,"resets_at":1760781600},"secondary":{"used_percent":1.0,"window_minutes":1,"resets_at":7}}}`)},
		{"R009, no date", eventLine(`{"type":"token_count","info":null,"rate_limits":{"primary":{"used_percent":1.0,"window_minutes":1,"resets_at":"soon"},"secondary":null}}`), "="},
		{"R010", eventLine(execBegin("/srv/a b#c")), eventLine(execBegin("file:///srv/a%20b%23c"))},
		{"R010 of Windows", eventLine(execBegin(`C:\\srv\\ä`)), eventLine(execBegin("file:///C:/srv/%C3%A4"))},
		{"R010, relative", eventLine(execBegin("srv")), "="},
		{"R010, a URI", eventLine(execBegin("file:///srv")), "="},
		{"R006", eventLine(`{"type":"undo_completed","success":true}`), ""},
		{"a user's type is no retired event", eventLine(`{"type":"no_such_event"}`), "="},
		{"ghost", itemLine(ghostItem), ""},
		{"ghosts of a checkpoint, with their sidecar entries", checkpointLine(`,"replacement_history_metadata":[{"client_authored":false}, {"user_input_order":1} ,{}]`, user, ghostItem, ghostItem),
			checkpointLine(`,"replacement_history_metadata":[{"client_authored":false}]`, user)},
		{"without a sidecar", checkpointLine("", ghostItem, user), checkpointLine("", user)},
		{"with a sidecar of null", checkpointLine(`,"replacement_history_metadata":null`, ghostItem, user), checkpointLine(`,"replacement_history_metadata":null`, user)},
		{"with one of another length", checkpointLine(`,"replacement_history_metadata":[{}]`, ghostItem, user), "="},
		{"alias", itemLine(`{"type":"compaction_summary","encrypted_content":"x"}`), itemLine(`{"type":"compaction","encrypted_content":"x"}`)},
		{"alias in a checkpoint", checkpointLine("", user, `{"encrypted_content":"x","type":"compaction_summary"}`), checkpointLine("", user, `{"encrypted_content":"x","type":"compaction"}`)},
		{"W006", checkpointLine(`,"window_id":3`, user), checkpointLine(`,"window_number":3`, user)},
		{"W006 beside a number", checkpointLine(`,"window_id":3,"window_number":2`, user), checkpointLine(`,"window_number":2`, user)},
		{"W006 beside null", checkpointLine(`,"window_number":null,"window_id":3`, user), checkpointLine(`,"window_number":3`, user)},
		{"an id", checkpointLine(`,"window_id":"`+window1+`"`, user), "="},
		{"M014", itemLine(withMember(`"metadata":{"turn_id":"t"}`)), itemLine(withMember(`"internal_chat_message_metadata_passthrough":{"turn_id":"t"}`))},
		{"M014 in a checkpoint", checkpointLine("", withMember(`"metadata":{}`), user), checkpointLine("", withMember(`"internal_chat_message_metadata_passthrough":{}`), user)},
		{"M014 beside a passthrough", itemLine(withMember(`"metadata":{"turn_id":"t"},"internal_chat_message_metadata_passthrough":{"create_time":1.50}`)),
			itemLine(withMember(`"internal_chat_message_metadata_passthrough":{"create_time":1.50,"turn_id":"t"}`))},
		{"M014, the passthrough's turn counts", itemLine(withMember(`"internal_chat_message_metadata_passthrough":{"turn_id":"u"},"metadata":{"turn_id":"t"}`)),
			itemLine(withMember(`"internal_chat_message_metadata_passthrough":{"turn_id":"u"}`))},
		{"M014 that would not be accepted", itemLine(withMember(`"metadata":{"turn_id":1}`)), "="},
		{"M014 that is no object", itemLine(withMember(`"metadata":"x"`)), "="},
		{"metadata beside the payload", itemLine(user, `,"metadata":{"client_authored":false}`), "="},
		{"text that speaks of it", itemLine(userItem(`{\"type\":\"ghost_snapshot\"} compaction_summary undo_completed`)), "="},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			head, tail := metaLine("")+"\n", itemLine(assistantItem("z"))+"\n"
			for _, end := range []string{"\n", "\r\n"} {
				want := tt.want + end
				switch tt.want {
				case "":
					want = ""
				case "=":
					want = tt.in + end
				}
				out, _, err := run(t, head+tt.in+end+tail, rewrite.Options{}, operation(t, "migrate"))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(head+want+tail, out); diff != "" {
					t.Errorf("end %q (-want +got):\n%s", end, diff)
				}
			}
		})
	}
}

func execBegin(cwd string) string {
	return `{"type":"exec_command_begin","call_id":"c","turn_id":"t","command":["ls"],"cwd":"` + cwd + `","parsed_cmd":[]}`
}

// Rule 5: what a numeric window_id stands for is the number, also where it has a name.
func TestRule05MigratedWindowNumber(t *testing.T) {
	in := fileOf(metaLine(""), itemLine(userItem("a")), checkpointLine(`,"window_id":1`, userItem("a")), checkpointLine(`,"window_id":2`, userItem("a")))
	out, _, err := run(t, in, rewrite.Options{}, operation(t, "migrate"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := lastRecord(t, out).Fields().Get("window_number"), "2"; string(got) != want {
		t.Errorf("window_number %s, want %s", got, want)
	}
}

func TestMigrateEnvelope(t *testing.T) {
	const stampOf = `{"timestamp":"2025-08-20T08:00:00.000Z","type":`
	in := fileOf(
		`{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"2025-08-20T08:00:00.000Z","instructions":null, "x":1.50}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n<cwd>/srv/a</cwd>\n</environment_context>"}]}`,
		`{"record_type":"state"}`,
		``,
		`{ "type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"q"}]} `,
		`{"type":"reasoning","summary":[],"content":null,"encrypted_content":null}`,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}`,
		`{"other":1}`,
		`{torn`,
		stampOf+`"event_msg","payload":{"type":"undo_completed"}}`,
	)
	want := func(cwd string, events bool) string {
		lines := []string{
			stampOf + `"session_meta","payload":{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"2025-08-20T08:00:00.000Z","instructions":null, "x":1.50,"cwd":"` + cwd + `","originator":"codex_cli_rs","cli_version":"0.0.0","source":"cli"}}`,
			stampOf + `"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n<cwd>/srv/a</cwd>\n</environment_context>"}]}}`,
			``,
			stampOf + `"response_item","payload":{ "type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"q"}]}}`,
			stampOf + `"event_msg","payload":{"type":"user_message","message":"q"}}`,
			stampOf + `"response_item","payload":{"type":"reasoning","summary":[],"content":null,"encrypted_content":null}}`,
			stampOf + `"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}}`,
			stampOf + `"event_msg","payload":{"type":"agent_message","message":"ab"}}`,
			`{"other":1}`,
			`{torn`,
		}
		var out []string
		for _, l := range lines {
			if events || !strings.Contains(l, `"event_msg"`) {
				out = append(out, l)
			}
		}
		return fileOf(out...)
	}
	for name, c := range map[string]struct {
		options []string
		want    string
	}{
		"as it is":       {nil, want("/srv/a", true)},
		"another folder": {[]string{"cwd", "/srv/b"}, want("/srv/b", true)},
		"no events":      {[]string{"events", "false"}, want("/srv/a", false)},
	} {
		out, _, err := run(t, in, rewrite.Options{}, operation(t, "migrate", c.options...))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, out); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		again, res, err := run(t, out, rewrite.Options{}, operation(t, "migrate", c.options...))
		if err != nil || again != out {
			t.Errorf("%s: %d edits the second time (%v)", name, res.Edits(), err)
		}
	}
}

// Nothing says where the session ran: the folder that it is resumed in.
func TestMigrateEnvelopeWithoutCwd(t *testing.T) {
	out, _, err := run(t, readText(t, "../../fixtures/invalid/S006-generation-0/bad.jsonl"), rewrite.Options{}, operation(t, "migrate"))
	if err != nil || !strings.Contains(out, `"cwd":"."`) {
		t.Errorf("%v %s", err, out)
	}
}

func TestMigrateRefusesEnvelope(t *testing.T) {
	in := fileOf(`{"id":"no uuid","timestamp":"2025-08-20T08:00:00.000Z"}`, userItem("q"))
	if _, _, err := run(t, in, rewrite.Options{}, operation(t, "migrate")); rewrite.AsRefusal(err) == nil {
		t.Errorf("%v, want a refusal", err)
	}
	out, _, err := run(t, in, rewrite.Options{}, operation(t, "migrate", "skip", "envelope"))
	if err != nil || out != in {
		t.Errorf("%v %s", err, out)
	}
}

// What follows a migration sees a file with envelopes.
func TestMigrateThenCompact(t *testing.T) {
	in := cureFixture(t, "migrate", "generation-0")
	out, _, err := run(t, in, fixed(), operation(t, "migrate"), operation(t, "compact", "summary", "s"))
	if err != nil || lastRecord(t, out).Type != "compacted" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestMigrateOnlyAndSkip(t *testing.T) {
	in := fileOf(metaLine(""), itemLine(ghostItem), eventLine(`{"type":"undo_completed"}`))
	for name, c := range map[string]struct {
		options []string
		edits   int
	}{
		"all":      {nil, 2},
		"only one": {[]string{"only", "ghosts"}, 1},
		"only two": {[]string{"only", "ghosts", "only", "retired-events"}, 2},
		"joined":   {[]string{"only", "ghosts, retired-events"}, 2},
		"skip one": {[]string{"skip", "ghosts"}, 1},
		"none":     {[]string{"only", "ghosts", "skip", "ghosts"}, 0},
	} {
		_, res, err := run(t, in, rewrite.Options{}, operation(t, "migrate", c.options...))
		if err != nil || res.Edits() != c.edits {
			t.Errorf("%s: %d edits, %v; want %d", name, res.Edits(), err, c.edits)
		}
	}
	for _, option := range []string{"only", "skip"} {
		info, _ := Find("migrate")
		_, err := info.New(Given(info.Options, map[string][]string{option: {"ghost"}}))
		if err == nil || !strings.Contains(err.Error(), "--"+option+` "ghost"`) || !strings.Contains(err.Error(), "retired-events") {
			t.Errorf("%v", err)
		}
	}
}

// A paginated file keeps its ordinals.
func TestMigrateInPaginatedFile(t *testing.T) {
	meta := metaLine(`,"history_mode":"paginated"`)
	in := withOrdinals(meta, eventLine(`{"type":"undo_completed"}`), itemLine(userItem("q")))
	want := withOrdinals(meta, itemLine(`{"type":"other"}`), itemLine(userItem("q")))
	out, _, err := run(t, in, rewrite.Options{}, operation(t, "migrate"))
	if err != nil || out != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

// Each shape says where it comes from, and has a name of its own.
func TestMigrateShapesHaveSources(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range shapes() {
		if s.source == "" || s.reason == "" || seen[s.name] || s.drops == nil && s.edit == nil && s.name != envelopeShape {
			t.Errorf("%+v", s)
		}
		seen[s.name] = true
	}
}

func TestMigrateProperties(t *testing.T) {
	item := rapid.SampledFrom([]string{
		userItem("q"), assistantItem("a"), ghostItem, `{"type":"compaction_summary","encrypted_content":"x"}`,
		`{"type":"message","role":"user","content":[],"metadata":{"turn_id":"t"}}`,
	})
	rapid.Check(t, func(rt *rapid.T) {
		lines := []string{metaLine("")}
		plain := map[string]bool{lines[0]: true}
		for range rapid.IntRange(1, 6).Draw(rt, "records") {
			if rapid.Bool().Draw(rt, "checkpoint") {
				list := rapid.SliceOfN(item, 0, 5).Draw(rt, "items")
				side := ""
				if rapid.Bool().Draw(rt, "sidecar") {
					metas := make([]string, len(list))
					for i, it := range list {
						metas[i] = `{"of":"` + it[9:14] + `"}`
					}
					side = `,"replacement_history_metadata":[` + strings.Join(metas, ",") + `]`
				}
				lines = append(lines, checkpointLine(side, list...))
			} else {
				lines = append(lines, itemLine(item.Draw(rt, "item")))
			}
			if l := lines[len(lines)-1]; !strings.Contains(l, "ghost") && !strings.Contains(l, "compaction_summary") && !strings.Contains(l, `[],"metadata"`) {
				plain[l] = true
			}
		}
		out, _, err := run(t, fileOf(lines...), rewrite.Options{}, operation(t, "migrate"))
		if err != nil {
			rt.Fatal(err)
		}
		if again, _, err := run(t, out, rewrite.Options{}, operation(t, "migrate")); err != nil || again != out {
			rt.Fatalf("another result the second time (%v):\n%s\n%s", err, out, again)
		}
		for l := range plain {
			if !strings.Contains(out, l+"\n") {
				rt.Fatalf("a plain line has changed: %s", l)
			}
		}
		for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
			checkOwners(rt, l)
		}
	})
}

// checkOwners wants each sidecar entry to stand with the item that it was made for.
func checkOwners(t *rapid.T, text string) {
	items, metas, _, ok := checkpointOf(text)
	if !ok || metas == nil {
		return
	}
	if len(items) != len(metas) {
		t.Fatalf("%d items, %d entries: %s", len(items), len(metas), text)
	}
	for i := range items {
		if of := string(metas[i])[7:12]; !strings.HasPrefix(string(items[i])[9:], of) {
			t.Fatalf("entry %s with item %s", metas[i], items[i])
		}
	}
}
