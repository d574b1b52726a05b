package parse

import (
	"slices"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

func item(t *testing.T, raw string) Item {
	t.Helper()
	it, err := ViewItem(jsonraw.Value(raw))
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return it
}

// format.md 5.1: compaction_summary is read as compaction, its bytes stay.
func TestRule02CompactionAlias(t *testing.T) {
	const raw = `{"type":"compaction_summary","encrypted_content":"x"}`
	it := item(t, raw)
	if it.Type != ItemCompaction || string(it.Raw) != raw {
		t.Errorf("type %q, raw %s", it.Type, it.Raw)
	}
	r := view(t, `{"type":"response_item","payload":`+raw+`}`)
	if r.Item().Type != ItemCompaction || string(r.Item().Raw) != raw {
		t.Errorf("record's item: type %q, raw %s", r.Item().Type, r.Item().Raw)
	}
	if !KnownItem(ItemCompaction) || KnownItem("compaction_summary") {
		t.Error("a view's type is compaction; its alias is none of the known types")
	}
}

func TestRule02KnownItems(t *testing.T) {
	// The 17 variants of format.md 5.1.
	known := []string{
		"message", "agent_message", "reasoning", "local_shell_call", "function_call", "function_call_output",
		"custom_tool_call", "custom_tool_call_output", "tool_search_call", "tool_search_output",
		"web_search_call", "image_generation_call", "compaction", "context_compaction",
		"configuration_update", "additional_tools", "compaction_trigger",
	}
	for _, typ := range known {
		if !KnownItem(typ) {
			t.Errorf("%s is not known", typ)
		}
	}
	for _, typ := range []string{"ghost_snapshot", "other", "", "Message", "computer_call"} {
		if KnownItem(typ) {
			t.Errorf("%q is known", typ)
		}
	}
	if len(knownItems) != len(known) {
		t.Errorf("%d known items, format.md lists %d", len(knownItems), len(known))
	}
}

func TestItemsThatAreNone(t *testing.T) {
	for _, raw := range []string{``, `null`, `[]`, `"message"`, `7`} {
		if _, err := ViewItem(jsonraw.Value(raw)); err == nil {
			t.Errorf("%q was taken for an item", raw)
		}
	}
	for _, raw := range []string{`{}`, `{"type":null}`, `{"type":7}`, `{"type":["message"]}`} {
		if it := item(t, raw); it.Type != "" {
			t.Errorf("%s: type %q", raw, it.Type)
		}
	}
}

func TestItemMembers(t *testing.T) {
	it := item(t, `{"type":"message","type":"message","id":"","role":"developer","content":[],"id":"msg_\u0031"}`)
	if it.ID() != "msg_1" || it.Role() != "developer" || !it.IsMessage("developer") || it.IsMessage("user") {
		t.Errorf("id %q, role %q", it.ID(), it.Role())
	}
	if it := item(t, `{"type":"additional_tools","role":"developer"}`); it.Role() != "" || it.IsMessage("developer") {
		t.Error("only messages have a role")
	}
	for raw, want := range map[string]struct {
		id string
		ok bool
	}{
		`{"type":"function_call_output","call_id":"c"}`:  {"c", true},
		`{"type":"function_call_output","call_id":""}`:   {"", true}, // present, though empty
		`{"type":"function_call_output","call_id":null}`: {"", false},
		`{"type":"function_call_output"}`:                {"", false},
		`{"type":"function_call_output","Call_id":"c"}`:  {"", false},
		`{"type":"function_call_output","call_id":5}`:    {"", false},
	} {
		if id, ok := item(t, raw).CallID(); id != want.id || ok != want.ok {
			t.Errorf("%s: %q, %v", raw, id, ok)
		}
	}
}

func TestItemReplaceSplices(t *testing.T) {
	it := item(t, `{ "type":"function_call_output", "output" : [1, 2] , "x":1.50 }`)
	got := it.Replace("output", jsonraw.Quote("cut"))
	if want := `{ "type":"function_call_output", "output" : "cut" , "x":1.50 }`; string(got.Raw) != want {
		t.Errorf("%s, want %s", got.Raw, want)
	}
	if !got.Output().IsText || got.Output().Text() != "cut" || it.Output().IsText {
		t.Error("the view does not follow its bytes, or the original changed")
	}
	if got := it.Replace("id", jsonraw.Quote("fco_1")); got.ID() != "fco_1" || got.Type != it.Type || it.ID() != "" {
		t.Errorf("a member that was absent: %s", got.Raw)
	}
}

func TestOutputs(t *testing.T) {
	for _, tt := range []struct {
		raw   string
		tool  bool
		text  string
		isTxt bool
		parts int
	}{
		{`{"type":"function_call_output","output":"a\nb"}`, true, "a\nb", true, 0},
		{`{"type":"custom_tool_call_output","output":""}`, true, "", true, 0},
		{`{"type":"function_call_output","output":[{"type":"input_text","text":"a"},{"type":"input_image"}]}`, true, "", false, 2},
		{`{"type":"function_call_output","output":[]}`, true, "", false, 0},
		{`{"type":"function_call_output","output":{"x":1}}`, true, "", false, 0},
		{`{"type":"function_call_output","output":null}`, true, "", false, 0},
		{`{"type":"tool_search_output","tools":[]}`, false, "", false, 0},
	} {
		it := item(t, tt.raw)
		out := it.Output()
		if it.IsToolOutput() != tt.tool || out.IsText != tt.isTxt || out.Text() != tt.text || len(out.Parts()) != tt.parts {
			t.Errorf("%s: tool %v, text %q (%v), %d parts", tt.raw, it.IsToolOutput(), out.Text(), out.IsText, len(out.Parts()))
		}
	}
}

func TestContentParts(t *testing.T) {
	parts := item(t, `{"type":"message","content":[
		{"type":"input_text","text":"a\u00e9"},
		{"type":"output_text","text":"b","annotations":[]},
		{"type":"input_image","image_url":"data:,x","file_id":"f","detail":"low"},
		{"type":"input_image","image_url":null,"file_id":"f"},
		{"type":"input_audio","audio_url":"data:,y"},
		{"type":"encrypted_content","encrypted_content":"e"},
		{"type":"reasoning_text","text":"r"},
		{"type":"made_up","text":"m"},
		7]}`).Content()
	if len(parts) != 9 {
		t.Fatalf("%d parts", len(parts))
	}
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.Text())
	}
	if want := []string{"aé", "b", "", "", "", "", "r", "", ""}; !slices.Equal(texts, want) {
		t.Errorf("texts %q", texts)
	}
	if !parts[0].IsText() || !parts[1].IsText() || parts[6].IsText() || parts[7].IsText() {
		t.Error("input_text and output_text alone are text")
	}
	if u, _ := parts[2].ImageURL().Text(); u != "data:,x" || parts[2].Detail() != "low" {
		t.Errorf("image %q, detail %q", u, parts[2].Detail())
	}
	if parts[3].ImageURL() != nil || parts[3].Detail() != "" { // format.md 6.4: a null image_url falls back to file_id
		t.Error("a null image_url was taken for one")
	}
	if u, _ := parts[4].AudioURL().Text(); u != "data:,y" || parts[2].AudioURL() != nil {
		t.Errorf("audio %q", u)
	}
	if u, _ := parts[5].Encrypted().Text(); u != "e" || parts[0].Encrypted() != nil {
		t.Errorf("encrypted %q", u)
	}
	for _, raw := range []string{`{"type":"reasoning","content":null}`, `{"type":"reasoning"}`, `{"type":"message","content":"x"}`} {
		if n := len(item(t, raw).Content()); n != 0 {
			t.Errorf("%s: %d parts", raw, n)
		}
	}
}

