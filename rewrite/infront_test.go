package rewrite

import "testing"

// front is an operation that adds a line in front of the first record.
type front struct{ line string }

func (front) Name() string { return "front" }
func (f front) Plan(*Input) (func() Editor, error) {
	return func() Editor { return &fronting{line: f.line} }, nil
}

type fronting struct {
	line string
	done bool
}

func (f *fronting) Edit(*Record) Edit {
	if f.done {
		return Keep()
	}
	f.done = true
	return Keep().Before("added", []byte(f.line))
}

// A record in front of the first one takes the ordinal before it, where that is free.
func TestAddInFront(t *testing.T) {
	line := "{" + stamp + "," + meta(true, "") // without an ordinal
	for _, tt := range []struct {
		name, in, want string
	}{
		{"legacy", legacy(message("a")), legacy(meta(false, ""), message("a"))},
		{"free", paginatedFrom(1, message("a"), message("b")), paginatedFrom(0, meta(true, ""), message("a"), message("b"))},
		{"free, further on", paginatedFrom(7, message("a")), paginatedFrom(6, meta(true, ""), message("a"))},
	} {
		add := line
		if tt.name == "legacy" {
			add = "{" + stamp + "," + meta(false, "")
		}
		if got, _ := rewritten(t, tt.in, repairing{front{add}}); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	t.Run("not free", func(t *testing.T) {
		_, _, err := apply(t, paginatedFrom(0, message("a")), Options{}, repairing{front{line}})
		if AsRefusal(err) == nil {
			t.Errorf("got %v, want a refusal", err)
		}
	})
}
