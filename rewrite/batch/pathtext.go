package batch

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"
)

// pathText is a path in JSON: a string, or where it is no UTF-8 an object with its bytes
// in base64. A name with other bytes must not become one with replacement characters.
type pathText string

// MarshalJSON writes it.
func (p pathText) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return json.Marshal(string(p))
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString([]byte(p))})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *pathText) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*p = pathText(s)
		return nil
	}
	var o struct {
		Base64 []byte `json:"base64"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	*p = pathText(o.Base64)
	return nil
}