// format.md 5.5: a decoding error of content_item_kinds gives none.
func TestPassthrough(t *testing.T) {
	for raw, want := range map[string]struct {
		present bool
		turn    string
		kinds   int // -1 for none
	}{
		`{"turn_id":"t","content_item_kinds":["user.text","x"]}`: {true, "t", 2},
		`{"content_item_kinds":[]}`:                              {true, "", 0},
		`{"turn_id":null,"content_item_kinds":null}`:             {true, "", -1},
		`{"turn_id":"t","content_item_kinds":["a",1]}`:           {true, "t", -1},
		`{"turn_id":"t","content_item_kinds":"a"}`:               {true, "t", -1},
		`{}`:                {true, "", -1},
		`null`:              {false, "", -1},
		`"t"`:               {false, "", -1},
		`[{"turn_id":"t"}]`: {false, "", -1},
	} {
		p := item(t, `{"type":"message","internal_chat_message_metadata_passthrough":`+raw+`}`).Passthrough()
		kinds, ok := p.ContentItemKinds()
		n := len(kinds)
		if !ok {
			n = -1
		}
		if (p.Raw != nil) != want.present || p.TurnID() != want.turn || n != want.kinds {
			t.Errorf("%s: present %v, turn %q, kinds %q (%v)", raw, p.Raw != nil, p.TurnID(), kinds, ok)
		}
	}
	if p := item(t, `{"type":"message","metadata":{"turn_id":"t9"}}`).Passthrough(); p.Raw != nil {
		t.Error("the payload's metadata of June 2026 is no passthrough (format.md 5.5)")
	}
}

