package compaction

import (
	"time"

	"github.com/rollout-tool/rollout-tool/tokens"
)

// Profile is a generation of Codex's compaction path (compaction.md 0.1). The zero
// Profile is the newest. It only limits: a feature that a generation did not have
// stays off whatever the options say.
//
// Older generations are modelled by what each kept. How they wrote
// content_item_kinds, and when they injected context, is not.
type Profile struct{ date time.Time }

// ProfileFor is the profile of a Codex built on that day; the zero time gives the
// newest.
func ProfileFor(date time.Time) Profile { return Profile{date} }

// Name is the label of compaction.md 0.1, C0 to C4.
func (p Profile) Name() string {
	name := ""
	for _, g := range generations() {
		if p.since(g.from) {
			name = g.name
		}
	}
	return name
}

// Estimator is the generation of the item estimate that goes with the profile.
func (p Profile) Estimator() tokens.Estimator { return tokens.ForProfile(p.date) }

// Mode is the way that the profile compacts by default.
func (p Profile) Mode() Mode {
	switch {
	case p.since(remoteV2()):
		return RemoteV2
	case p.since(remoteV1()):
		return RemoteV1
	}
	return Local
}

func (p Profile) since(t time.Time) bool { return p.date.IsZero() || !p.date.Before(t) }

// Mode is a way of compacting.
type Mode uint8

// The modes.
const (
	RemoteV2 Mode = iota // a summary from an ordinary request, rules 35 to 43
	RemoteV1             // the /responses/compact endpoint, compaction.md 3.7
	Local                // a summary as a user message, rule 23
)
