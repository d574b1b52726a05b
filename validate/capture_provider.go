package validate

import (
	"net/url"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// What Codex sends to Amazon Bedrock (compaction.md 8).
const (
	bedrockAgentHeader = "x-amzn-mantle-client-agent"
	bedrockAgent       = "codex"
	responsesPath      = "/v1/responses"
)

// providerRule compares the requests of a thread as the provider sees them: model,
// address, key.
type providerRule struct {
	threads map[string]*provider
}

// provider is what a thread has shown.
type provider struct {
	bedrock bool
	model   string // that a compaction has asked, "" for none
	turn    string // of that compaction
}

func newProviderRule() *providerRule { return &providerRule{threads: map[string]*provider{}} }

func (*providerRule) end(*captureSink) {}

func (r *providerRule) take(e *capture.Exchange, out *captureSink) {
	t := r.threads[e.Thread]
	if t == nil {
		t = &provider{}
		r.threads[e.Thread] = t
	}
	agent, hasAgent := e.Request.Headers.Get(bedrockAgentHeader)
	if u, err := url.Parse(e.Request.URL); err == nil && strings.Contains(u.Hostname(), "bedrock") || hasAgent {
		t.bedrock = true
	}
	if t.bedrock && e.Request.HasHeaders {
		if !strings.HasSuffix(strings.TrimSuffix(e.Request.Path, "/"), responsesPath) {
			out.at(e, "X050", "", "the request goes to "+quote(e.Request.Path)+", Bedrock is asked at "+responsesPath)
		}
		if agent != bedrockAgent {
			out.at(e, "X051", "/headers/"+bedrockAgentHeader, "the header "+bedrockAgentHeader+" is "+quote(agent)+", not "+quote(bedrockAgent))
		}
		key, _ := e.Request.Headers.Get("authorization")
		if scheme, _, _ := strings.Cut(key, " "); !strings.EqualFold(scheme, "bearer") && key != capture.Redacted {
			out.at(e, "X052", "/headers/authorization", "the request has no bearer key")
		}
	}
	t.compareModel(e, out)
}

// compareModel: a turn goes on with the model that its compaction has asked, but where the
// models are the reason for it (compaction.md 1.9 rule 9).
func (t *provider) compareModel(e *capture.Exchange, out *captureSink) {
	model := e.Request.Body.Text("model")
	switch roleOf(e) {
	case roleCompaction:
		c, _ := jsonraw.SplitObject(e.Request.Metadata().Get("compaction"))
		t.model, t.turn = model, e.Turn
		if reason := c.Text("reason"); reason == "model_downshift" || reason == "comp_hash_changed" {
			t.model = ""
		}
	case roleTurn:
		if e.Turn != "" && t.turn == e.Turn && t.model != "" && model != "" && model != t.model {
			out.at(e, "X053", "/body/model", "the turn asks model "+quote(model)+", its compaction "+quote(t.model))
		}
		t.model = ""
	}
}