func TestRule08TypedSidecarViews(t *testing.T) {
	for _, raw := range []string{``, `null`} {
		if s := ViewSidecar(jsonraw.Value(raw)); s.Present() || s.Raw != nil || s.ClientAuthored() {
			t.Errorf("%q is no metadata", raw)
		}
	}
	// Rule 4: metadata that is all defaults is metadata.
	s := ViewSidecar(jsonraw.Value(`{}`))
	_, hasOrder := s.UserInputOrder()
	_, hasLimit := s.FallbackTokenLimit()
	if !s.Present() || s.ClientAuthored() || s.HarnessAuthoredConfiguration() || s.InheritedUserMessage() ||
		hasOrder || hasLimit || s.DeliveredAssistantMessage() != "" {
		t.Error("{} must be present, with every field at its default")
	}
	const full = `{"client_authored":true,"harness_authored_configuration":true,"inherited_user_message":true,` +
		`"user_input_order":18446744073709551615,"fallback_token_limit_override":0,` +
		`"delivered_assistant_message":"codex:code-mode-delivery:v1:complete","unknown":[1.50]}`
	s = ViewSidecar(jsonraw.Value(full))
	order, okOrder := s.UserInputOrder()
	limit, okLimit := s.FallbackTokenLimit()
	if !s.ClientAuthored() || !s.HarnessAuthoredConfiguration() || !s.InheritedUserMessage() ||
		!okOrder || order != 18446744073709551615 || !okLimit || limit != 0 ||
		s.DeliveredAssistantMessage() != "codex:code-mode-delivery:v1:complete" {
		t.Errorf("%+v", s)
	}
	if string(s.Raw) != full {
		t.Errorf("bytes changed: %s", s.Raw)
	}
	// Wrong kinds are no values; the last of duplicates counts.
	s = ViewSidecar(jsonraw.Value(`{"client_authored":"true","user_input_order":1.0,"inherited_user_message":true,"inherited_user_message":false}`))
	if _, ok := s.UserInputOrder(); ok || s.ClientAuthored() || s.InheritedUserMessage() {
		t.Errorf("%+v", s)
	}
}

// Rule 9: what a sidecar does not know stays in its bytes, in the order stored.
func TestRule09SidecarKeepsUnknownFields(t *testing.T) {
	r := view(t, `{"type":"response_item","payload":{"type":"message"},"metadata":{ "zeta":1e2, "client_authored":false, "mcp_attribution":null }}`)
	s := ViewSidecar(r.Metadata)
	if want := `{ "zeta":1e2, "client_authored":false, "mcp_attribution":null }`; string(s.Raw) != want {
		t.Errorf("%s, want %s", s.Raw, want)
	}
	if string(s.Fields.Get("zeta")) != "1e2" || !s.Fields.Get("mcp_attribution").IsNull() || s.Fields.Get("retained_source") != nil {
		t.Errorf("zeta %s, mcp_attribution %s", s.Fields.Get("zeta"), s.Fields.Get("mcp_attribution"))
	}
}
