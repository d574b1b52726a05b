package tokens

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestRule26Audio(t *testing.T) {
	wav := func(format uint16, rate uint32, frame uint16, size uint32) string {
		return dataURL("audio/wav", wavFile(format, rate, frame, size, make([]byte, 2)))
	}
	pcm := wav(wavPCM, 8000, 1, 2401)
	urlCost := func(url string) int64 { return int64(len(url)+3) / 4 }
	as := func(media string) string { return strings.Replace(pcm, "audio/wav", media, 1) }
	tests := []struct {
		name, url string
		want      int64
	}{
		{"2401 frames at 8 kHz, 0.300125 s", pcm, 4},
		{"exactly 0.1 s", wav(wavPCM, 8000, 1, 800), 1},
		{"a frame over 0.1 s", wav(wavPCM, 8000, 1, 801), 2},
		{"one frame", wav(wavPCM, 44_100, 4, 4), 1},
		{"half a frame", wav(wavPCM, 44_100, 4, 3), 0},
		{"empty", wav(wavPCM, 8000, 2, 0), 0},
		{"1.1 s of 16-bit stereo", wav(wavPCM, 48_000, 4, 48_000*4*11/10), 11},
		{"float", wav(wavFloat, 48_000, 4, 48_000*4), 10},
		{"extensible", wav(wavExtensible, 48_000, 2, 48_000*2), 10},
		{"longest", wav(wavPCM, 1, 1, math.MaxUint32-1), (math.MaxUint32 - 1) * 10},
		{"x-wav", as("audio/x-wav"), 4},
		{"wave", as("Audio/WAVE"), 4},
		{"vnd.wave", as("audio/vnd.wave"), 4},
		{"WAV under another known type", as("audio/mpeg"), 4},
		{"parameters", as("audio/wav;codecs=1"), 4},

		{"unknown type", as("audio/flac"), urlCost(as("audio/flac"))},
		{"no audio type", as("image/wav"), urlCost(as("image/wav"))},
		{"ADPCM", wav(2, 8000, 1, 800), urlCost(pcm)},
		{"no rate", wav(wavPCM, 0, 1, 800), urlCost(pcm)},
		{"no frame size", wav(wavPCM, 8000, 0, 800), urlCost(pcm)},
		{"unknown length", wav(wavPCM, 8000, 1, math.MaxUint32), urlCost(pcm)},
		{"remote", "https://e/a.mp3", 4},
		{"no WAV", "data:audio/wav;base64,Zm9v", 7},
		{"no base64", "data:audio/wav,Zm9v", 5},
		{"cut base64", pcm[:len(pcm)-1], urlCost(pcm[:len(pcm)-1])},
		{"cut in the headers", dataURL("audio/wav", wavFile(wavPCM, 8000, 1, 8, nil)[:40]), urlCost(dataURL("audio/wav", make([]byte, 40)))},
		{"data before format", dataURL("audio/wav", []byte("RIFF\x00\x00\x00\x00WAVEdata\x08\x00\x00\x0012345678")), urlCost(dataURL("audio/wav", make([]byte, 28)))},
		{"empty URL", "", 0},
	}
	for _, tt := range tests {
		p := viewPart(fmt.Sprintf(`{"type":"input_audio","audio_url":%q}`, tt.url))
		if got := AudioTokens(p); got != tt.want {
			t.Errorf("%s: %d tokens, want %d", tt.name, got, tt.want)
		}
		if got := AudioBytes(p); got != 4*tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, 4*tt.want)
		}
	}
	if got := AudioTokens(viewPart(`{"type":"input_text","text":"x","audio_url":"abcd"}`)); got != 0 {
		t.Errorf("a text has %d audio tokens, want 0", got)
	}
}
