package main

import (
	"os"
	"os/signal"
)

func main() {
	ignoreBrokenPipe()
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		os.Exit(exitInterrupted)
	}()
	os.Exit(newApp().run(os.Args[1:]))
}
