package history

import (
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// followBase puts the files that history_base names before the rollout's own
// (rule 15, format.md 1.9), recursively.
func (r *Rollout) followBase(meta jsonraw.Object) error {
	seen := map[uuid.UUID]bool{}
	for {
		raw := meta.Get("history_base")
		if raw.Missing() {
			return nil
		}
		base, err := jsonraw.ParseObject(raw)
		if err != nil {
			return err
		}
		id, err := uuid.Parse(base.Text("thread_id"))
		if err != nil {
			return fmt.Errorf("history_base: thread_id: %w", err)
		}
		if seen[id] {
			return fmt.Errorf("history_base: %w at rollout %s", ErrBaseCycle, id)
		}
		seen[id] = true
		end, ok := base.Get("end_byte_offset").Uint64()
		if !ok || end > 1<<62 {
			return fmt.Errorf("history_base: %w: end_byte_offset %s is no usable byte offset", ErrBaseOffset, base.Get("end_byte_offset"))
		}
		if meta, err = r.addBase(id, int64(end)); err != nil {
			return err
		}
	}
}

// What can be wrong with a history_base; BaseError wraps one of them or the error of
// reading the file.
var (
	ErrNoBase     = errors.New("no file with that rollout id was found")
	ErrBaseCycle  = errors.New("cycle detected")
	ErrBaseOffset = errors.New("bad cutoff")
)

// addBase indexes one ancestor and returns the payload of its first session_meta.
func (r *Rollout) addBase(id uuid.UUID, end int64) (jsonraw.Object, error) {
	fail := func(err error) (jsonraw.Object, error) {
		return jsonraw.Object{}, fmt.Errorf("history_base: rollout %s: %w", id, err)
	}
	if r.opt.FindBase == nil {
		return fail(ErrNoBase)
	}
	src, err := r.opt.FindBase(id)
	if err != nil {
		return fail(err)
	}
	r.opened = append(r.opened, src)
	x, err := indexFile(src, end, r.opt)
	if err != nil {
		return fail(err)
	}
	if x.readErr != nil {
		return fail(x.readErr)
	}
	if x.size < end {
		return fail(fmt.Errorf("%w: %s: cutoff byte offset %d is past the source rollout (%d bytes)", ErrBaseOffset, src.Path, end, x.size))
	}
	r.files = append([]*fileIndex{x}, r.files...)
	return r.firstMeta(x)
}
