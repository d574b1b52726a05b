package validate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func callItem(family, id string) string {
	switch family {
	case "custom":
		return `{"type":"custom_tool_call","call_id":"` + id + `","name":"n","input":"i"}`
	case "search":
		return `{"type":"tool_search_call","call_id":"` + id + `","execution":"client","arguments":{}}`
	case "shell":
		return `{"type":"local_shell_call","call_id":"` + id + `","status":"completed","action":{"type":"exec","command":["ls"]}}`
	}
	return `{"type":"function_call","call_id":"` + id + `","name":"n","arguments":"{}"}`
}

func outputItem(family, id string) string {
	switch family {
	case "custom":
		return `{"type":"custom_tool_call_output","call_id":"` + id + `","output":"o"}`
	case "search", "server":
		execution := map[string]string{"search": "client", "server": "server"}[family]
		return `{"type":"tool_search_output","call_id":"` + id + `","status":"completed","execution":"` + execution + `","tools":[]}`
	}
	return `{"type":"function_call_output","call_id":"` + id + `","output":"o"}`
}

// pairLines writes a session in short: "q" a question, "a" an answer, "start" and "end" of
// a turn, "back N", "family:id" a call, "family=id" an output, "[...]" a checkpoint of
// calls and outputs, "old" a compaction without replacement history.
func pairLines(session string) []string {
	lines := []string{metaLine("")}
	words := strings.Fields(session)
	for i := 0; i < len(words); i++ {
		switch w := words[i]; w {
		case "q":
			lines = append(lines, itemLine(userItem("q")))
		case "a":
			lines = append(lines, itemLine(assistantItem("a")))
		case "start":
			lines = append(lines, startLine("t"+strconv.Itoa(i)))
		case "end":
			lines = append(lines, completeLine("t"))
		case "back":
			i++
			n, _ := strconv.Atoi(words[i])
			lines = append(lines, rollbackLine(n))
		case "old":
			lines = append(lines, recordLine("compacted", `{"message":"s"}`))
		case "[":
			items := []string{userItem("q")}
			for i++; words[i] != "]"; i++ {
				items = append(items, pairItem(words[i]))
			}
			lines = append(lines, checkpointLine(append(items, summaryItem)...))
		default:
			lines = append(lines, itemLine(pairItem(w)))
		}
	}
	return lines
}

func pairItem(word string) string {
	if family, id, ok := strings.Cut(word, ":"); ok {
		return callItem(family, id)
	}
	family, id, _ := strings.Cut(word, "=")
	return outputItem(family, id)
}

func checkPairing(t *testing.T, session string, want ...string) {
	t.Helper()
	t.Run(session, func(t *testing.T) { checkFamilies(t, "P", pairLines(session), want...) })
}

// Line 1 is the session_meta.
func TestRule31MissingOutputs(t *testing.T) {
	checkPairing(t, "start q f:1 f=1 shell:2 f=2 custom:3 custom=3 search:4 search=4 end")
	for _, family := range []string{"f", "shell", "custom", "search"} {
		checkPairing(t, "start q "+family+":1 end", "P001 4")
	}
	checkPairing(t, "start q f:1 custom=1 end", "P001 4", "P002 5") // families are not mixed
	checkPairing(t, "start q shell:1 f=1 end")                      // these two are one family
	checkPairing(t, "start q f:1 f:2 f=2 f=1 end")
	checkPairing(t, "start q f:1 end start q a end", "P001 4")
	checkPairing(t, "start q f:1 end f=1")                 // late, but there
	checkPairing(t, "q f:1 q a", "P001 3")                 // a file without turns: the next question ends one
	checkPairing(t, "start q f:1", "P007 4")               // the turn goes on
	checkPairing(t, "start q f:1 start q a end", "P001 4") // cut off, and gone on with
	checkFamilies(t, "P", []string{metaLine(""), startLine("t"), itemLine(callItem("f", "1")),
		eventRecord(`{"type":"turn_aborted","turn_id":"t","reason":"interrupted"}`)}, "P001 3")
	checkFamilies(t, "P", []string{metaLine(""), startLine("t"),
		itemLine(`{"type":"local_shell_call","call_id":null,"status":"completed","action":{"type":"exec","command":[]}}`),
		itemLine(`{"type":"tool_search_call","call_id":null,"execution":"server","arguments":{}}`), completeLine("t")})
}

