package jsonraw

import "testing"

func TestLocate(t *testing.T) {
	text := ` {"a":[10, {"b/c":"x","~":null} ,[]],"a2":1,"dup":1,"dup":{"k":2}}`
	for _, c := range []struct {
		pointer string
		off     int
		want    string
	}{
		{"/a", 6, `[10, {"b/c":"x","~":null} ,[]]`},
		{"/a/0", 7, "10"},
		{"/a/1/b~1c", 18, `"x"`},
		{"/a/1/~0", 26, "null"},
		{"/a/2", 33, "[]"},
		{"/dup/k", 63, "2"},
	} {
		off, v, ok := Locate([]byte(text), c.pointer)
		if !ok || off != c.off || string(v) != c.want {
			t.Errorf("%s: offset %d, value %q, found %v; want %d, %q", c.pointer, off, v, ok, c.off, c.want)
		}
	}
	for _, p := range []string{"/a/3", "/a/-1", "/a/x", "/none", "/a2/x", "/a/1/b"} {
		if off, v, ok := Locate([]byte(text), p); ok {
			t.Errorf("%s: found %q at %d", p, v, off)
		}
	}
	if off, v, ok := Locate([]byte(text), ""); !ok || off != 1 || v[0] != '{' {
		t.Errorf("whole text: %q at %d, %v", v, off, ok)
	}
}
