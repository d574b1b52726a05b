package compaction

import "time"

// Constants taken from Codex. Sources are sections of compaction.md.
const (
	// DefaultBudget is what the retained items may cost, in tokens (3.2).
	DefaultBudget = 64_000
	// maxAgentTokens is the estimate above which an agent message is not retained
	// (3.1 rule 2).
	maxAgentTokens = 10_000

	// trimmedOutput replaces a tool output that is trimmed (2.3).
	trimmedOutput = "Output exceeded the available model context and was truncated"

	// First lines of the first part of agent messages that are not retained (3.1
	// rule 2).
	finalAnswerHeader = "Message Type: FINAL_ANSWER\n"
	messageHeader     = "Message Type: MESSAGE\n"
	channelPostHeader = "Message Type: CHANNEL_POST\n"

	// closeImageTag ends the label around an image (3.3).
	closeImageTag = "</image>"
)

// generation names what changed in Codex's compaction path on a day (0.1). The days
// are those of the upstream merges, in UTC.
type generation struct {
	name string
	from time.Time
}

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// generations are in the order of time. C3 has no day of its own: it lies between
// snapshot [A] and C4.
func generations() []generation {
	return []generation{
		{"C0", time.Time{}}, // local only
		{"C1", remoteV1()},
		{"C2", remoteV2()},
		{"C2a", rewritesOutputs()},
		{"C2b", day(2026, 6, 10)}, // window_id is a number
		{"C2c", day(2026, 6, 18)}, // window ids, item ids
		{"C2d", retainsAgents()},
		{"C2e", attachesNotices()},
		{"C2f", hasSidecars()},
		{"C2g", dropsProgress()},
		{"C2h", chargesImages()},
		{"C4", retainsClientOutputs()},
	}
}

// remoteV1: compaction by the /responses/compact endpoint.
func remoteV1() time.Time { return day(2025, 11, 18) }

// remoteV2: by an ordinary request; user messages are retained within the budget.
func remoteV2() time.Time { return day(2026, 5, 4) }

// rewritesOutputs: trailing outputs are rewritten; before, the last item was deleted.
func rewritesOutputs() time.Time { return day(2026, 6, 3) }

// retainsAgents: agent messages are retained, up to maxAgentTokens.
func retainsAgents() time.Time { return day(2026, 7, 30) }

// attachesNotices: an image resize notice stays with its source.
func attachesNotices() time.Time { return day(2026, 8, 4) }

// hasSidecars: items have metadata, client developer messages can be retained. The
// change came in steps up to 2026-08-13; this is the first.
func hasSidecars() time.Time { return day(2026, 8, 10) }

// dropsProgress: progress messages of descendants are not retained.
func dropsProgress() time.Time { return day(2026, 8, 18) }

// dropsChannelPosts: neither are channel posts; seen after snapshot [A].
func dropsChannelPosts() time.Time { return day(2026, 8, 22) }

// chargesImages: images count against the budget (about this day).
func chargesImages() time.Time { return day(2026, 8, 23) }

// retainsClientOutputs: client-authored tool outputs can be retained. Its day is not
// known; any day after the image budget counts.
func retainsClientOutputs() time.Time { return day(2026, 8, 24) }
