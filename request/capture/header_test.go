package capture

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Of a secret nothing is kept but what tells it from another one.
func TestSecretsAreToldApart(t *testing.T) {
	list := func(value string) Header {
		hs, ok := headerList(jsonraw.Value(`[{"name":"Authorization","value":"` + value + `"}]`))
		if !ok || len(hs) != 1 {
			t.Fatal("no header")
		}
		return hs[0]
	}
	one, again, two, gone := list("Bearer one"), list("Bearer one"), list("Bearer two"), list("Bearer [REDACTED]")
	for name, h := range map[string]Header{"one": one, "two": two, "gone": gone} {
		if h.Value != "Bearer [REDACTED]" || strings.Contains(string(h.sum[:]), "one") {
			t.Errorf("%s: %q", name, h.Value)
		}
	}
	for _, c := range []struct {
		a, b        Header
		same, known bool
	}{{one, again, true, true}, {one, two, false, true}} {
		if same, known := c.a.SameSecret(c.b); same != c.same || known != c.known {
			t.Errorf("same %v, known %v", same, known)
		}
	}
	if _, known := one.SameSecret(gone); known {
		t.Error("a secret that was redacted before is known")
	}
}
