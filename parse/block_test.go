package parse

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll joins what the line reader gives out and checks numbers and offsets.
func readAll(t *testing.T, r io.Reader) ([]byte, error) {
	t.Helper()
	lr := NewLineReader(r, 1, 0)
	var out []byte
	for n := 1; ; n++ {
		l, err := lr.Next()
		if err != nil {
			return out, err
		}
		if l.Number != n || l.Offset != int64(len(out)) {
			t.Fatalf("line %d at %d: got number %d, offset %d", n, len(out), l.Number, l.Offset)
		}
		if bytes.IndexByte(l.Bytes, '\n') >= 0 {
			t.Fatalf("line %d holds a newline", n)
		}
		out = append(out, l.Bytes...)
		if l.Terminated {
			out = append(out, '\n')
		}
	}
}

func TestRule01LinesGiveTheFileBack(t *testing.T) {
	long := strings.Repeat("x", 3*blockSize)
	huge := strings.Repeat("y", 9*blockSize+17)
	for name, in := range map[string]string{
		"empty":        "",
		"no newline":   "abc",
		"only newline": "\n\n\n",
		"crlf":         "a\r\nb\r\n",
		"long lines":   "a\n" + long + "\nb\n" + huge + "\nc\n" + huge,
		"long torn":    huge,
	} {
		for kind, r := range map[string]io.Reader{
			"plain":    strings.NewReader(in),
			"half":     iotest.HalfReader(strings.NewReader(in)),
			"data+err": iotest.DataErrReader(strings.NewReader(in)),
		} {
			got, err := readAll(t, r)
			if err != io.EOF || string(got) != in {
				t.Errorf("%s, %s: %d bytes back of %d, error %v", name, kind, len(got), len(in), err)
			}
		}
	}
}

func TestReadErrorComesAfterTheBytes(t *testing.T) {
	broken := errors.New("disk gone")
	in := "one\ntwo\nthr"
	got, err := readAll(t, io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)))
	if string(got) != in || !errors.Is(err, broken) {
		t.Errorf("got %q, error %v", got, err)
	}
}

func FuzzLineReader(f *testing.F) {
	f.Add([]byte("a\nb\r\n\n\xef\xbb\xbf{}\n\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := readAll(t, iotest.OneByteReader(bytes.NewReader(in)))
		if err != io.EOF || !bytes.Equal(got, in) {
			t.Fatalf("got %q, error %v", got, err)
		}
	})
}
