package main

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// commonFlags stand on every command; the first format is the default.
func commonFlags(formats ...string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Usage: "output `FORMAT`: " + strings.Join(formats, ", "), Value: formats[0],
			Action: func(_ *cli.Context, v string) error {
				if !slices.Contains(formats, v) {
					return usageError("--format %q: want %s", v, strings.Join(formats, ", "))
				}
				return nil
			}},
		&cli.StringFlag{Name: "color", Usage: "colour the output: auto, always or never `WHEN` (NO_COLOR is obeyed)", Value: "auto",
			Action: func(_ *cli.Context, v string) error {
				if !slices.Contains([]string{"auto", "always", "never"}, v) {
					return usageError("--color %q: want auto, always or never", v)
				}
				return nil
			}},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no warnings on standard error"},
		&cli.BoolFlag{Name: "strict", Usage: "a file with lines that Codex would not accept is an error (exit 3)"},
	}
}

// readingFlags stand on every command that replays.
func readingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "profile", Usage: "reader and estimator of a `DATE` (2025-09 to newest)", Value: "newest"},
		&cli.StringSliceFlag{Name: "base", Usage: "`FILE` that a fork's history_base names (repeatable)"},
	}
}

func atFlag() cli.Flag {
	return &cli.StringFlag{Name: "at", Usage: "the `POINT`: end, line:N, turn:ID, compaction:K:before, compaction:K:after", Value: "end"}
}

func outputLimitFlag() cli.Flag {
	return &cli.Uint64Flag{Name: "tool-output-token-limit", Usage: "the model's limit for a tool output, in tokens `N`", DefaultText: "no limit"}
}

func jobsFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "jobs", Usage: "work on `N` cores", Value: runtime.GOMAXPROCS(0), DefaultText: "all"},
		&cli.BoolFlag{Name: "no-progress", Usage: "no progress on standard error"},
	}
}

// color says whether to colour standard output.
func (a *app) color(c *cli.Context) bool {
	switch c.String("color") {
	case "always":
		return true
	case "never":
		return false
	}
	return a.outTTY && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"
}

// profile reads --profile: a month or a day, or newest.
func profile(c *cli.Context) (time.Time, error) {
	v := c.String("profile")
	if v == "" || v == "newest" {
		return time.Time{}, nil
	}
	for _, layout := range []string{"2006-01-02", "2006-01"} {
		if t, err := time.Parse(layout, v); err == nil {
			if t.Before(time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC)) {
				return t, usageError("--profile %s: the oldest reader that is known is 2025-09", v)
			}
			return t, nil
		}
	}
	return time.Time{}, usageError("--profile %q: want YYYY-MM, YYYY-MM-DD or newest", v)
}

func acceptOptions(date time.Time) []accept.Option {
	if date.IsZero() {
		return nil
	}
	return []accept.Option{accept.WithProfile(accept.Profile(date.Format("2006-01-02")))}
}

// oneFile is the single PATH of a command.
func oneFile(c *cli.Context) (string, error) {
	if c.NArg() != 1 {
		return "", usageError("%s needs one FILE, got %d; see %s --help", commandName(c), c.NArg(), c.Command.HelpName)
	}
	return c.Args().First(), nil
}

// commandName is the command with its parents, without the program's name.
func commandName(c *cli.Context) string {
	return strings.TrimPrefix(c.Command.HelpName, "rollout-tool ")
}

// session is one rollout opened by a command that replays.
type session struct {
	*history.Rollout
	src   *parse.Source
	path  string
	est   tokens.Estimator
	close func()
}

// open loads path for replay and says on standard error what a user should know.
func (a *app) open(c *cli.Context, path string) (*session, error) {
	date, err := profile(c)
	if err != nil {
		return nil, err
	}
	src, err := parse.Open(path, a.stdin)
	if err != nil {
		return nil, unreadable(err)
	}
	opt := history.Options{
		Workers: runtime.GOMAXPROCS(0),
		Accept:  acceptOptions(date),
		FindBase: func(id uuid.UUID) (*parse.Source, error) {
			return findBase(path, c.StringSlice("base"), id)
		},
	}
	if c.IsSet("tool-output-token-limit") {
		n := c.Uint64("tool-output-token-limit")
		opt.ToolOutputLimit = &n
	}
	r, err := history.Load(src, opt)
	if err != nil {
		src.Close()
		return nil, unreadable(fmt.Errorf("%s: %w", path, err))
	}
	s := &session{Rollout: r, src: src, path: path, est: tokens.ForProfile(date)}
	s.close = func() { r.Close(); src.Close() }
	for _, w := range r.Warnings() {
		a.warn(c, "%s: %s", path, w)
	}
	if r.Rejected() > 0 && c.Bool("strict") {
		s.close()
		return nil, unreadable(fmt.Errorf("%s: %d lines are not accepted (--strict)", path, r.Rejected()))
	}
	return s, nil
}

// readFailure is the error of a stream that broke off: what was read has been shown.
func (s *session) readFailure() error {
	if err := s.ReadError(); err != nil {
		return unreadable(fmt.Errorf("%s: after line %d: %w", s.path, s.Lines(), err))
	}
	return nil
}

func findBase(near string, named []string, id uuid.UUID) (*parse.Source, error) {
	path, err := parse.MatchBase(named, id)
	if err != nil {
		return nil, err
	}
	if path == "" {
		if near == parse.Stdin {
			near = "."
		}
		if path, err = parse.FindRollout(near, id); err != nil {
			return nil, err
		}
	}
	return parse.Open(path, nil)
}

// point reads --at.
func point(c *cli.Context, flag string) (history.Point, error) {
	p, err := history.ParsePoint(c.String(flag))
	if err != nil {
		return p, usageError("--%s: %w", flag, err)
	}
	return p, nil
}

// modalities reads --modalities.
func modalities(c *cli.Context) (history.Modalities, error) {
	m, err := history.ParseModalities(c.String("modalities"))
	if err != nil {
		return m, usageError("--modalities %w", err)
	}
	return m, nil
}

func modalitiesFlag() cli.Flag {
	return &cli.StringFlag{Name: "modalities", Usage: "what the model takes: a `LIST` of text, image, audio", Value: "text,image,audio"}
}

// lineRange reads A:B, A:, :B or A.
func lineRange(v string) (from, to int, err error) {
	a, b, colon := strings.Cut(v, ":")
	from, to = 1, int(^uint(0)>>1)
	if a != "" {
		if from, err = strconv.Atoi(a); err != nil || from < 1 {
			return 0, 0, usageError("--line %q: want A:B, A:, :B or A", v)
		}
		if !colon {
			to = from
		}
	}
	if b != "" {
		if to, err = strconv.Atoi(b); err != nil || to < from {
			return 0, 0, usageError("--line %q: want A:B with A up to B", v)
		}
	}
	if a == "" && b == "" {
		return 0, 0, usageError("--line %q: want A:B, A:, :B or A", v)
	}
	return from, to, nil
}
