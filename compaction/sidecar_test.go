package compaction

import (
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

func TestRule09WireForm(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"no metadata", `null`, `{"client_authored":false}`},
		{"all defaults", `{}`, `{"client_authored":false}`},
		{"defaults are left out",
			`{"guardian_sources":[],"guardian_review_ids":[ ],"retained_source":null,"compaction_output":false,"user_input_order":null}`,
			`{"client_authored":false}`},
		{"0 and the empty text are no defaults",
			`{"user_input_order":0,"fallback_token_limit_override":0,"delivered_assistant_message":"","sender_user_messages":{}}`,
			`{"client_authored":false,"fallback_token_limit_override":0,"delivered_assistant_message":"","user_input_order":0,"sender_user_messages":{}}`},
		{"order of rule 8, literals as stored",
			`{"user_input_order":18446744073709551615,"client_authored":true,"guardian_sources":[{"revision":"é\u00e9"}]}`,
			`{"guardian_sources":[{"revision":"é\u00e9"}],"client_authored":true,"user_input_order":18446744073709551615}`},
		{"unknown members stay, whatever they hold", `{"b":null,"client_authored":true,"a":[],"c":1.50,"a":false}`,
			`{"client_authored":true,"b":null,"a":false,"c":1.50}`},
		{"the last of duplicates wins", `{"client_authored":false,"compaction_output":true,"client_authored":true,"compaction_output":false}`,
			`{"client_authored":true}`},
		{"attribution that decodes", `{"mcp_attribution":{"status":"none","sources":[]}}`,
			`{"client_authored":false,"mcp_attribution":{"status":"none","sources":[]}}`},
		{"attribution null", `{"mcp_attribution":null}`, `{"client_authored":false,"mcp_attribution":{"status":"attribution_error"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(WireSidecar(parse.ViewSidecar(jsonraw.Value(c.in)))); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestRule09Attribution(t *testing.T) {
	const src = `"server_name":"s","tool_name":"t","first_turn_id":"u"`
	for in, want := range map[string]bool{
		`{"status":"none"}`:                                                                   true,
		`{"status":"complete","sources":[]}`:                                                  true,
		`{"status":"attribution_error","error_reason":"novel"}`:                               true,
		`{"status":"attribution_error","error_reason":7}`:                                     true,
		`{"status":"complete","sources":[{` + src + `}]}`:                                     true,
		`{"status":"complete","sources":[{` + src + `,"connector_id":null,"plugin_id":"p"}]}`: true,
		`{"status":"nope","status":"none"}`:                                                   true,
		`null`:                                                                                false,
		`"none"`:                                                                              false,
		`{}`:                                                                                  false,
		`{"status":"unknown"}`:                                                                false,
		`{"status":null}`:                                                                     false,
		`{"status":"none","novel":1}`:                                                         false,
		`{"status":"none","sources":null}`:                                                    false,
		`{"status":"none","sources":{}}`:                                                      false,
		`{"status":"none","sources":[1]}`:                                                     false,
		`{"status":"none","sources":[{` + src + `,"novel":1}]}`:                               false,
		`{"status":"none","sources":[{"server_name":"s","tool_name":"t"}]}`: false,
		`{"status":"none","sources":[{` + src + `,"plugin_id":1}]}`:         false,
	} {
		if got := isAttribution(jsonraw.Value(in)); got != want {
			t.Errorf("%s decodes: %v, want %v", in, got, want)
		}
	}
}

func TestRule09List(t *testing.T) {
	if got := WireSidecars(rows(user("a"), user("b"))); got != nil {
		t.Errorf("sidecars %s for items without metadata", got)
	}
	got := WireSidecars([]history.Row{row(user("a")), row(user("b"), `{"user_input_order":1}`)})
	if len(got) != 2 || string(got[0]) != `{"client_authored":false}` || string(got[1]) != `{"client_authored":false,"user_input_order":1}` {
		t.Errorf("sidecars %s", got)
	}
}
