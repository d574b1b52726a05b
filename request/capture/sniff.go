package capture

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Form is a form of captures.
type Form string

// The forms. FormNone stands for no capture.
const (
	FormNone   Form = ""
	FormBody   Form = "body"   // one request body, or one request that the proxy has dumped
	FormDump   Form = "dump"   // a folder of responses-api-proxy --dump-dir
	FormBundle Form = "bundle" // a rollout trace bundle
	FormHAR    Form = "har"    // HAR 1.2
)

// sniffLimit is how far into a file Sniff looks, in bytes.
const sniffLimit = 16 << 20

// Sniff says which form of capture path is; FormNone when it is none, a rollout for
// instance. Content tells; the name does where a file breaks off before its content could.
// It fails when path cannot be read.
func Sniff(path string) (Form, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return FormNone, err
	case info.IsDir():
		return sniffFolder(path)
	case !info.Mode().IsRegular():
		return FormNone, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return FormNone, err
	}
	defer f.Close()
	return SniffStream(f, path), nil
}

// SniffStream is Sniff for what is no file: FormBody, FormHAR or FormNone. It reads no further
// than it has to. name is what the stream is called.
func SniffStream(in io.Reader, name string) Form {
	r, stop, err := plain(in)
	if err != nil {
		return formOfName(name) // compressed by its first bytes, but broken
	}
	defer stop()
	form, whole := sniffText(io.LimitReader(r, sniffLimit))
	if form == FormNone && !whole {
		form = formOfName(name)
	}
	return form
}

// formOfName goes by the name of a file, compressed or not.
func formOfName(path string) Form {
	name := strings.ToLower(filepath.Base(path))
	for _, packed := range [...]string{".zst", ".gz"} {
		name = strings.TrimSuffix(name, packed)
	}
	if strings.HasSuffix(name, ".har") {
		return FormHAR
	}
	return FormNone
}

// plain decompresses a stream when it starts like zstd or gzip.
func plain(r io.Reader) (io.Reader, func(), error) {
	buffered := bufio.NewReader(r)
	head, err := buffered.Peek(len(zstdMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case hasPrefix(head, zstdMagic):
		dec, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return dec, dec.Close, nil
	case hasPrefix(head, gzipMagic):
		dec, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, nil, err
		}
		return dec, func() {}, nil
	}
	return buffered, func() {}, nil
}

func sniffFolder(dir string) (Form, error) {
	if _, err := os.Stat(filepath.Join(dir, manifestName)); err == nil {
		if b, err := os.ReadFile(filepath.Join(dir, manifestName)); err == nil {
			if m, err := jsonraw.ParseObject(trimJSON(b)); err == nil && m.Get("raw_event_log").HasText() {
				return FormBundle, nil
			}
		}
	}
	names, err := dumpNames(dir)
	if err != nil {
		return FormNone, err
	}
	if len(names) > 0 {
		return FormDump, nil
	}
	return FormNone, nil
}

// sniffText looks at the names of the first object of a text. whole is false when the text
// breaks off in it.
func sniffText(r io.Reader) (form Form, whole bool) {
	w := newWalker(r, 0)
	c, err := w.peek()
	if err == nil && c == 0xef { // a byte order mark
		for range 3 {
			_, err = w.byte()
		}
		if err == nil {
			c, err = w.peek()
		}
	}
	if err != nil || c != '{' {
		return FormNone, err == nil
	}
	if w.open('{') != nil {
		return FormNone, false
	}
	seen := map[string]byte{}
	for first := true; ; first = false {
		name, ok, err := w.member(first)
		if !ok && err == nil {
			return formOf(seen), true
		}
		if err != nil {
			break
		}
		c, err := w.peek()
		if err != nil {
			break
		}
		seen[name] = c
		if w.skip() != nil {
			break
		}
	}
	return formOf(seen), false
}

// formOf tells the form from the members of a file, each with the first byte of its value.
func formOf(seen map[string]byte) Form {
	_, payload := seen["payload"]
	_, method := seen["method"]
	_, address := seen["url"]
	_, instructions := seen["instructions"]
	_, tools := seen["tools"]
	switch {
	case seen["log"] == '{':
		return FormHAR
	case payload: // a rollout
		return FormNone
	case method && address:
		return FormBody
	case seen["input"] == '[':
		return FormBody
	case seen["model"] == '"' && (instructions || tools):
		return FormBody
	}
	return FormNone
}
