package batch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// member is a file of the batch and its place among the others.
type member struct {
	Input
	index    int // in the order of the inputs
	head     rewrite.Header
	headErr  error
	rollout  uuid.UUID
	children []*member // files of the batch whose history starts in this one
	parent   *member
}

// unit is one file, or files that point into each other, bases first.
type unit []*member

// rolloutID is the id under which other files name a rollout: that of its file name, else
// that of its session_meta (format.md 1.2, 1.9).
func rolloutID(path string, h rewrite.Header) uuid.UUID {
	if name, ok := parse.ParseFileName(path); ok && name.HasIDs {
		return name.Rollout
	}
	id, _ := uuid.Parse(h.Thread)
	return id
}

// units puts files that point into each other together. The order is that of the inputs.
func units(inputs []Input, checker *accept.Checker) []unit {
	members := make([]*member, len(inputs))
	byID := map[uuid.UUID]*member{}
	for i, in := range inputs {
		m := &member{Input: in, index: i}
		members[i] = m
		if len(inputs) == 1 {
			break // alone; its header is read when it is rewritten
		}
		m.head, m.headErr = headerOf(in.Path, checker)
		if m.rollout = rolloutID(in.Path, m.head); m.head.Paginated && m.rollout != uuid.Nil {
			byID[m.rollout] = m
		}
	}
	for _, m := range members {
		if b := m.head.Base; b != nil && byID[b.Rollout] != nil && byID[b.Rollout] != m {
			m.parent = byID[b.Rollout]
			m.parent.children = append(m.parent.children, m)
		}
	}
	var out []unit
	seen := map[*member]bool{}
	for _, m := range members {
		if seen[m] {
			continue
		}
		out = append(out, collect(rootOf(m), seen))
	}
	return out
}

// rootOf goes up to the oldest file; in a circle it stops where it began.
func rootOf(m *member) *member {
	for at, steps := m, 0; ; at, steps = at.parent, steps+1 {
		if at.parent == nil || at.parent == m || steps > 1<<20 {
			return at
		}
	}
}

// collect lists a file and all that point into it, bases first.
func collect(m *member, seen map[*member]bool) unit {
	if seen[m] {
		return nil
	}
	seen[m] = true
	u := unit{m}
	for _, c := range m.children {
		u = append(u, collect(c, seen)...)
	}
	return u
}

func headerOf(path string, checker *accept.Checker) (rewrite.Header, error) {
	if path == parse.Stdin {
		return rewrite.Header{}, nil
	}
	src, err := parse.Open(path, nil)
	if err != nil {
		return rewrite.Header{}, err
	}
	defer src.Close()
	return rewrite.ReadHeader(src, checker)
}

// pointers knows, for each home, which rollouts other files point into.
type pointers struct {
	checker *accept.Checker
	byRoot  map[string]map[uuid.UUID][]string
}

// to lists the files that point into a rollout: in its home's session trees, and in its
// own folder.
func (p *pointers) to(path string, id uuid.UUID) []string {
	roots := []string{filepath.Dir(path)}
	if home := parse.SessionsHome(path); home != "" {
		roots = parse.SessionTrees(home)
	}
	var out []string
	for _, root := range roots {
		out = append(out, p.in(root)[id]...)
	}
	return slices.DeleteFunc(out, func(s string) bool { return sameFile(s, path) })
}

func (p *pointers) in(root string) map[uuid.UUID][]string {
	if m, ok := p.byRoot[root]; ok {
		return m
	}
	m := map[uuid.UUID][]string{}
	if files, _, err := parse.Find([]string{root}); err == nil {
		for _, f := range files {
			if h, err := headerOf(f, p.checker); err == nil && h.Base != nil {
				m[h.Base.Rollout] = append(m[h.Base.Rollout], f)
			}
		}
	}
	if p.byRoot == nil {
		p.byRoot = map[string]map[uuid.UUID][]string{}
	}
	p.byRoot[root] = m
	return m
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// pinned refuses to move the bytes of a paginated file that something outside the unit
// points into.
func (b *batch) pinned(u unit, path string, h rewrite.Header) error {
	if !h.Paginated || b.opt.PreserveOffsets {
		return nil
	}
	const advice = "write to a new file (-o, --out-dir), or keep every line where it is (--preserve-offsets)"
	if home := parse.SessionsHome(path); home != "" {
		if db, _ := filepath.Glob(filepath.Join(home, "thread_history_*.sqlite")); len(db) > 0 {
			return rewrite.Refuse(fmt.Sprintf("a paginated file, whose byte offsets %s has noted", filepath.Base(db[0])), advice)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	others := b.pointers.to(path, rolloutID(path, h))
	outside := slices.DeleteFunc(others, func(f string) bool {
		return slices.ContainsFunc(u, func(x *member) bool { return x.Path == f || sameFile(x.Path, f) })
	})
	switch {
	case len(outside) > 0:
		return rewrite.Refuse(fmt.Sprintf("the history of %s starts in this file (history_base)%s", filepath.Base(outside[0]), andMore(len(outside)-1)),
			"rewrite the whole tree in one run, or "+advice)
	case len(u) > 1 && b.opt.Journal == "":
		return rewrite.Refuse("files that point into each other are changed together, which an interruption could leave half done", "give --journal FILE, or "+advice)
	}
	return nil
}

func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and that of %d more", n)
}
