package capture

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// dumpName is the name of a file of responses-api-proxy --dump-dir (compaction.md 7).
var dumpName = regexp.MustCompile(`^(\d{6,})-(\d+)-(request|response)\.json$`)

const (
	dumpRequest  = "request"
	dumpResponse = "response"
)

// dump is a folder of requests and responses.
type dump struct {
	r     *Reader
	pairs []dumpPair
}

// dumpPair are the two files of an exchange; a path is "" when the file is missing.
type dumpPair struct {
	sequence, millis  int64
	request, response string
}

// dumpNames are the names in a folder that a dump has.
func dumpNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && dumpName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// dumpFile says which half of an exchange a path is, and the path of the other half.
func dumpFile(path string) (kind, other string, ok bool) {
	m := dumpName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return "", "", false
	}
	half := map[string]string{dumpRequest: dumpResponse, dumpResponse: dumpRequest}[m[3]]
	return m[3], strings.TrimSuffix(path, m[3]+".json") + half + ".json", true
}

func openDump(dir string, r *Reader) (*dump, error) {
	names, err := dumpNames(dir)
	if err != nil {
		return nil, err
	}
	pairs := map[string]*dumpPair{}
	for _, name := range names {
		m := dumpName.FindStringSubmatch(name)
		key := m[1] + "-" + m[2]
		p := pairs[key]
		if p == nil {
			p = &dumpPair{}
			p.sequence, _ = strconv.ParseInt(m[1], 10, 64)
			p.millis, _ = strconv.ParseInt(m[2], 10, 64)
			pairs[key] = p
		}
		if m[3] == dumpRequest {
			p.request = filepath.Join(dir, name)
		} else {
			p.response = filepath.Join(dir, name)
		}
	}
	d := &dump{r: r}
	for _, p := range pairs {
		d.pairs = append(d.pairs, *p)
	}
	// The proxy numbers requests from 1 each time it is started: time tells runs apart.
	slices.SortFunc(d.pairs, func(a, b dumpPair) int {
		return cmp.Or(cmp.Compare(a.millis, b.millis), cmp.Compare(a.sequence, b.sequence))
	})
	return d, nil
}

func (d *dump) next(e *Exchange) error {
	if len(d.pairs) == 0 {
		return io.EOF
	}
	p := d.pairs[0]
	d.pairs = d.pairs[1:]
	return d.read(e, p)
}

func (d *dump) read(e *Exchange, p dumpPair) error {
	if p.millis > 0 {
		e.Time = time.UnixMilli(p.millis).UTC()
	}
	e.Request.Place.File, e.Response.Place.File = p.request, p.response
	switch {
	case p.request == "":
		e.Request.Place.File = p.response
		d.r.note(e, ProblemPair, e.Request.Place, "the request of this response is not in the folder")
	default:
		o, err := d.object(e, e.Request.Place)
		if err != nil {
			return err
		}
		if o.Raw != nil {
			d.r.takeDumpedRequest(e, o)
		}
	}
	if p.response == "" {
		d.r.note(e, ProblemPair, Place{File: e.Request.Place.File}, "the response of this request is not in the folder: it was not answered, or the proxy was stopped")
		return nil
	}
	o, err := d.object(e, e.Response.Place)
	if err != nil || o.Raw == nil {
		return err
	}
	d.r.takeDumpedResponse(e, o)
	return nil
}

// object reads a file of the dump; one that is no JSON object is noted.
func (d *dump) object(e *Exchange, at Place) (jsonraw.Object, error) {
	text, err := os.ReadFile(at.File)
	if err != nil {
		return jsonraw.Object{}, err
	}
	o, err := jsonraw.ParseObject(trimJSON(text))
	if err == nil {
		return o, nil
	}
	var s *jsonraw.SyntaxError
	if errors.As(err, &s) {
		at.Offset = int64(s.Offset)
	}
	d.r.note(e, ProblemCut, at, "the file is no JSON object: "+err.Error())
	return jsonraw.Object{}, nil
}

// dumped parses a request that the proxy has dumped, told by its members.
func dumped(text []byte) (jsonraw.Object, bool) {
	o, err := jsonraw.ParseObject(trimJSON(text))
	if err != nil || o.Get("method") == nil || o.Get("url") == nil {
		return o, false
	}
	return o, true
}

func (r *Reader) takeDumpedRequest(e *Exchange, o jsonraw.Object) {
	req := &e.Request
	req.Method = o.Text("method")
	req.URL, req.Path = cleanURL(o.Text("url"))
	req.Headers, req.HasHeaders = headerList(o.Get("headers"))
	req.Place.Pointer = "/body"
	req.Place.Offset = offsetIn(o.Raw, o.Get("body"))
	body, err := r.dumpedBody(o.Get("body"))
	if err != nil {
		r.note(e, ProblemBody, req.Place, err.Error())
		return
	}
	r.setBody(e, body)
}

func (r *Reader) takeDumpedResponse(e *Exchange, o jsonraw.Object) {
	res := &e.Response
	res.Known = true
	status, _ := o.Get("status").Int64()
	res.Status = int(status)
	res.Headers, res.HasHeaders = headerList(o.Get("headers"))
	res.Place.Pointer = "/body"
	res.Place.Offset = offsetIn(o.Raw, o.Get("body"))
	body, err := r.dumpedBody(o.Get("body"))
	if err != nil {
		r.note(e, ProblemBody, res.Place, err.Error())
		return
	}
	r.takeBody(e, body)
}

// dumpedBody is a body in a dump: JSON as it is, anything else in a string.
func (r *Reader) dumpedBody(v jsonraw.Value) ([]byte, error) {
	if v.Kind() != jsonraw.KindString {
		return v, nil
	}
	return textBody(v.Unquoted(), false)
}

// headerList reads [{"name","value"}, ...]; false when v is no list.
func headerList(v jsonraw.Value) (Headers, bool) {
	list, ok := jsonraw.SplitArray(v)
	if !ok {
		return nil, false
	}
	out := make(Headers, 0, len(list))
	for _, e := range list {
		o, _ := jsonraw.SplitObject(e)
		name := o.Text("name")
		out = append(out, newHeader(name, o.Text("value")))
	}
	return out, true
}

func offsetIn(text, part []byte) int64 {
	off, _ := jsonraw.OffsetIn(text, part)
	return int64(off)
}