func TestRule33Orphans(t *testing.T) {
	for _, family := range []string{"f", "custom", "search"} {
		checkPairing(t, "start q "+family+"=1 a end", "P002 4")
	}
	checkPairing(t, "start q server=1 a end")
	checkPairing(t, "start q server=1 search=1 end", "P002 5") // what the server ran answers nothing
	checkPairing(t, "start q f=1 f:1 end", "P003 4")
	checkPairing(t, "start q f=1 f:1 f=1 end", "P003 4", "P005 6")
	checkPairing(t, "start q f=1 a f=1 end", "P002 4") // one finding for both
	checkFamilies(t, "P", []string{metaLine(""),
		itemLine(`{"type":"function_call_output","output":"o"}`),
		itemLine(`{"type":"function_call_output","call_id":null,"name":"","output":"o"}`),
		itemLine(clientTool),
		itemLine(`{"type":"tool_search_output","call_id":null,"status":"completed","execution":"client","tools":[]}`),
		checkpointLine(userItem("q"), clientTool, `{"type":"function_call_output","output":"o"}`),
	}, "P006 2 /payload", "P006 3 /payload", "P006 6 /payload/replacement_history/2")
}

func TestCallIDsTwice(t *testing.T) {
	checkPairing(t, "start q f:1 f=1 a f:1 f=1 end", "P004 7")
	checkPairing(t, "start q f:1 custom:1 f=1 custom=1 end")
	checkPairing(t, "start q f:1 f=1 a f=1 end", "P005 7")
	checkPairing(t, "start q f:1 f=1 a f:1 end", "P004 7")     // the output answers both (rule 31)
	checkPairing(t, "start q f:1 f=1 [ ] start q f:1 f=1 end") // another history
	checkPairing(t, "start q f:1 f:1 f=1 f=1 end")             // the same line again: L011
}

func TestMessagesBetween(t *testing.T) {
	checkPairing(t, "start q f:1 q f=1 end", "P008 6")
	checkPairing(t, "start q f:1 f:2 a f=1 f=2 q end")
	checkPairing(t, "start q f:1 q f:2 f=2 f=1 end", "P008 8")
	checkPairing(t, "start q f:1 q f:2 end", "P001 4", "P001 6")
	checkPairing(t, "start [ f:1 ] q f=1 end") // where a checkpoint puts things is its own matter
	checkFamilies(t, "P", []string{
		metaLine(""), itemLine(callItem("f", "1")), itemLine(userItem(environmentText)), itemLine(developerItem("d")), itemLine(outputItem("f", "1")),
	})
	checkFamilies(t, "P", []string{metaLine(""), itemLine(callItem("f", "1")), itemLine(agentItem), itemLine(outputItem("f", "1"))}, "P008 4")
}

// The outputs of a file may answer calls of the file that its history_base names.
func TestRule15PairsAcrossFiles(t *testing.T) {
	const id = "0199aaaa-0000-7000-8000-00000000000b"
	paginated := func(ordinal int, line string) string {
		return strings.Replace(line, `,"type":`, fmt.Sprintf(`,"ordinal":%d,"type":`, ordinal), 1)
	}
	meta := func(ordinal int, id, more string) string {
		return paginated(ordinal, strings.Replace(metaLine(`,"history_mode":"paginated"`+more), "0199aaaa-0000-7000-8000-000000000001", id, 1))
	}
	base := []string{meta(0, id, ""), paginated(1, itemLine(userItem("q"))), paginated(2, itemLine(callItem("f", "1"))), paginated(3, itemLine(outputItem("f", "1")))}
	tests := []struct {
		name string
		keep int // lines of the base
		own  []string
		want []string
	}{
		{"all of the base", 4, []string{assistantItem("a")}, nil},
		{"the call of the base", 3, []string{outputItem("f", "1")}, nil},
		{"the call of the base, unanswered", 3, []string{assistantItem("a")}, []string{"P020 0"}},
		{"not even the call", 2, []string{outputItem("f", "1"), outputItem("f", "2")}, []string{"P002 2", "P002 3"}},
		{"answered twice", 4, []string{outputItem("f", "1")}, nil}, // duplicates are looked for within a file
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			end := len(strings.Join(base[:tt.keep], "\n")) + 1
			own := []string{meta(tt.keep, "0199aaaa-0000-7000-8000-000000000001",
				fmt.Sprintf(`,"history_base":{"thread_id":"%s","end_ordinal_exclusive":%d,"end_byte_offset":%d}`, id, tt.keep, end))}
			for i, it := range tt.own {
				own = append(own, paginated(tt.keep+1+i, itemLine(it)))
			}
			for name, lines := range map[string][]string{"rollout-2026-11-02T08-00-00-" + id + ".jsonl": base, "own.jsonl": own} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, found := validateFile(t, newTestValidator(1), filepath.Join(dir, "own.jsonl"))
			got := []string{}
			for _, p := range ofFamily(found, "P") {
				got = append(got, fmt.Sprintf("%s %d", p.Code, p.Line))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v\n%s", got, tt.want, messages(found))
			}
		})
	}
}

