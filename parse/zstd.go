package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// zstdMagic starts a zstd frame (RFC 8878, 3.1.1).
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// maxWindow bounds what a frame's header can make the decoder allocate, in bytes.
// Codex compresses at level 3 (format.md 1.3), whose windows are 2 MiB; 128 MiB is
// what the zstd program itself accepts without being told otherwise.
const maxWindow = 128 << 20

func isZstd(head []byte) bool { return bytes.HasPrefix(head, zstdMagic) }

func fileIsZstd(f *os.File) (bool, error) {
	head := make([]byte, len(zstdMagic))
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	return isZstd(head[:n]), nil
}

// zstdReader decompresses and says where a broken stream broke.
type zstdReader struct {
	dec *zstd.Decoder
	n   int64
}

func newZstdReader(r io.Reader) (*zstdReader, error) {
	dec, err := zstd.NewReader(r,
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return &zstdReader{dec: dec}, nil
}

func (z *zstdReader) Read(p []byte) (int, error) {
	n, err := z.dec.Read(p)
	z.n += int64(n)
	if err != nil && err != io.EOF {
		err = &StreamError{Offset: z.n, Err: err}
	}
	return n, err
}

func (z *zstdReader) Close() error { z.dec.Close(); return nil }

// Compress returns a writer that compresses to w as Codex does: zstd at level 3, one
// frame (format.md 1.3). Close ends the frame; w stays open.
func Compress(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(3)), zstd.WithEncoderConcurrency(1))
}

// StreamError is a failure in the middle of a compressed stream. Codex treats it
// as an I/O error of the whole load, not as a bad line (format.md 1.3).
type StreamError struct {
	Offset int64 // decompressed bytes read before it
	Err    error
}

func (e *StreamError) Error() string {
	what := e.Err.Error()
	if errors.Is(e.Err, io.ErrUnexpectedEOF) {
		what = "the stream is cut off"
	}
	return fmt.Sprintf("zstd: after %d decompressed bytes: %s", e.Offset, what)
}

func (e *StreamError) Unwrap() error { return e.Err }
