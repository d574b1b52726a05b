package rewrite

import "testing"

func TestRename(t *testing.T) {
	for _, c := range []struct{ payload, from, to, want string }{
		{`{"mode":"x","a":1}`, "mode", "type", `{"type":"x","a":1}`},
		{`{"a":{"mode":1},"mode" : "x"}`, "mode", "type", `{"a":{"mode":1},"type" : "x"}`},
		{`{"mode":1,"mo\u0064e":2}`, "mode", "type", `{"type":1,"type":2}`},
		{`{"a":"mode"}`, "mode", "type", `{"a":"mode"}`},
	} {
		op := Each("rename", func(r *Record) Edit { return r.Change().Rename(r.Payload, c.from, c.to).Done("named anew") })
		line := func(p string) string { return `{` + stamp + `,"type":"x","payload":` + p + "}\n" }
		got, res, err := apply(t, line(c.payload), Options{}, op)
		if err != nil || got != line(c.want) {
			t.Errorf("%s: %s, %v; want %s", c.payload, got, err, line(c.want))
		}
		if want := c.payload != c.want; (res.Edits() > 0) != want {
			t.Errorf("%s: %d edits", c.payload, res.Edits())
		}
	}
}

func TestRenameInNoObject(t *testing.T) {
	r := &Record{}
	if ed := r.Change().Rename([]byte(`[1]`), "a", "b").Done("x"); ed.action != invalid {
		t.Errorf("%+v", ed)
	}
}

func TestResult(t *testing.T) {
	if got := Line([]byte("{}"), "x").Result(); string(got) != "{}" {
		t.Errorf("%q", got)
	}
	if Keep().Result() != nil || Drop("x").Result() != nil {
		t.Error("a line where there is none")
	}
}

// appends is an operation that adds a record at the end.
type appends struct{ line string }

func (a appends) Name() string                       { return "appends" }
func (a appends) Plan(*Input) (func() Editor, error) { return func() Editor { return a }, nil }
func (a appends) Edit(*Record) Edit                  { return Keep() }
func (a appends) Finish() ([][]byte, string)         { return [][]byte{[]byte(a.line)}, "added" }

// A record at the end moves no other: it goes with offsets that are to stay.
func TestAppendPreservesOffsets(t *testing.T) {
	in := paginated(meta(true, ""), message("a"))
	out, _, err := apply(t, in, Options{PreserveOffsets: true}, appends{"{" + stamp + "," + message("b")})
	want := paginated(meta(true, ""), message("a"), message("b"))
	if err != nil || out != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
