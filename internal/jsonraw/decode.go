package jsonraw

import "encoding/json"

// Decode turns v into the Go values that a query language needs: map[string]any,
// []any, string, json.Number, bool and nil. Numbers stay literals, of duplicate
// keys the last one wins. It is for reading only; nothing is written back from it.
func Decode(v Value) (any, error) {
	switch v.Kind() {
	case KindObject:
		o, err := ParseObject(v)
		if err != nil {
			return nil, err
		}
		out := make(map[string]any, len(o.Members))
		for _, m := range o.lastWins() {
			if out[m.Name], err = Decode(m.Value); err != nil {
				return nil, err
			}
		}
		return out, nil
	case KindArray:
		elems, err := Elements(v)
		if err != nil {
			return nil, err
		}
		out := make([]any, len(elems))
		for i, e := range elems {
			if out[i], err = Decode(e); err != nil {
				return nil, err
			}
		}
		return out, nil
	case KindString:
		return string(v.Unquoted()), nil
	case KindTrue, KindFalse:
		return v.Bool(), nil
	case KindNumber:
		return json.Number(v), nil
	}
	return nil, nil
}
