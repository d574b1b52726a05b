package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// docCommand is a command line that a text tells the reader to run.
type docCommand struct {
	where string // file:line, or whose help
	line  string
	code  int // from a comment `# exit N`, else 0
}

var exitComment = regexp.MustCompile(`\s+#\s*exit (\d+)\b.*$`)

// parseDocCommand reads a line of a shell block: ours are `rollout-tool ...` and
// `go run ./cmd/rollout-tool ...`, after `$ ` or not. Others (make, go install) are
// not run.
func parseDocCommand(where, line string) (docCommand, bool) {
	line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
	c := docCommand{where: where}
	if m := exitComment.FindStringSubmatch(line); m != nil {
		c.code, _ = strconv.Atoi(m[1])
		line = line[:len(line)-len(m[0])]
	}
	line = strings.ReplaceAll(line, "go run ./cmd/rollout-tool", "rollout-tool")
	c.line = strings.TrimSpace(line)
	first, _, _ := strings.Cut(c.line, " ")
	piped := slices.ContainsFunc(strings.Split(c.line, "|"), func(part string) bool {
		return strings.HasPrefix(strings.TrimSpace(part), "rollout-tool ")
	})
	return c, first == "rollout-tool" || piped && first != "#"
}

// fencedCommands lists the commands in the sh and console blocks of a Markdown text.
// In a console block only lines that start with "$ " are commands; a line that ends
// in a backslash goes on in the next.
func fencedCommands(path, text string) []docCommand {
	var out []docCommand
	block, whole := "", ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r ")
		if fence, ok := strings.CutPrefix(strings.TrimSpace(line), "```"); ok {
			if block != "" {
				block = ""
			} else if block = fence; block == "" {
				block = "none"
			}
			continue
		}
		if whole == "" && block == "console" && !strings.HasPrefix(strings.TrimSpace(line), "$ ") {
			continue
		}
		if block != "sh" && block != "console" {
			continue
		}
		if head, more := strings.CutSuffix(line, `\`); more {
			whole += head + " "
			continue
		}
		if c, ok := parseDocCommand(fmt.Sprintf("%s:%d", path, i+1), whole+line); ok {
			out = append(out, c)
		}
		whole = ""
	}
	return out
}

// helpCommands lists the examples in the help of every command.
func helpCommands(cmds []*cli.Command, name string) []docCommand {
	var out []docCommand
	for _, cmd := range cmds {
		full := name + " " + cmd.Name
		out = append(out, helpCommands(cmd.Subcommands, full)...)
		_, examples, _ := strings.Cut(cmd.Description, "Examples:\n")
		for line := range strings.Lines(examples) {
			if c, ok := parseDocCommand("the help of"+full, line); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// words splits a command line as a shell does, as far as our texts go: quotes,
// comments, no variables, no patterns.
func words(line string) ([]string, error) {
	var out []string
	word, inWord, quote := "", false, rune(0)
scan:
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == '#' && !inWord:
			break scan // a comment
		case r == ' ' || r == '\t':
			if inWord {
				out = append(out, word)
			}
			word, inWord = "", false
		case strings.ContainsRune("|&;<>$`\\*?()", r):
			return nil, fmt.Errorf("%q needs a shell", r)
		default:
			word, inWord = word+string(r), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote is not closed")
	}
	if inWord {
		out = append(out, word)
	}
	return out, nil
}

// Every command that a text shows works, from the module's root. A text that writes files
// has a copy of the root to itself.
func TestDocumentedCommands(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	cmds := helpCommands(newApp().cli(nil).Commands, "")
	if len(cmds) < 10 {
		t.Errorf("%d examples in the helps: the search for them is broken", len(cmds))
	}
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, filepath.Join(root, "README.md"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(root, file)
		cmds = append(cmds, fencedCommands(filepath.ToSlash(rel), string(text))...)
	}
	bin := t.TempDir()
	selfAs(t, bin, "rollout-tool")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	copies := map[string]string{} // by text
	for _, c := range cmds {
		text, _, _ := strings.Cut(c.where, ":")
		writes := strings.Contains(c.line, "rewrite") || strings.Contains(c.line, "--output ")
		if writes && copies[text] == "" {
			copies[text] = copyOfRoot(t, root)
		}
	}
	for _, c := range cmds {
		t.Run(strings.ReplaceAll(c.where, "/", "_"), func(t *testing.T) {
			text, _, _ := strings.Cut(c.where, ":")
			t.Chdir(cmp.Or(copies[text], root))
			args, err := words(c.line)
			if err != nil {
				c.runInShell(t)
				return
			}
			if r := runTool(strings.NewReader(""), args[1:]...); r.code != c.code {
				t.Errorf("%s\nexit code %d, want %d\n%s", c.line, r.code, c.code, r.stderr)
			} else if r.code == exitOK && r.stdout == "" {
				t.Errorf("%s\nshows nothing", c.line)
			}
		})
	}
}

