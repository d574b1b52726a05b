package validate

import (
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// replaying is a validator that replays to each compaction, whatever is known of it.
func replaying(workers int) *Validator {
	v := newTestValidator(workers)
	for i := range v.rules {
		if v.rules[i].name == "retention" {
			v.rules[i].history = func() historyRule { return retention{&live{}} }
		}
	}
	return v
}

// counting is a validator that tells which compactions its last file needed no replay for.
func counting(workers int) (*Validator, func() int) {
	v := newTestValidator(workers)
	var last *live
	for i := range v.rules {
		if v.rules[i].name == "retention" {
			ask := v.rules[i].history
			v.rules[i].history = func() historyRule {
				h := ask()
				last = h.(retention).live
				return h
			}
		}
	}
	return v, func() int {
		n := 0
		if last != nil {
			for _, k := range last.found {
				if k.sound {
					n++
				}
			}
		}
		last = nil
		return n
	}
}

// What is known without a replay is what a replay finds.
func TestLiveAgreesWithReplay(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	quick, sound := counting(2)
	slow := replaying(2)
	dir, all, rounds := t.TempDir(), 0, 300
	if testing.Short() {
		rounds = 60
	}
	for i := range rounds {
		path := filepath.Join(dir, "session.jsonl")
		if err := os.WriteFile(path, []byte(strings.Join(randomSession(random), "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, got := validateFile(t, quick, path)
		all += sound()
		_, want := validateFile(t, slow, path)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("session %d (-replayed +live):\n%s", i, d)
		}
	}
	if all < rounds*2/3 {
		t.Errorf("only %d checkpoints of %d sessions were sound without a replay", all, rounds)
	}
}

func TestLiveAgreesOnFixtures(t *testing.T) {
	quick, sound := counting(2)
	slow := replaying(2)
	all := 0
	err := filepath.WalkDir("../fixtures", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" {
			return err
		}
		_, got := validateFile(t, quick, path)
		all += sound()
		_, want := validateFile(t, slow, path)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-replayed +live):\n%s", path, d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if all == 0 {
		t.Error("no checkpoint was sound without a replay")
	}
}

// randomSession mixes turns, checkpoints that keep what they must or not quite, local
// compactions and rollbacks.
func randomSession(random *rand.Rand) []string {
	lines := []string{metaLine("")}
	if random.Intn(2) == 0 {
		lines[0] = metaLine(`,"history_mode":"paginated"`)
	}
	var kept []string // what a checkpoint has to keep
	pick := func(of ...string) string { return of[random.Intn(len(of))] }
	turn := 0
	for range 5 + random.Intn(40) {
		words := fmt.Sprintf("question %d %s", random.Intn(20), strings.Repeat("word ", random.Intn(500)))
		switch random.Intn(14) {
		case 0, 1, 2:
			turn++
			lines = append(lines, startLine(fmt.Sprint("t", turn)), itemLine(userItem(words)))
			kept = append(kept, userItem(words))
		case 3:
			lines = append(lines, itemLine(userItem(environmentText)))
		case 4:
			lines = append(lines, itemLine(agentItem))
			kept = append(kept, agentItem)
		case 5:
			lines = append(lines, itemLine(pick(developerItem(noticeText), reasoningItem, clientTool, developerItem("d"), `{"type":"ghost_snapshot"}`)))
		case 6:
			lines = append(lines, itemWith(pick(clientTool, developerItem("d"), developerItem(noticeText)), `{"client_authored":true}`))
		case 7:
			lines = append(lines, completeLine(fmt.Sprint("t", turn)))
		case 8:
			if random.Intn(3) == 0 {
				lines = append(lines, rollbackLine(random.Intn(3)))
			}
		case 9:
			if random.Intn(3) == 0 {
				lines = append(lines, recordLine("compacted", `{"message":"`+pick("", "sum")+`"}`))
			}
		case 10, 11:
			if random.Intn(4) == 0 && len(kept) > 0 {
				kept = kept[1:]
			}
			items := append(append([]string{}, kept...), summaryItem)
			if random.Intn(6) == 0 {
				items = append(items, pick(userItem("goal"), `{"type":"ghost_snapshot"}`, developerItem(noticeText)))
			}
			more := pick("", `,"window_number":1`, `,"resume_metadata":{},"window_number":1`, `,"resume_metadata":{}`, `,"replacement_history_metadata":null`)
			lines = append(lines, compactedOn(pick(newDay, newDay, newDay, betweenDay, endpointDay), more, items...))
		default:
			lines = append(lines, itemLine(assistantItem(words)))
		}
	}
	return lines
}
