// Package peers measures other tools beside the rig: Csmith with gcc, which looks for differences between compilers of C,
// and C-Vise, which reduces any text.
//
// In: what to measure and for how long. Out: results in the Go benchmark format.
// Invariants: what is compared with each other is measured in one run on one machine, by turns; both sides of a pair get
// the same time on the wall and the same number of workers; CPU time counts every process that a tool started and waited
// for; both reducers start from the same bytes and keep the same signature. A program counts as compared when every one of
// its runs ended within the limits.
package peers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"rokrig/fuzz/campaign"
	"rokrig/internal/version"
)

// Options says what Run measures.
type Options struct {
	Seed    uint64
	Turn    time.Duration // on the wall, for one turn of one tool that compares
	Turns   int           // of each
	Limit   time.Duration // on the wall, for a reduction by C-Vise
	Rokrig  string        // the program that C-Vise asks about a candidate
	Include string        // where csmith.h is; "": where Debian has it
	Note    func(string)  // told what is measured next; may be nil
}

// Names of the benchmarks, without Benchmark.
const (
	CsmithName   = "Peers/compare/csmith"
	CampaignName = "Peers/compare/rokrig"
	CViseName    = "Peers/reduce/cvise"
	ReduceName   = "Peers/reduce/rokrig"
)

// Units of the results.
const (
	ProgramsUnit   = "programs/cpu-s"
	LinesUnit      = "lines/program"
	StatementsUnit = "statements/program" // that were executed, once
	LimitUnit      = "over-limit"         // programs, of which a run or a compilation reached its limit
	DiffersUnit    = "differences"
	ComparedUnit   = "compared"

	WallUnit   = "s"
	CPUUnit    = "cpu-s"
	TriesUnit  = "tries"
	BeforeUnit = "lines-before"
	AfterUnit  = "lines-after" // as the compiler prints the program
	BytesUnit  = "bytes-after" // as it was left
	CutUnit    = "cut-off"     // 1 if the limit ended it
)

// packages are what Debian calls the tools.
const packages = "csmith libcsmith-dev cvise"

// defaultInclude is where Debian's libcsmith-dev has its header.
const defaultInclude = "/usr/include/csmith"

// ErrMissing is the error for tools that are not there.
var ErrMissing = errors.New("install the Debian packages " + packages)

// Missing says what is lacking of the tools that are measured; nil for nothing.
func (o Options) Missing() error {
	var lacking []string
	for _, name := range []string{"gcc", "csmith", "cvise"} {
		if _, err := exec.LookPath(name); err != nil {
			lacking = append(lacking, name)
		}
	}
	if _, err := os.Stat(o.include() + "/csmith.h"); err != nil {
		lacking = append(lacking, o.include()+"/csmith.h")
	}
	if len(lacking) == 0 {
		return nil
	}
	return fmt.Errorf("%s lacking: %w", strings.Join(lacking, ", "), ErrMissing)
}

func (o Options) include() string {
	if o.Include != "" {
		return o.Include
	}
	return defaultInclude
}

// Run measures and writes the Go benchmark format: a line for every turn, and one for each reducer. Errors: missing tools;
// the environment's; ctx cancelled.
func Run(ctx context.Context, o Options, w io.Writer) error {
	if o.Turns < 1 || o.Turn <= 0 || o.Limit <= 0 {
		return errors.New("peers: turns, their time and the limit must be positive")
	}
	if err := o.Missing(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "rokrig-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := o.head(ctx, w); err != nil {
		return err
	}
	if err := o.compare(ctx, dir, w); err != nil {
		return err
	}
	return o.reduce(ctx, dir, w)
}

func (o Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

// head writes where the results come from.
func (o Options) head(ctx context.Context, w io.Writer) error {
	_, err := fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: rokrig\nrevision: %s\nseed: %d\n", runtime.GOOS, runtime.GOARCH, version.Revision(), o.Seed)
	for _, tool := range []string{"csmith", "gcc", "cvise"} {
		out, toolErr := exec.CommandContext(ctx, tool, "--version").Output()
		if toolErr != nil {
			return fmt.Errorf("%s --version: %w", tool, toolErr)
		}
		line, _, _ := strings.Cut(string(out), "\n")
		_, lineErr := fmt.Fprintf(w, "%s: %s\n", tool, line)
		err = errors.Join(err, lineErr)
	}
	return err
}

// compare lets Csmith and a campaign take turns, one worker each. They start in turns too.
func (o Options) compare(ctx context.Context, dir string, w io.Writer) error {
	theirs := &csmith{dir: dir, include: o.include(), seed: o.Seed}
	ours := &turns{seed: o.Seed}
	for turn := range o.Turns {
		sides := []func(context.Context, time.Duration, io.Writer) error{theirs.turn, ours.turn}
		if turn%2 == 1 {
			sides[0], sides[1] = sides[1], sides[0]
		}
		o.note("comparing, turn %d of %d", turn+1, o.Turns)
		for _, side := range sides {
			if err := side(ctx, o.Turn, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// turns are campaigns that go on, each with the programs behind those of the one before.
type turns struct {
	seed, next uint64
}

func (t *turns) turn(ctx context.Context, d time.Duration, w io.Writer) error {
	s, err := campaign.Run(ctx, campaign.Options{Seed: t.seed, First: t.next, For: d, Jobs: 1, Profile: "peers"})
	switch {
	case err != nil:
		return err
	case s.Interrupted:
		return context.Canceled
	case s.Compared == 0:
		return errors.New("peers: a turn was too short to compare a program")
	}
	t.next += uint64(s.Programs)
	n := float64(s.Compared)
	_, err = fmt.Fprintf(w, "Benchmark%s %d %.4f %s %.1f %s %.0f %s %d %s %d %s %d %s\n", CampaignName, s.Compared, s.RatePerCore, ProgramsUnit,
		float64(s.Lines)/n, LinesUnit, float64(s.Statements)/n, StatementsUnit, s.Timeouts, LimitUnit, s.Differences, DiffersUnit, s.Compared, ComparedUnit)
	return err
}
