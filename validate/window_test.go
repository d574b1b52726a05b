package validate

import "testing"

const (
	window0 = "0199aaaa-0000-7000-8000-0000000000a0"
	window1 = "0199aaaa-0000-7000-8000-0000000000a1"
	window2 = "0199aaaa-0000-7000-8000-0000000000a2"
	window3 = "0199aaaa-0000-7000-8000-0000000000a3"
)

// windowLine is a compacted record with these window members.
func windowLine(members string) string { return recordLine("compacted", `{"message":"s",`+members+`}`) }

// chainedLine is the usual one.
func chainedLine(number, previous, id string) string {
	return windowLine(`"window_number":` + number + `,"first_window_id":"` + window0 + `","previous_window_id":"` + previous + `","window_id":"` + id + `"`)
}

func TestWindows(t *testing.T) {
	meta := metaLine(`,"context_window":{"window_id":"` + window0 + `"}`)
	plain := metaLine("")
	fork := metaLine(`,"forked_from_id":"0199aaaa-0000-7000-8000-000000000009","context_window":{"window_id":"` + window0 + `"}`)
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"chain", []string{meta, chainedLine("1", window0, window1), chainedLine("2", window1, window2), chainedLine("3", window2, window3)}, nil},
		{"none of it", []string{plain, windowLine(`"window_id":null`), windowLine(`"window_number":null`)}, nil},
		{"gap", []string{meta, chainedLine("1", window0, window1), chainedLine("3", window1, window2), chainedLine("4", window2, window3)}, []string{"W001 3 /payload/window_number"}},
		{"same number", []string{meta, chainedLine("1", window0, window1), chainedLine("1", window1, window2)}, []string{"W001 3 /payload/window_number"}},
		{"begins with 2", []string{meta, chainedLine("2", window0, window1)}, []string{"W001 2 /payload/window_number"}},
		{"beginning not known", []string{plain, chainedLine("7", window0, window1), chainedLine("8", window1, window2)}, nil},
		{"fork", []string{fork, chainedLine("4", window2, window3)}, nil},
		{"only the first session_meta counts", []string{plain, meta, chainedLine("4", window2, window3)}, nil},
		{"numeric ids", []string{plain, windowLine(`"window_id":1`), windowLine(`"window_id":3`)}, []string{"W001 3 /payload/window_id", "W006 2 /payload/window_id", "W006 3 /payload/window_id"}},
		{"a number beside a numeric id goes first", []string{plain, windowLine(`"window_id":9,"window_number":1`), windowLine(`"window_number":2`)}, []string{"W006 2 /payload/window_id"}},
		{"behind compactions without number", []string{plain, windowLine(`"window_id":null`), windowLine(`"window_id":null`), chainedLine("3", window0, window1)}, nil},
		{"behind compactions without number, wrong", []string{plain, windowLine(`"window_id":null`), windowLine(`"window_id":null`), chainedLine("2", window0, window1)}, []string{"W001 4 /payload/window_number"}},
		{"number missing", []string{meta, chainedLine("1", window0, window1), windowLine(`"window_id":null`), chainedLine("2", window1, window2)}, []string{"W005 3"}},
		{"previous", []string{meta, chainedLine("1", window0, window1), chainedLine("2", window0, window2)}, []string{"W002 3 /payload/previous_window_id"}},
		{"first", []string{meta, chainedLine("1", window0, window1), windowLine(`"window_number":2,"first_window_id":"` + window1 + `","previous_window_id":"` + window1 + `","window_id":"` + window2 + `"`)}, []string{"W003 3 /payload/first_window_id"}},
		{"rolled back", []string{meta, chainedLine("1", window0, window1), chainedLine("2", window1, window2), rollbackLine(1), chainedLine("2", window1, window3)}, nil},
		{"rolled back to the start", []string{meta, chainedLine("1", window0, window1), rollbackLine(1), chainedLine("1", window0, window2)}, nil},
		{"rolled back, then a window that never was", []string{meta, chainedLine("1", window0, window1), rollbackLine(1), chainedLine("9", window3, window2)}, []string{"W001 4 /payload/window_number", "W002 4 /payload/previous_window_id"}},
		{"no rollback since", []string{meta, chainedLine("1", window0, window1), rollbackLine(1), chainedLine("2", window1, window2), chainedLine("2", window1, window3)}, []string{"W001 5 /payload/window_number", "W002 5 /payload/previous_window_id"}},
		{"no UUID", []string{plain, windowLine(`"window_number":1,"window_id":"w"`)}, []string{"W004 2 /payload/window_id"}},
		{"each id", []string{
			metaLine(`,"context_window":{"window_id":""}`),
			windowLine(`"first_window_id":"a","previous_window_id":"b","window_id":"0199aaaa-0000-4000-8000-0000000000a0"`),
		}, []string{"W004 1 /payload/context_window/window_id", "W004 2 /payload/first_window_id", "W004 2 /payload/previous_window_id", "W004 2 /payload/window_id"}},
		{"another spelling", []string{meta, chainedLine("1", "0199AAAA000070008000"+"0000000000A0", window1)}, nil},
		{"what is no UUID ends the chain", []string{meta, chainedLine("1", window0, "w"), chainedLine("2", window2, window3)}, []string{"W004 2 /payload/window_id"}},
		{"session's window", []string{meta, chainedLine("1", window3, window1)}, []string{"W007 2 /payload/previous_window_id"}},
		{"session's window, first", []string{meta, windowLine(`"window_number":1,"first_window_id":"` + window3 + `","previous_window_id":"` + window0 + `"`)}, []string{"W007 2 /payload/first_window_id"}},
		{"rejected records do not count", []string{meta, chainedLine("1", window0, window1), recordLine("compacted", `{"message":1,"window_number":7}`), chainedLine("2", window1, window2)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkFamilies(t, "W", tt.lines, tt.want...) })
	}
}
