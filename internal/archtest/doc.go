// Package archtest holds the tests of the source tree itself: which package may
// import which, what each package must have, how long a file may get. It has no
// code of its own.
//
// Input: the Go files of the module. Output: test failures.
//
// Allowed imports: the standard library.
package archtest
