package history_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// known is a generated line and what the rules say about it, noted by the generator
// and never read back from the line.
type known struct {
	text string

	opens    bool   // opens a segment (rule 11)
	names    string // the turn id it gives a segment (rule 12)
	starts   bool   // task_started
	turn     string // of a task_started
	counts   bool   // makes a user turn (rule 13)
	undoes   int    // turns of a thread_rolled_back
	meta     bool   // session_meta
	paginate bool
	// A readable compacted record.
	compacts, history, number, resume bool
}

func genTurn(t *rapid.T) string { return rapid.SampledFrom([]string{"t1", "t2", "t3"}).Draw(t, "turn") }

// genLine draws one line. Texts are numbered so that no two items are equal.
func genLine(t *rapid.T, n int) known {
	text := fmt.Sprint("text ", n)
	switch kind := rapid.SampledFrom([]string{
		"start", "start", "start", "user", "user", "user event", "assistant", "assistant", "developer fragment", "user fragment",
		"complete", "abort", "abort without turn", "context", "context without turn", "world", "agent",
		"compact", "compact", "compact", "local compact", "rollback", "rollback",
		"ordered", "switch", "call", "output", "delivery", "unknown", "meta", "token count", "rejected", "rejected compact", "blank", "ghost",
	}).Draw(t, "kind"); kind {
	case "start":
		id := genTurn(t)
		return known{text: started(id), starts: true, turn: id}
	case "user":
		return known{text: user(text), opens: true, counts: true}
	case "user event":
		return known{text: userEvent(), opens: true, counts: true}
	case "assistant":
		return known{text: assistant(text), opens: true}
	case "developer fragment":
		return known{text: developer("<tools>" + text), opens: true}
	case "user fragment":
		return known{text: user("<skill>" + text + "</skill>"), opens: true}
	case "complete":
		id := genTurn(t)
		return known{text: completed(id), opens: true, names: id}
	case "abort":
		id := genTurn(t)
		return known{text: aborted(id), opens: true, names: id}
	case "abort without turn":
		return known{text: aborted("")}
	case "context":
		id := genTurn(t)
		return known{text: turnContext(id, `,"effort":"`+id+`"`), opens: true, names: id}
	case "context without turn":
		return known{text: turnContext("", ""), opens: true}
	case "world":
		return known{text: worldState(), opens: true}
	case "agent":
		return known{text: interAgent(text), opens: true, counts: true}
	case "compact":
		k := known{opens: true, compacts: true, history: true,
			number: rapid.Bool().Draw(t, "number"), resume: rapid.Bool().Draw(t, "resume")}
		k.text = checkpoint(text, pick(k.number, numbered)+pick(k.resume, resume))
		return k
	case "local compact":
		number := rapid.Bool().Draw(t, "number")
		return known{text: compacted(pick(number, numbered)), opens: true, compacts: true, number: number}
	case "rollback":
		n := rapid.IntRange(0, 3).Draw(t, "turns")
		return known{text: rolledBack(uint32(n)), undoes: n}
	case "ordered":
		order := rapid.IntRange(0, 5).Draw(t, "order")
		role := rapid.SampledFrom([]string{"user", "assistant"}).Draw(t, "role")
		return known{text: itemWith(message(role, text), fmt.Sprintf(`{"user_input_order":%d}`, order)), opens: true, counts: role == "user"}
	case "switch":
		return known{text: itemLine(messageWith(passthrough(`"turn_id":"t1"`), "developer", switchText, text)), opens: true}
	case "call":
		return known{text: itemLine(functionCall("fc_1", fmt.Sprint("c", n%3))), opens: true}
	case "output":
		return known{text: itemWith(functionOutput("", fmt.Sprint("c", n%3), strings.Repeat(text, 4)), `{"fallback_token_limit_override":5}`), opens: true}
	case "delivery":
		return known{text: itemWith(messageWith(passthrough(`"turn_id":"t1"`), "assistant", text), `{`+ordered+`,`+complete+`}`)}
	case "unknown":
		return known{text: itemLine(`{"type":"hologram"}`), opens: true}
	case "meta":
		paginated := rapid.Bool().Draw(t, "paginated")
		if paginated {
			return known{text: paginatedMeta(), meta: true, paginate: true}
		}
		return known{text: legacyMeta(), meta: true}
	case "token count":
		return known{text: event(fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":%[1]s,"last_token_usage":%[1]s,"model_context_window":%[2]d},"rate_limits":null}`,
			`{"input_tokens":1,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":1}`, n%2))}
	case "rejected":
		return known{text: strings.Replace(user(text), `"role":"user"`, `"role":null`, 1)}
	case "rejected compact":
		return known{text: checkpoint(text, `,"replacement_history_metadata":[]`+numbered+resume)}
	case "ghost":
		return known{text: itemLine(ghost)}
	}
	return known{text: "  "}
}

func pick(on bool, s string) string {
	if on {
		return s
	}
	return ""
}

// genRollout draws a rollout; most have a session_meta first.
func genRollout(t *rapid.T) []known {
	n := rapid.IntRange(0, 40).Draw(t, "lines")
	var out []known
	switch rapid.SampledFrom([]string{"legacy", "paginated", "none"}).Draw(t, "mode") {
	case "legacy":
		out = append(out, known{text: legacyMeta(), meta: true})
	case "paginated":
		out = append(out, known{text: paginatedMeta(), meta: true, paginate: true})
	}
	for i := range n {
		out = append(out, genLine(t, i))
	}
	return out
}

func texts(lines []known) []string {
	out := make([]string, len(lines))
	for i, k := range lines {
		out[i] = k.text
	}
	return out
}

// wantBase is rules 10 to 14 told over the whole list: first the segments, then the
// rollbacks. It returns a 1-based line, 0 for none.
func wantBase(lines []known) int {
	paginated := false
	for _, k := range lines {
		if k.meta {
			paginated = k.paginate
			break
		}
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if k := lines[i]; k.compacts {
			if k.history && k.number && (k.resume || paginated) {
				return i + 1
			}
			break
		}
	}

	type span struct{ from, to int } // indexes, both inclusive; from is the start record or 0
	var spans []span                 // newest first
	isOpen, name, to := false, "", len(lines)-1
	for i := len(lines) - 1; i >= 0; i-- {
		k := lines[i]
		if k.starts {
			if isOpen && (name == "" || name == k.turn) {
				spans = append(spans, span{i, to})
				isOpen, name, to = false, "", i-1
			}
			continue
		}
		isOpen = isOpen || k.opens
		if name == "" {
			name = k.names
		}
	}
	spans = append(spans, span{0, to})

	pending := 0
	for _, s := range spans {
		userTurn, candidate := false, 0
		for i := s.from; i <= s.to; i++ {
			pending += lines[i].undoes
			userTurn = userTurn || lines[i].counts
			if lines[i].history {
				candidate = i + 1
			}
		}
		switch {
		case pending == 0 && candidate > 0:
			return candidate
		case pending > 0 && userTurn:
			pending--
		}
	}
	return 0
}
