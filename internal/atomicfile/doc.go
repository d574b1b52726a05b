// Package atomicfile writes files whole or not at all: a temporary file beside the
// target, flushed to the disk, put in its place by one rename.
//
// Input: a target path and bytes. Output: the file, or an error and no file. A killed
// process leaves at most a temporary file of a known name, which the next writer of the
// same target takes over; two writers of one target exclude each other.
//
// Allowed imports: gofrs/flock, golang.org/x/sys, the standard library.
package atomicfile
