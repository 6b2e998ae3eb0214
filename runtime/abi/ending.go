package abi

// Ending says how a program's run came to its end. The numbers are shared with
// the C side of the runner.
type Ending int

// The runtime itself brings about the first group. The second is only seen
// from outside, by the runner.
const (
	Returned      Ending = iota // rok_main returned
	Panicked                    // a panic of the language
	Misaligned                  // a helper was called with a misaligned stack
	CheckFailed                 // the check build refused an argument
	StackOverflow               // the guard below the stack was touched
	WriteFailed                 // standard output could not be written (executables)
	OutputLimit                 // more output than allowed (runner)

	Timeout        // more CPU time than allowed
	Signal         // a fault: SIGSEGV, SIGFPE, SIGILL, ...
	SentinelBroken // rok_main returned with a register it had to preserve changed
	Died           // the process ended in a way it could not report
)

// EndingInfo is one row of the table of endings.
type EndingInfo struct {
	Name   string // C macro without its prefix, in lower case with dashes
	Status int    // exit status of an executable; -1: it does not end itself so
}

// Endings is indexed by Ending.
var Endings = [...]EndingInfo{
	Returned:       {"returned", StatusOK},
	Panicked:       {"panicked", StatusPanic},
	Misaligned:     {"misaligned", StatusMisaligned},
	CheckFailed:    {"check-failed", StatusCheckFailed},
	StackOverflow:  {"stack-overflow", StatusStackOverflow},
	WriteFailed:    {"write-failed", StatusWriteFailed},
	OutputLimit:    {"output-limit", -1},
	Timeout:        {"timeout", -1},
	Signal:         {"signal", -1},
	SentinelBroken: {"sentinel-broken", -1},
	Died:           {"died", -1},
}

func (e Ending) String() string { return Endings[e].Name }

// Exit statuses of a compiled program.
const (
	StatusOK            = 0
	StatusError         = 1 // an error left main
	StatusMisaligned    = 70
	StatusStackOverflow = 71
	StatusCheckFailed   = 72
	StatusSetup         = 73 // the program could not be started (no memory for its stack)
	StatusWriteFailed   = 74
	StatusPanic         = 101
)
