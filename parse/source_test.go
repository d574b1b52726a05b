package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// compress is text as one zstd frame.
func compress(t *testing.T, text []byte) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	return enc.EncodeAll(text, nil)
}

// textOf is a text of n lines that does not compress to nothing.
func textOf(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"n":%d,"x":"%016x%016x"}`+"\n", i, r.Uint64(), r.Uint64())
	}
	return b.Bytes()
}

func put(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// readFrom is what a source gives from an offset on.
func readFrom(t *testing.T, s *Source, offset int64) ([]byte, error) {
	t.Helper()
	r, err := s.ReadFrom(offset)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

func TestSourcesReadFromAnyOffset(t *testing.T) {
	text := textOf(9000) // three blocks of zstd
	half := len(text) / 2
	frames := append(compress(t, text[:half]), compress(t, text[half:])...)
	dir := t.TempDir()
	for _, tt := range []struct {
		name       string
		stored     []byte
		stdin      bool
		compressed bool
	}{
		{"a.jsonl", text, false, false},
		{"b.jsonl.zst", compress(t, text), false, true},
		{"magic-not-name.jsonl", compress(t, text), false, true},
		{"name-not-magic.jsonl.zst", text, false, false},
		{"frames.jsonl.zst", frames, false, true},
		{"stdin", text, true, false},
		{"stdin-zst", frames, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, stdin := Stdin, io.Reader(bytes.NewReader(tt.stored))
			if !tt.stdin {
				path, stdin = put(t, filepath.Join(dir, tt.name), tt.stored), nil
			}
			s, err := Open(path, stdin)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if s.Path != path || s.Compressed != tt.compressed || s.StoredSize != int64(len(tt.stored)) {
				t.Errorf("path %s, compressed %v, %d bytes", s.Path, s.Compressed, s.StoredSize)
			}
			for _, offset := range []int{0, 1, half - 1, half, half + 1, len(text) - 1, len(text)} {
				got, err := readFrom(t, s, int64(offset))
				if err != nil || !bytes.Equal(got, text[offset:]) {
					t.Errorf("from %d: %d bytes, error %v; want %d", offset, len(got), err, len(text)-offset)
				}
			}
			// Two passes at once do not disturb each other.
			a, errA := s.ReadFrom(0)
			b, errB := s.ReadFrom(10)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			defer a.Close()
			defer b.Close()
			var bufA, bufB [10]byte
			for i := range 3 {
				io.ReadFull(a, bufA[:])
				io.ReadFull(b, bufB[:])
				if string(bufA[:]) != string(text[10*i:10*i+10]) || string(bufB[:]) != string(text[10*i+10:10*i+20]) {
					t.Errorf("pass %d: %q and %q", i, bufA, bufB)
				}
			}
		})
	}
}

func TestStreamsReadOnce(t *testing.T) {
	text := textOf(500)
	packed := append(compress(t, text[:100]), compress(t, text[100:])...)
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		stored []byte
		zstd   bool
		want   []byte
	}{
		"plain":       {text, false, text},
		"zstd":        {packed, true, text},
		"empty":       {nil, false, nil},
		"empty frame": {compress(t, []byte{}), true, nil},
		"short":       {[]byte("{}"), false, []byte("{}")},
		"half magic":  {[]byte("\x28\xb5\x2f"), false, []byte("\x28\xb5\x2f")},
	} {
		path := put(t, filepath.Join(dir, name+".jsonl"), tt.stored)
		for _, from := range []string{path, Stdin} {
			in, compressed, err := Stream(from, bytes.NewReader(tt.stored))
			if err != nil {
				t.Errorf("%s from %s: %v", name, from, err)
				continue
			}
			got, err := io.ReadAll(in)
			if err != nil || compressed != tt.zstd || !bytes.Equal(got, tt.want) {
				t.Errorf("%s from %s: zstd %v, %d bytes, error %v", name, from, compressed, len(got), err)
			}
			if err := in.Close(); err != nil {
				t.Errorf("%s from %s: closing: %v", name, from, err)
			}
		}
	}
}

// zstdBlock is the most that one block of a frame holds (RFC 8878, 3.1.1.2.4).
const zstdBlock = 128 << 10

// What comes before a break in a compressed stream is given out, then the place is said.
func TestBrokenZstdGivesTheLinesBefore(t *testing.T) {
	text := textOf(20000) // over 1 MB: blocks of 128 KiB
	whole := compress(t, text)
	var noise [64]byte
	for i := range noise {
		noise[i] = byte(i*37 + 1)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-1] ^= 1 // the checksum of the frame
	for name, tt := range map[string]struct {
		stored []byte
		least  int  // bytes of the text that must come before the break
		most   int  // and that may
		cut    bool // the error says that the stream is cut off
	}{
		// The text hardly compresses, so half the stream is about half the text.
		"cut in the middle":       {whole[:len(whole)/2], len(text)/2 - 2*zstdBlock, len(text)/2 + 2*zstdBlock, true},
		"cut in the header":       {whole[:5], 0, 0, true},
		"garbage after the frame": {append(bytes.Clone(whole), noise[:]...), len(text), len(text), false},
		// Before its checksum is read, the last block is not given out.
		"cut in the checksum": {whole[:len(whole)-1], len(text) - zstdBlock, len(text), true},
		"wrong checksum":      {flipped, len(text) - zstdBlock, len(text), false},
	} {
		t.Run(name, func(t *testing.T) {
			path := put(t, filepath.Join(t.TempDir(), "rollout.jsonl.zst"), tt.stored)
			in, compressed, err := Stream(path, nil)
			if err != nil || !compressed {
				t.Fatal(compressed, err)
			}
			defer in.Close()
			lr := NewLineReader(in, 1, 0)
			var got []byte
			lines := 0
			for {
				var l Line
				if l, err = lr.Next(); err != nil {
					break
				}
				lines++
				got = append(got, l.Bytes...)
				if l.Terminated {
					got = append(got, '\n')
				}
			}
			var broken *StreamError
			if !errors.As(err, &broken) {
				t.Fatalf("after %d lines: %v, want a StreamError", lines, err)
			}
			if broken.Offset != int64(len(got)) || !bytes.HasPrefix(text, got) {
				t.Errorf("offset %d after %d bytes that are the text's: %v", broken.Offset, len(got), bytes.HasPrefix(text, got))
			}
			if len(got) < tt.least || len(got) > tt.most {
				t.Errorf("%d of %d bytes in %d lines; want %d to %d", len(got), len(text), lines, tt.least, tt.most)
			}
			if errors.Is(err, io.ErrUnexpectedEOF) != tt.cut || strings.Contains(err.Error(), "cut off") != tt.cut {
				t.Errorf("error %q", err)
			}
		})
	}
}

func TestWindowOfAFrameIsBounded(t *testing.T) {
	// A frame header (RFC 8878, 3.1.1.1) that asks for a window of 3.75 TiB.
	frame := append(bytes.Clone(zstdMagic), 0x00, 0xff)
	in, _, err := Stream(Stdin, bytes.NewReader(append(frame, make([]byte, 100)...)))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var broken *StreamError
	if _, err := io.ReadAll(in); !errors.As(err, &broken) || !errors.Is(err, zstd.ErrWindowSizeExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestOpeningWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	plain := put(t, filepath.Join(dir, "a.jsonl"), []byte("{}\n"))
	packed := put(t, filepath.Join(dir, "b.jsonl.zst"), compress(t, []byte("{}\n")))
	if err := os.Mkdir(filepath.Join(dir, "d.jsonl.zst"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path     string
		notExist bool
		says     string // part of the message
		silent   string // not part of it
	}{
		{plain + ".zst", true, "a.jsonl exists", ""},
		{filepath.Join(dir, "b.jsonl"), true, packed + " exists", ""},
		{filepath.Join(dir, "c.jsonl"), true, "", "exists)"},
		{filepath.Join(dir, "d.jsonl"), true, "", "exists)"}, // a folder is no sibling
		{filepath.Join(dir, "a.txt"), true, "", "exists)"},
		{dir, false, "is a folder", ""},
	} {
		_, openErr := Open(tt.path, nil)
		_, _, streamErr := Stream(tt.path, nil)
		for how, err := range map[string]error{"open": openErr, "stream": streamErr} {
			if err == nil || errors.Is(err, os.ErrNotExist) != tt.notExist || !strings.Contains(err.Error(), tt.says) ||
				tt.silent != "" && strings.Contains(err.Error(), tt.silent) || !strings.Contains(err.Error(), filepath.Base(tt.path)) {
				t.Errorf("%s %s: %v", how, tt.path, err)
			}
		}
	}
	if _, err := Open(Stdin, nil); err == nil {
		t.Error("no standard input was opened")
	}
	if _, _, err := Stream(Stdin, nil); err == nil {
		t.Error("no standard input was streamed")
	}
}

func TestSpoolLeavesNothingBehind(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	s, err := Open(Stdin, strings.NewReader("a\nb\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readFrom(t, s, 2); err != nil || string(got) != "b\n" {
		t.Errorf("%q, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	gone := errors.New("terminal gone")
	if _, err := Open(Stdin, io.MultiReader(strings.NewReader("a"), &failing{gone})); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }
