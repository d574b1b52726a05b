package tokens

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/rollout-tool/rollout-tool/parse"
)

// AudioTokens is the cost of an input_audio part in tokens, 0 for other parts
// (rule 26): ten per second, rounded up, when the part is a data URL of a known
// audio type that holds PCM in a WAV container; the length of the URL otherwise.
// Codex knows the duration of further containers (U7).
func AudioTokens(p parse.Part) int64 {
	url := p.AudioURL()
	if url == nil {
		return 0
	}
	return audioURLTokens(url.Unquoted())
}

func audioURLTokens(url []byte) int64 {
	if n, ok := inlineAudioTokens(url); ok {
		return n
	}
	return FromBytes(int64(len(url)))
}

// AudioBytes is the cost of an input_audio part in bytes, a multiple of four.
func AudioBytes(p parse.Part) int64 { return bytesPerToken * AudioTokens(p) }

func inlineAudioTokens(url []byte) (int64, bool) {
	media, payload, ok := splitDataURL(url)
	if !ok || !isAudioType(media) {
		return 0, false
	}
	src, ok := newBase64Reader(payload)
	if !ok {
		return 0, false
	}
	frames, rate, ok := wavFrames(src)
	if !ok || !drain(src) {
		return 0, false
	}
	// frames comes from 32 bits, so the product cannot overflow.
	return int64((frames*audioTokensPerSecond + rate - 1) / rate), true
}

// Sample formats of a WAV file in which a frame has a fixed size.
const (
	wavPCM        = 1
	wavFloat      = 3
	wavExtensible = 0xfffe
)

// wavFormatTail ends the format GUID of an extensible WAV file whose first two
// bytes are one of the sample formats.
const wavFormatTail = "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"

// wavFrames reads the headers of a WAV file: how many frames its data chunk says
// it has, and frames per second. A data chunk of unknown length has no duration.
func wavFrames(r io.Reader) (frames, rate uint64, ok bool) {
	var b [12]byte
	if _, err := io.ReadFull(r, b[:]); err != nil || string(b[:4]) != "RIFF" || string(b[8:]) != "WAVE" {
		return 0, 0, false
	}
	var frame uint64
	for {
		if _, err := io.ReadFull(r, b[:8]); err != nil {
			return 0, 0, false
		}
		size := binary.LittleEndian.Uint32(b[4:8])
		switch string(b[:4]) {
		case "fmt ":
			if rate, frame, ok = wavFormat(r, size); !ok {
				return 0, 0, false
			}
			continue
		case "data":
			if frame == 0 || size == math.MaxUint32 {
				return 0, 0, false
			}
			return uint64(size) / frame, rate, true
		}
		if !skip(r, padded(size)) {
			return 0, 0, false
		}
	}
}

// wavFormat reads a format chunk of size bytes: frames per second and bytes per
// frame, neither of them 0.
func wavFormat(r io.Reader, size uint32) (rate, frame uint64, ok bool) {
	var b [40]byte
	n := min(size, uint32(len(b)))
	if n < 16 {
		return 0, 0, false
	}
	if _, err := io.ReadFull(r, b[:n]); err != nil {
		return 0, 0, false
	}
	format := binary.LittleEndian.Uint16(b[0:])
	if format == wavExtensible {
		if n < 40 || string(b[26:40]) != wavFormatTail {
			return 0, 0, false
		}
		format = binary.LittleEndian.Uint16(b[24:])
	}
	rate = uint64(binary.LittleEndian.Uint32(b[4:]))
	frame = uint64(binary.LittleEndian.Uint16(b[12:]))
	ok = (format == wavPCM || format == wavFloat) && rate != 0 && frame != 0
	return rate, frame, ok && skip(r, padded(size)-int64(n))
}

// padded is the length of a RIFF chunk with its padding byte.
func padded(size uint32) int64 { return int64(size) + int64(size&1) }

func skip(r io.Reader, n int64) bool {
	_, err := io.CopyN(io.Discard, r, n)
	return err == nil
}
