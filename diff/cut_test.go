package diff

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/tokens"
)

func TestRule27CutText(t *testing.T) {
	long := strings.Repeat("0123456789", 10)
	tests := []struct {
		name, before, after string
		removed             string
		want                bool
	}{
		{"tokens", long, tokens.TruncateTokens(long, 5), long[10:90], true},
		{"characters", long, tokens.TruncateBytes(long, 7), long[3:96], true},
		{"nothing left", long, "…25 tokens truncated…", long, true},
		{"nothing left of another text", long, "…24 tokens truncated…", "", false},
		{"head only", long, "01234…20 tokens truncated…", long[5:], true},
		{"not the same head", long, "x1234…20 tokens truncated…56789", "", false},
		{"not the same tail", long, "01234…20 tokens truncated…5678x", "", false},
		{"no marker", long, "0123456789", "", false},
		{"no number", long, "01234…tokens truncated…56789", "", false},
		{"a marker in the text itself", "a …1 tokens truncated… b" + long, "a …1 tokens truncated… b0123…9 tokens truncated…789",
			long[4:97], true},
		{"first marker cut out", long, "012…7 tokens truncated…789", long[3:97], true},
		{"not shorter", "ab", "a…1 tokens truncated…ab", "", false},
	}
	for _, tt := range tests {
		c := cutText(tt.before, tt.after)
		if (c != nil) != tt.want {
			t.Errorf("%s: got %v", tt.name, c)
			continue
		}
		if c != nil && (c.removed != tt.removed || c.head+c.marker+c.tail != tt.after) {
			t.Errorf("%s: removed %q, want %q", tt.name, c.removed, tt.removed)
		}
	}
}

func TestCutOf(t *testing.T) {
	image := func(name string) string {
		return `{"type":"input_image","image_url":"data:image/png;base64,` + name + `"}`
	}
	a40, b40 := strings.Repeat("a", 40), strings.Repeat("b", 40)
	tests := []struct {
		name          string
		before, after string
		want          cutKind
	}{
		{"equal", user("a"), user("a"), notCut},
		{"another text", user("a"), user("b"), notCut},
		{"role", user(a40), developer("aa…9 tokens truncated…aa"), notCut},
		{"image gone", message("user", "", image("AA"), textPart("t"), image("BB")), message("user", "", textPart("t"), image("BB")), lessMedia},
		{"image new", message("user", "", textPart("t")), message("user", "", textPart("t"), image("BB")), notCut},
		{"text gone", message("user", "", textPart("a"), textPart("b")), user("a"), lessText},
		{"empty text gone", message("user", "", textPart(""), textPart("b"), image("AA")), user("b"), lessMedia},
		// compaction.md 3.9 example 11
		{"text gone and cut", message("user", "", textPart(a40), textPart(b40), image("AA")),
			message("user", "", textPart("bbbbbbbbbbbb…4 tokens truncated…bbbbbbbbbbbb"), image("AA")), shortened},
		{"all gone", user("a"), message("user", ""), emptied},
		{"flattened and cut", message("user", "", textPart(a40), textPart(b40)), user("aaaa…18 tokens truncated…bbbb"), shortened},
		{"flattened, image lost", message("user", "", textPart("a"), image("AA"), textPart("b")), user("ab"), lessMedia},
		{"output", output("c", a40), output("c", "aa…9 tokens truncated…aa"), shortened},
		{"output already trimmed", output("c", trimmedOutput), output("c", trimmedOutput), notCut},
		{"calls have no cut", call("c", a40), call("c", "aa…9 tokens truncated…aa"), notCut},
	}
	for _, tt := range tests {
		r := rows(t, tt.before, tt.after)
		if got := cutOf(r[0].Item, r[1].Item); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestSimilarity(t *testing.T) {
	sketchText := func(s string) sketch { return sketchOf(rows(t, user(s))[0].Item) }
	base := sketchText("one two three four five six seven eight")
	for text, want := range map[string]float64{
		"one two three four five six seven eight":   1,
		"Eight, seven\nsix five four three two one": 7.0 / 9, // words are told by case
		"one two three four":                        0.5,
		"nine ten":                                  0,
		"":                                          0,
	} {
		if got := base.shared(sketchText(text)); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
	ids := rows(t, `{"type":"message","id":"same","role":"user","content":[{"type":"input_image","image_url":"data:same"}]}`)
	if s := sketchOf(ids[0].Item); len(s) != 0 {
		t.Errorf("ids and media count: %v", s)
	}
}
