package main

import (
	"os"
	"os/signal"
)

func main() {
	ignoreBrokenPipe()
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	a := newApp()
	go func() {
		<-interrupted
		if a.orderly.Load() {
			<-interrupted // the second one does not wait
		}
		os.Exit(exitInterrupted)
	}()
	os.Exit(a.run(os.Args[1:]))
}
