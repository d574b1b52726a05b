package parse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// Source is one rollout that can be read several times, from any byte offset of
// its decompressed text. Standard input and pipes are spooled to a temporary file
// on opening. A Source is safe for use by one goroutine at a time.
type Source struct {
	Path       string // as the user named it; "-" for standard input
	Compressed bool   // a zstd stream, told by its magic bytes
	StoredSize int64  // bytes on disk (compressed bytes for a zstd stream)

	file  *os.File
	spool bool // file is ours to remove
	text  Text // instead of file
}

// Text is a rollout that is no file: it is made while it is read.
type Text interface {
	// ReadFrom starts a pass over the plain text from a byte offset.
	ReadFrom(offset int64) (io.ReadCloser, error)
	// Close ends what passes have left running.
	Close() error
}

// NewSource makes a Source of a text. path is what stands in messages, and what names
// and siblings are judged by.
func NewSource(path string, text Text) *Source { return &Source{Path: path, text: text} }

// Open opens path, or spools stdin when path is "-". A folder is an error.
func Open(path string, stdin io.Reader) (*Source, error) {
	if path == Stdin {
		return spool(path, stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, hintSibling(path, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	if info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s: is a folder, a rollout file is needed", path)
	}
	if !info.Mode().IsRegular() {
		defer f.Close()
		return spool(path, f)
	}
	return newSource(path, f, false)
}

// hintSibling names the other form of a rollout when only that one exists.
func hintSibling(path string, err error) error {
	if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, other := range siblings(path) {
		if info, e := os.Stat(other); e == nil && info.Mode().IsRegular() {
			return fmt.Errorf("%w (but %s exists)", err, other)
		}
	}
	return err
}

func spool(path string, r io.Reader) (*Source, error) {
	if r == nil {
		return nil, fmt.Errorf("%s: no standard input", path)
	}
	f, err := os.CreateTemp("", "rollout-tool-*.jsonl")
	if err != nil {
		return nil, fmt.Errorf("spooling %s: %w", path, err)
	}
	s := &Source{Path: path, file: f, spool: true}
	if os.Remove(f.Name()) == nil { // where an open file can go, a killed run leaves nothing behind
		s.spool = false
	}
	if _, err := io.Copy(f, r); err != nil {
		s.Close()
		return nil, fmt.Errorf("spooling %s: %w", path, err)
	}
	return newSource(path, f, s.spool)
}

func newSource(path string, f *os.File, spooled bool) (*Source, error) {
	s := &Source{Path: path, file: f, spool: spooled}
	info, err := f.Stat()
	if err == nil {
		s.StoredSize = info.Size()
		s.Compressed, err = fileIsZstd(f)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Close releases the file and removes a spooled copy.
func (s *Source) Close() error {
	if s.text != nil {
		return s.text.Close()
	}
	err := s.file.Close()
	if s.spool {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

// ReadFrom opens a pass over the decompressed text from the given byte offset.
// Several passes at once are fine. Close the reader when done.
func (s *Source) ReadFrom(offset int64) (io.ReadCloser, error) {
	if s.text != nil {
		return s.text.ReadFrom(offset)
	}
	if !s.Compressed {
		return io.NopCloser(io.NewSectionReader(s.file, offset, 1<<62)), nil
	}
	z, err := newZstdReader(io.NewSectionReader(s.file, 0, 1<<62))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, err)
	}
	if _, err := io.CopyN(io.Discard, z, offset); err != nil {
		z.Close()
		return nil, fmt.Errorf("%s: byte offset %d: %w", s.Path, offset, err)
	}
	return z, nil
}

// Stream opens path for one pass without spooling: what commands use that read
// forward only. The stream is decompressed when it starts with zstd's magic bytes.
func Stream(path string, stdin io.Reader) (io.ReadCloser, bool, error) {
	var in io.ReadCloser
	if path == Stdin {
		if stdin == nil {
			return nil, false, fmt.Errorf("%s: no standard input", path)
		}
		in = io.NopCloser(stdin)
	} else {
		f, err := os.Open(path)
		if err != nil {
			return nil, false, hintSibling(path, err)
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, false, fmt.Errorf("%s: is a folder, a rollout file is needed", path)
		}
		in = f
	}
	br := bufio.NewReader(in)
	if head, _ := br.Peek(len(zstdMagic)); !isZstd(head) {
		return readCloser{br, in}, false, nil
	}
	z, err := newZstdReader(br)
	if err != nil {
		in.Close()
		return nil, true, fmt.Errorf("%s: %w", path, err)
	}
	return readCloser{z, closers{z, in}}, true, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

type closers []io.Closer

func (cs closers) Close() error {
	var err error
	for _, c := range cs {
		err = errors.Join(err, c.Close())
	}
	return err
}
