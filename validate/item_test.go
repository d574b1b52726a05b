package validate

import (
	"strings"
	"testing"
)

func TestIDs(t *testing.T) {
	long := strings.Repeat("a", 60)
	tests := []struct{ id, want string }{
		{"msg_1", ""},
		{"msg_0199aaaa-0000-7000-8000-000000000002", ""},
		{"_a_b", "I004"},
		{"a__", ""},
		{"msg_", "I004"},
		{"msg", "I004"},
		{"", "I003"},
		{"msg_" + long, ""},                             // 64
		{"msg_" + long + "a", "I001"},                   // 65
		{strings.Repeat("a", 65), "I001"},               // whatever else is wrong
		{"msg_" + strings.Repeat("é", 60), "I002"},      // 64 characters, 124 bytes
		{"msg_" + strings.Repeat("é", 61), "I001"},      //
		{"msg_a b", "I002"},                             //
		{"msg_a/b", "I002"},                             //
		{`msg_\u0061`, ""},                              // an escape of an allowed character
		{`msg_\u0000`, "I002"},                          //
		{"call:1", "I002"},                              //
		{"rs_0199aaaa-0000-7000-8000-00000000000Z", ""}, // any letter, not only hexadecimal
	}
	for _, tt := range tests {
		item := `{"type":"message","id":"` + tt.id + `","role":"assistant","content":[]}`
		want, inCheckpoint := []string{}, []string{}
		if tt.want != "" {
			want = append(want, tt.want+" 2 /payload/id")
			inCheckpoint = append(inCheckpoint, tt.want+" 2 /payload/replacement_history/1/id")
		}
		checkFamilies(t, "I", []string{metaLine(""), itemLine(item)}, want...)
		checkFamilies(t, "I", []string{metaLine(""), checkpointLine(userItem("q"), item)}, inCheckpoint...)
	}
}

func TestIDsThatAreNotRead(t *testing.T) {
	checkFamilies(t, "I", []string{
		metaLine(""),
		itemLine(`{"type":"message","id":null,"role":"user","content":[]}`),
		itemLine(`{"type":"configuration_update","id":"","reasoning":{"effort":"low"}}`),
		itemLine(`{"type":"agent_message","author":"/root","recipient":"/root/w","content":[]}`),
	})
}

func TestItemKinds(t *testing.T) {
	const thought = `{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"t"}]}`
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"every type that is known", []string{
			itemLine(userItem("q")), itemLine(reasoningItem), itemLine(summaryItem), itemLine(agentItem), itemLine(developerItem("d")),
			itemLine(`{"type":"compaction_summary","encrypted_content":"gAAA"}`),
			itemLine(`{"type":"context_compaction"}`), itemLine(`{"type":"additional_tools","role":"developer","tools":[]}`),
			itemLine(`{"type":"web_search_call"}`), itemLine(`{"type":"image_generation_call","status":"completed","result":""}`),
		}, nil},
		{"an unknown type", []string{itemLine(`{"type":"mystery"}`), itemLine(`{"type":"message2","id":""}`)}, []string{"I010 2 /payload/type", "I010 3 /payload/type"}},
		{"the filler of a rewriter", []string{itemLine(`{"type":"other"}`), itemLine(`{"type":"other","id":"x"}`)}, []string{"I010 3 /payload/type"}},
		{"an unknown type in a checkpoint", []string{checkpointLine(`{"type":"mystery"}`, summaryItem)}, []string{"I010 2 /payload/replacement_history/0/type"}},
		{"ghosts shift nothing", []string{checkpointLine(`{"type":"ghost_snapshot"}`, `{"type":"mystery"}`)}, []string{"I010 2 /payload/replacement_history/1/type"}},
		{"a system message", []string{itemLine(messageItem("system", "s", ""))}, []string{"I011 2 /payload/role"}},
		{"in a checkpoint it is C008", []string{checkpointLine(messageItem("system", "s", ""))}, nil},
		{"reasoning: summed up, by kind", []string{
			itemLine(`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":null}`),
			itemLine(thought),
			checkpointLine(thought, `{"type":"reasoning","id":"rs_2","summary":[],"content":[],"encrypted_content":""}`),
		}, []string{"I012 2 /payload", "I013 3 /payload"}},
		{"reasoning with an id and its thoughts", []string{
			itemLine(`{"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":"t"}],"encrypted_content":null}`),
		}, []string{"I013 2 /payload"}},
		{"a rejected line is left alone", []string{itemLine(`{"type":"message","id":"","role":"user"}`)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFamilies(t, "I", append([]string{metaLine("")}, tt.lines...), tt.want...)
		})
	}
}

func TestReasoningIsCounted(t *testing.T) {
	found := checkFamilies(t, "I", []string{
		metaLine(""), itemLine(`{"type":"reasoning","summary":[]}`), itemLine(`{"type":"reasoning","summary":[]}`),
	}, "I013 2 /payload")
	if want := "2 reasoning items have no encrypted_content, the first here"; found[0].Message != want {
		t.Errorf("%q, want %q", found[0].Message, want)
	}
}

// In generation 0 the line itself is the item (format.md 2.8).
func TestPointersOfBareItems(t *testing.T) {
	checkFamilies(t, "IP", []string{
		`{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"2025-06-01T10:00:00.000Z","instructions":null}`,
		`{"type":"message","id":"a b","role":"user","content":[{"type":"input_image","image_url":""}]}`,
		`{"type":"function_call_output","output":"x"}`,
	}, "I002 2 /id", "I020 2 /content/0", "P006 3")
}
