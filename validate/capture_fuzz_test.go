package validate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rollout-tool/rollout-tool/request/capture"
)

// FuzzCapture: whatever a capture has in it, it is judged; every finding is of the registry
// and names a request that is there.
func FuzzCapture(f *testing.F) {
	for _, pattern := range []string{"X*/*.har", "X005*/*.json"} {
		paths, _ := filepath.Glob(filepath.Join(invalidDir, pattern))
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	known, v := NewRegistry(), New(Options{Workers: 1})
	path := filepath.Join(f.TempDir(), "capture")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := capture.Open(path)
		if err != nil {
			return
		}
		defer r.Close()
		most := -1
		file, err := v.Capture(path, r, CaptureOptions{}, func(found Finding) {
			if _, ok := known[found.Code]; !ok || found.Message == "" {
				t.Errorf("%s: %q", found.Code, found.Message)
			}
			if found.HasRequest {
				most = max(most, found.Request)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if most >= file.Requests {
			t.Errorf("a finding in request %d of %d", most, file.Requests)
		}
	})
}
