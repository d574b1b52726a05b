package validate

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// imageKey identifies an image by its URL as written.
type imageKey struct {
	sum  uint64
	size int
}

// imageDefect is what is wrong with an image; the zero value for nothing.
type imageDefect struct{ code, message string }

// imageCheck looks at images. Checkpoints repeat them, so it remembers which it has
// seen, by their sums alone.
type imageCheck struct {
	seed  maphash.Seed
	known map[imageKey]imageDefect
}

// of is the defect of the image at a URL.
func (c *imageCheck) of(url jsonraw.Value) imageDefect {
	key := imageKey{maphash.Bytes(c.seed, url), len(url)}
	d, seen := c.known[key]
	if !seen {
		d = checkImage(url.Unquoted())
		c.known[key] = d
	}
	return d
}

// ImageDefect is the code of what is wrong with the image of a URL, "" for nothing: I020
// to I028. It reads an inline image to its end.
func ImageDefect(url []byte) string { return checkImage(url).code }

func checkImage(url []byte) imageDefect {
	switch scheme := schemeOf(url); {
	case len(url) == 0:
		return imageDefect{"I020", "image_url is empty"}
	case scheme == "http", scheme == "https":
		return imageDefect{"I027", "the image is at a web address: " + clip(string(url))}
	case scheme != "data":
		return imageDefect{"I028", "image_url is neither a data URL nor a web address: " + clip(string(url))}
	}
	media, payload, isBase64 := tokens.DataURL(url)
	if !isBase64 {
		media, _, _ = bytes.Cut(url[len("data:"):], []byte(","))
		media, _, _ = bytes.Cut(media, []byte(";"))
	}
	typ := strings.ToLower(string(media))
	format, supported := imageFormat(typ)
	switch {
	case !strings.HasPrefix(typ, "image/"):
		return imageDefect{"I021", fmt.Sprintf("the media type of the data URL is %q, not that of an image", clip(string(media)))}
	case !supported:
		return imageDefect{"I022", fmt.Sprintf("the media type %q is not supported: PNG, JPEG, GIF and WebP are", clip(string(media)))}
	case !isBase64:
		return imageDefect{"I023", "the data URL is not marked as base64"}
	}
	return checkPayload(typ, format, payload)
}

func checkPayload(typ, format string, payload []byte) imageDefect {
	found, state := tokens.CheckImage(payload)
	switch {
	case state == tokens.ImageBase64:
		return imageDefect{"I023", "the data of the image is not strict base64"}
	case state == tokens.ImageUnknown:
		if markup := markupOf(payload); markup != "" {
			return imageDefect{"I025", "the data URL says " + typ + ", but holds " + markup}
		}
		return imageDefect{"I026", "the data URL says " + typ + ", but holds no known image"}
	case state == tokens.ImageDamaged:
		return imageDefect{"I026", "the " + found + " image is cut off or damaged"}
	case found != format:
		return imageDefect{"I024", "the data URL says " + typ + ", but holds a " + found + " image"}
	}
	return imageDefect{}
}

// imageFormat is the format of a media type that the server takes.
func imageFormat(typ string) (string, bool) {
	switch typ {
	case "image/png":
		return tokens.FormatPNG, true
	case "image/jpeg", "image/jpg":
		return tokens.FormatJPEG, true
	case "image/gif":
		return tokens.FormatGIF, true
	case "image/webp":
		return tokens.FormatWebP, true
	}
	return "", false
}

// schemeOf is the scheme of a URL in lower case, "" when there is none.
func schemeOf(url []byte) string {
	const longest = len("https")
	i := bytes.IndexByte(url[:min(len(url), longest+1)], ':')
	if i < 0 {
		return ""
	}
	return strings.ToLower(string(url[:i]))
}

// markupOf names the markup that a payload in strict base64 starts with, "" for none.
func markupOf(payload []byte) string {
	const looked = 684 // characters, 513 bytes: behind a comment and a declaration
	var buf [looked / 4 * 3]byte
	n, _ := base64.StdEncoding.Decode(buf[:], payload[:min(len(payload), looked)])
	text := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(buf[:n], []byte("\xef\xbb\xbf")), " \t\r\n"))
	switch {
	case !bytes.HasPrefix(text, []byte("<")):
		return ""
	case bytes.Contains(text, []byte("<svg")):
		return "SVG"
	case bytes.HasPrefix(text, []byte("<!doctype html")), bytes.HasPrefix(text, []byte("<html")):
		return "HTML"
	}
	return "markup"
}
