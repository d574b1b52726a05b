package validate

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// CaptureOptions says how a capture is validated.
type CaptureOptions struct {
	// Rollout is the session that the capture belongs to, nil for none. It is read twice.
	Rollout *parse.Source
}

// Capture validates captured requests against the contract of compaction (design:
// captured requests; compaction.md 6 to 8). path is what the user calls the capture. emit
// gets findings request by request; those about the capture as a whole come last. The
// error is that of input that cannot be read; what a reader could not make out is a finding.
func (v *Validator) Capture(path string, r *capture.Reader, opt CaptureOptions, emit func(Finding)) (File, error) {
	file := File{Path: path, Generation: parse.GenerationAny.String()}
	out := &captureSink{root: path, emit: emit}
	rules := captureRules()
	if opt.Rollout != nil {
		p, err := v.newCaptureBeside(opt.Rollout)
		if err != nil {
			return file, err
		}
		defer p.close()
		rules = append(rules, p)
	}
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return file, err
		}
		file.Requests++
		file.Bytes += int64(len(e.Request.Body.Raw))
		for _, p := range e.Problems {
			out.problem(p)
		}
		for _, rule := range rules {
			rule.take(e, out)
		}
	}
	for _, rule := range rules {
		rule.end(out)
	}
	for _, p := range r.Problems() {
		if p.Exchange < 0 {
			out.problem(p)
		}
	}
	if file.Requests == 0 && len(r.Problems()) == 0 { // a problem says why there is none
		emit(Finding{Code: "X006", Message: "the capture has no request: nothing was checked"})
	}
	return file, nil
}

// A captureRule sees the exchanges of a capture in order. It must not keep one: a body can
// be as long as memory allows.
type captureRule interface {
	take(e *capture.Exchange, out *captureSink)
	end(out *captureSink)
}

func captureRules() []captureRule {
	return []captureRule{
		triggerRule{}, sidecarRule{}, &metaRule{}, newStateRule(), newFlowRule(), newItemsRule(), newProviderRule(),
	}
}

// captureSink takes findings about exchanges.
type captureSink struct {
	root string
	emit func(Finding)
}

// at reports a finding in a request. pointer is below /headers or /body of the request, or
// below /response, or "".
func (s *captureSink) at(e *capture.Exchange, code, pointer, message string) {
	place := e.Request.Place
	if strings.HasPrefix(pointer, responsePointer) && e.Response.Place.File != "" {
		place = e.Response.Place
	}
	s.emit(Finding{
		Code: code, Message: message, Pointer: pointer, Offset: place.Offset, File: s.below(place.File),
		Request: e.Index, HasRequest: true, Key: recordKey(e.Request.Body.Raw),
	})
}

// responsePointer is the pointer to the answer of an exchange.
const responsePointer = "/response"

// input is the pointer to item i of the input, or of the whole body when a frame before
// has sent it.
func inputPointer(e *capture.Exchange, i int) string {
	if p, ok := e.Request.ItemPointer(i); ok {
		return "/body" + p
	}
	return "/body"
}

// below is the name of a file in the folder that is the capture, "" for the capture itself.
func (s *captureSink) below(file string) string {
	rel, err := filepath.Rel(s.root, file)
	if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// problemCodes are the codes of what could not be read.
var problemCodes = [...]string{
	capture.ProblemCut: "X001", capture.ProblemPair: "X002", capture.ProblemPayload: "X003",
	capture.ProblemBody: "X004", capture.ProblemPrevious: "X005",
}

func (s *captureSink) problem(p capture.Problem) {
	s.emit(Finding{
		Code: problemCodes[p.Kind], Message: p.Message, Pointer: p.Place.Pointer, Offset: p.Place.Offset,
		File: s.below(p.Place.File), Request: max(p.Exchange, 0), HasRequest: p.Exchange >= 0,
	})
}

// role is what a request is for, as far as it says.
type role uint8

const (
	roleTurn       role = iota // a turn, a warm-up, or not known
	roleCompaction             // a remote compaction of the newest kind: ends in a trigger
	roleOther                  // another way of compacting, memory
)

// roleOf goes by request_kind, and by the trigger where there is none.
func roleOf(e *capture.Exchange) role {
	meta := e.Request.Metadata()
	switch meta.Text("request_kind") {
	case capture.KindCompaction:
		c, _ := jsonraw.SplitObject(meta.Get("compaction"))
		switch c.Text("implementation") {
		case "responses", "responses_compact":
			return roleOther
		}
		if strings.HasSuffix(e.Request.Path, "/compact") {
			return roleOther
		}
		return roleCompaction
	case "":
		if strings.HasSuffix(e.Request.Path, "/compact") {
			return roleOther
		}
		if len(e.Request.Triggers()) > 0 {
			return roleCompaction
		}
	case capture.KindMemory:
		return roleOther
	}
	return roleTurn
}

// triggerRule: exactly one trigger, last, and only in compaction requests.
type triggerRule struct{}

func (triggerRule) take(e *capture.Exchange, out *captureSink) {
	if !e.Request.Known() {
		return
	}
	at := e.Request.Triggers()
	kind := e.Request.Metadata().Text("request_kind")
	switch compacting := roleOf(e) == roleCompaction; {
	case len(at) == 0 && compacting:
		out.at(e, "X010", "/body/input", "the request is a compaction and its input has no compaction_trigger")
	case len(at) == 0:
	case !compacting:
		if kind == "" || kind == capture.KindCompaction {
			kind = "compaction of another implementation"
		}
		out.at(e, "X013", inputPointer(e, at[0]), "the input has a compaction_trigger and the request is a "+clip(kind))
	case len(at) > 1:
		out.at(e, "X012", inputPointer(e, at[1]), "the input has "+itoa(len(at))+" compaction_trigger items")
	case at[0] != len(e.Request.Input)-1:
		out.at(e, "X011", inputPointer(e, at[0]), "the compaction_trigger is item "+itoa(at[0])+" of "+itoa(len(e.Request.Input))+", not the last")
	}
}

func (triggerRule) end(*captureSink) {}

// sidecarRule: sidecars never leave (compaction.md 6.3 rule 1).
type sidecarRule struct{}

func (sidecarRule) take(e *capture.Exchange, out *captureSink) {
	for _, name := range [...]string{"replacement_history", "replacement_history_metadata"} {
		if e.Request.Body.Get(name) != nil {
			out.at(e, "X014", "/body/"+name, "the body has a member "+name)
		}
	}
	for i := e.Request.Own; i < len(e.Request.Input); i++ {
		for _, name := range [...]string{"metadata", "replacement_history_metadata"} {
			if e.Request.Input[i].Fields.Get(name) != nil {
				out.at(e, "X014", inputPointer(e, i)+"/"+name, "item "+itoa(i)+" of the input has a member "+name)
			}
		}
	}
}

func (sidecarRule) end(*captureSink) {}
