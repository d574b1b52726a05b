package validate

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// imageCopies says how often an image is stored.
type imageCopies struct {
	n     int
	first int // line
}

// storedBytes is the size of a checkpoint.
type storedBytes struct {
	k    int // compaction, from 1
	size int64
}

// bloat adds up. It grows with distinct images and with compactions.
type bloat struct {
	bytes  int64
	images map[imageKey]*imageCopies
	second Looked // the first line with an image that was there before

	compactions int
	checkpoints []storedBytes
	first       Looked // checkpoint
	withImages  Looked // the first checkpoint with images
	inImages    int64  // bytes of images in checkpoints

	ghosts     total
	ghostBytes int64

	outputs      int
	outputTokens int64
	largest      Looked
	largestSize  int64
}

func (b *bloat) Take(l *Looked, note any, out *sink) {
	b.bytes = l.Offset + l.Size
	if l.Size > maxMigrated+1 { // the newline does not count
		out.At(l, "B001", "", fmt.Sprintf("the record has %s", mib(l.Size)))
	}
	if l.Verdict == accept.Dropped {
		b.ghosts.add(l, 1)
		b.ghostBytes += l.Size
	}
	if isAccepted(l) && l.Type == parse.RecordCompacted {
		b.compactions++
	}
	n, ok := note.(*bloatNote)
	if !ok {
		return
	}
	b.addImages(l, n)
	if n.checkpoint {
		if b.checkpoints == nil {
			b.first = placeOf(l)
		}
		b.checkpoints = append(b.checkpoints, storedBytes{b.compactions, l.Size})
	}
	if n.ghosts > 0 {
		b.ghosts.add(l, 1)
		b.ghostBytes += n.ghosts
	}
	if n.output > 0 {
		b.outputs++
		b.outputTokens += n.output
		if n.output > b.largestSize {
			b.largest, b.largestSize = placeOf(l), n.output
		}
	}
}

func (b *bloat) addImages(l *Looked, n *bloatNote) {
	for _, key := range n.images {
		if n.checkpoint {
			if b.inImages == 0 {
				b.withImages = placeOf(l)
			}
			b.inImages += int64(key.size)
		}
		c := b.images[key]
		if c == nil {
			b.images[key] = &imageCopies{1, l.Number}
			continue
		}
		if c.n++; b.second.Number == 0 {
			b.second = placeOf(l)
		}
	}
}

func (b *bloat) End(f *fileView, out *sink) {
	if b.bytes > maxString {
		out.File("B002", fmt.Sprintf("the file has %s", mib(b.bytes)))
	}
	b.reportImages(out)
	b.reportCheckpoints(f, out)
	if b.ghostBytes >= worthwhile {
		out.At(&b.ghosts.first, "B013", "", fmt.Sprintf("ghost snapshots on %d lines take %s, the first here", b.ghosts.n, mib(b.ghostBytes)))
	}
	switch {
	case b.outputs == 1:
		out.At(&b.largest, "B014", "/payload/output", fmt.Sprintf("the output has %d tokens", b.largestSize))
	case b.outputs > 1:
		out.At(&b.largest, "B014", "/payload/output",
			fmt.Sprintf("%d outputs have more than %d tokens, %d in all; the largest, here, has %d", b.outputs, maxOutput, b.outputTokens, b.largestSize))
	}
}

// reportImages says what copies of images take.
func (b *bloat) reportImages(out *sink) {
	var many, copies int
	var wasted, size int64
	most := imageCopies{}
	for key, c := range b.images {
		if c.n <= usualCopies {
			continue
		}
		many++
		copies += c.n
		wasted += int64(c.n-1) * int64(key.size)
		if c.n > most.n || c.n == most.n && c.first < most.first {
			most, size = *c, int64(key.size)
		}
	}
	if wasted < worthwhile {
		return
	}
	out.At(&b.second, "B011", "", fmt.Sprintf("images stored more than %d times: %d, %d times in all, the copies take %s; the one of line %d (%s) is stored %d times",
		usualCopies, many, copies, mib(wasted), most.first, mib(size), most.n))
}

// reportCheckpoints says what checkpoints take.
func (b *bloat) reportCheckpoints(f *fileView, out *sink) {
	var all, superseded int64
	older := 0
	base := 0
	if f.Rollout != nil {
		base = f.Rollout.BaseOf(f.Rollout.Lines())
	}
	for _, c := range b.checkpoints {
		all += c.size
		if c.k != base {
			older++
			superseded += c.size
		}
	}
	if b.inImages >= worthwhile && b.inImages*100 >= all*imageShare {
		out.At(&b.withImages, "B010", historyPointer, fmt.Sprintf("%s of the %s in checkpoints (%d %%) are images", mib(b.inImages), mib(all), b.inImages*100/all))
	}
	if superseded >= worthwhile {
		out.At(&b.first, "B012", "", fmt.Sprintf("%d of %d checkpoints no longer count and take %s", older, len(b.checkpoints), mib(superseded)))
	}
}

// mib writes a number of bytes in MiB.
func mib(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