// A link that is called like an operation leads to the page of that operation.
func TestLinksToOperations(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	link := regexp.MustCompile(`\[([a-z-]+)\]\(([^)#]+)`)
	for _, name := range []string{"repair", "migrate", "align", "trim"} {
		text, err := os.ReadFile(filepath.Join(docs, "rewrite-"+name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			page := "rewrite-" + m[1] + ".md"
			if _, err := os.Stat(filepath.Join(docs, page)); err == nil && m[2] != page {
				t.Errorf("rewrite-%s.md: %s leads to %s, not %s", name, m[1], m[2], page)
			}
		}
	}
}

// copyOfRoot copies what commands in texts name.
func copyOfRoot(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"fixtures", "docs", "schema"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runInShell runs a pipeline; it fails when one of its commands does.
func (c docCommand) runInShell(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if runtime.GOOS == "windows" || err != nil {
		t.Skip("a pipeline, and no shell to run it")
	}
	for _, part := range strings.FieldsFunc(c.line, func(r rune) bool { return r == '|' || r == ';' || r == '&' }) {
		name, _, _ := strings.Cut(strings.TrimSpace(part), " ")
		if _, err := exec.LookPath(name); err != nil && name != "" {
			t.Skipf("%s is not installed", name)
		}
	}
	cmd := exec.Command(shell, "-o", "pipefail", "-c", c.line)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != c.code {
		t.Errorf("%s\nexit code %d, want %d\n%s", c.line, code, c.code, stderr.String())
	} else if code == exitOK && len(out) == 0 && !strings.Contains(c.line, ">") {
		t.Errorf("%s\nshows nothing", c.line)
	}
}

func TestFindingDocumentedCommands(t *testing.T) {
	const text = "# T\n\n    rollout-tool indented\n\n```sh\nmake demo\nrollout-tool a 'b c'\n$ rollout-tool d # exit 2\n" +
		"go run ./cmd/rollout-tool e \\\n  --f\n# rollout-tool commented\ncat x | rollout-tool tokens - # counts\n```\n" +
		"```console\n$ rollout-tool g\nrollout-tool output\n```\n```\nrollout-tool plain\n```\n```json\nrollout-tool json\n```\n"
	got := fencedCommands("x.md", text)
	want := []docCommand{
		{"x.md:7", "rollout-tool a 'b c'", 0}, {"x.md:8", "rollout-tool d", 2}, {"x.md:10", "rollout-tool e    --f", 0},
		{"x.md:12", "cat x | rollout-tool tokens - # counts", 0}, {"x.md:15", "rollout-tool g", 0},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
	args, err := words(`rollout-tool a 'b c' "d'e" f''g#h "" # i | j`)
	if err != nil || !slices.Equal(args, []string{"rollout-tool", "a", "b c", "d'e", "fg#h", ""}) {
		t.Errorf("%q, %v", args, err)
	}
	if _, err := words("a | b"); err == nil {
		t.Error("a pipeline was split into words")
	}
}

// The help of every command names its flags and comes in full on standard output.
func TestHelpOfEveryCommand(t *testing.T) {
	var walk func(cmds []*cli.Command, path []string)
	walk = func(cmds []*cli.Command, path []string) {
		for _, cmd := range cmds {
			full := append(slices.Clone(path), cmd.Name)
			r := runTool(nil, append(full, "--help")...)
			if r.code != exitOK || r.stderr != "" || !strings.Contains(r.stdout, cmd.Usage) {
				t.Errorf("%v --help: exit code %d, %s%s", full, r.code, r.stdout, r.stderr)
			}
			for _, f := range cmd.Flags {
				if !strings.Contains(r.stdout, "--"+f.Names()[0]) {
					t.Errorf("%v --help does not name --%s", full, f.Names()[0])
				}
			}
			lines := bufio.NewScanner(strings.NewReader(r.stdout))
			for lines.Scan() {
				if strings.Contains(lines.Text(), "`") {
					t.Errorf("%v --help: an odd quote: %s", full, lines.Text())
				}
			}
			walk(cmd.Subcommands, full)
		}
	}
	walk(newApp().cli(nil).Commands, nil)
}
