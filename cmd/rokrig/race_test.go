//go:build race

package main

// raceDetector tells whether the race detector watches the test and the commands that it starts.
const raceDetector = true
