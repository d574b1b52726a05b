// Package pipeline runs work on a few goroutines and gives the results out in the
// order of the input.
//
// Allowed imports: the standard library.
package pipeline
