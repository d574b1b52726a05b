package rewrite

import (
	"errors"
	"io"
	"sync"

	"github.com/rollout-tool/rollout-tool/parse"
)

// virtual is a source whose text is made anew for each pass. A pass can only go forward,
// so the reader that was closed last is kept: whoever wants to read on behind the place
// where it stands goes on with it instead of from the start. Readers of a rollout move
// from checkpoint to checkpoint, which this turns into one pass.
func virtual(path string, make func(io.Writer) error) *parse.Source {
	return parse.NewSource(path, &virtualText{make: make})
}

type virtualText struct {
	make func(io.Writer) error
	mu   sync.Mutex
	idle *running
}

// running is a pass under way.
type running struct {
	pipe *io.PipeReader
	at   int64 // bytes read so far
}

// ReadFrom starts a pass, or goes on with the idle one.
func (v *virtualText) ReadFrom(offset int64) (io.ReadCloser, error) {
	v.mu.Lock()
	r := v.idle
	v.idle = nil
	v.mu.Unlock()
	if r != nil && r.at > offset {
		r.pipe.Close()
		r = nil
	}
	if r == nil {
		pr, pw := io.Pipe()
		r = &running{pipe: pr}
		go func() { pw.CloseWithError(v.make(pw)) }()
	}
	n, err := io.CopyN(io.Discard, r.pipe, offset-r.at)
	r.at += n
	if err != nil && !errors.Is(err, io.EOF) {
		r.pipe.Close()
		return nil, err
	}
	return &virtualPass{v, r}, nil
}

// Close ends the idle pass.
func (v *virtualText) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.idle != nil {
		v.idle.pipe.Close()
		v.idle = nil
	}
	return nil
}

// virtualPass is one reader's turn with a running pass.
type virtualPass struct {
	text *virtualText
	*running
}

func (p *virtualPass) Read(b []byte) (int, error) {
	n, err := p.pipe.Read(b)
	p.at += int64(n)
	return n, err
}

func (p *virtualPass) Close() error {
	p.text.mu.Lock()
	old := p.text.idle
	p.text.idle = p.running
	p.text.mu.Unlock()
	if old != nil {
		old.pipe.Close()
	}
	return nil
}
