// Package jsonraw gives exact access to JSON text without decoding it into Go
// values: spans of bytes, members in file order, number literals as written.
//
// It is the only package that imports the JSON library. Input and output are
// byte slices that alias the caller's buffer; nothing is copied unless a string
// has to be unescaped. Rules that hold throughout:
//
//   - keys are matched exactly (case, no folding);
//   - of duplicate keys the last one wins, at any depth;
//   - absent and null are different answers;
//   - numbers stay literals.
//
// Allowed imports: the standard library and github.com/go-json-experiment/json.
package jsonraw