func TestPairsAcrossCheckpoints(t *testing.T) {
	checkPairing(t, "start q f:1 f=1 end start [ ] end")
	checkPairing(t, "start q f:1 end start [ ] end", "P001 4")
	checkPairing(t, "start q f:1 old a end", "P001 4")
	checkPairing(t, "start q f:1 f=1 [ ] f=1 end", "P002 7") // its call is replaced
	checkPairing(t, "start q a end start [ f:1 f=1 custom:2 ] end", "P001 7 /payload/replacement_history/3")
	checkPairing(t, "start q a end start [ f:1 ] f=1 end")
	checkPairing(t, "start q a end start [ f:1 ] a end", "P001 7 /payload/replacement_history/1")
	checkPairing(t, "start q a end start [ f=1 ] f:1 end", "P003 7 /payload/replacement_history/1")
	checkPairing(t, "start q a end start [ f=1 f:1 ] end", "P003 7 /payload/replacement_history/1")
	checkPairing(t, "start q a end start [ f=1 server=2 search=3 ] end",
		"P002 7 /payload/replacement_history/1", "P002 7 /payload/replacement_history/3")
	checkPairing(t, "start q a end start [ f:1 f:1 f=1 f=1 f=1 ] end",
		"P004 7 /payload/replacement_history/2", "P005 7 /payload/replacement_history/5")
}

func TestRule16PairsThatAreRolledBack(t *testing.T) {
	checkPairing(t, "start q a end start q f:1 end back 1")
	checkPairing(t, "start q a end start q f=1 end back 1")
	checkPairing(t, "start q f:1 end start q a end back 1", "P001 4")
	checkPairing(t, "start q f:1 end start q a end back 2")
	checkPairing(t, "start q a end start q f:1 f=1 end back 1 start q f:1 f=1 end") // the same ids once more
	checkPairing(t, "[ f=1 f:1 ] back 1 f:1", "P003 2 /payload/replacement_history/1", "P004 4", "P020 0")
	checkPairing(t, "start q f:1 end start q a end back 0", "P001 4")
	checkPairing(t, "start q f:1 end start q a end back 4294967295")
	checkPairing(t, "start q f:1 f=1 end start q custom:2 [ ] end back 1", "P001 9")
}

// The call of an accepted input goes with it, its output stays: it has no order.
func TestRule16OutputsThatStay(t *testing.T) {
	order := func(item, n string) string {
		return itemWith(item, `{"client_authored":false,"user_input_order":`+n+`}`)
	}
	session := func(n string) []string {
		return []string{
			metaLine(""), order(userItem("q"), "0"), order(callItem("f", "1"), n), itemLine(outputItem("f", "1")),
			order(userItem("r"), "2"), itemLine(assistantItem("a")), rollbackLine(1),
		}
	}
	checkFamilies(t, "P", session("1"))
	found := checkFamilies(t, "P", session("2"), "P021 0")
	if want := "the history at the end has one output without its call: function_call_output on line 4"; found[0].Message != want {
		t.Errorf("%q, want %q", found[0].Message, want)
	}
}
