//go:build !unix

package main

func ignoreBrokenPipe() {}
