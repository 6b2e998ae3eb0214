package campaign

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"rokrig/fuzz/feature"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
	"rokrig/internal/version"
)

// The state of a campaign is one file in its directory: which programs are done, and what was counted in them. It is
// replaced as a whole (written beside, synced, renamed), and a batch's programs and counts go into it together, behind
// the batch's findings. So a campaign that was killed at any moment goes on from a state in which every program is either
// done and counted or neither; a batch that is done again finds its findings stored under the same names.

// StateFile is the name of the state's file in a campaign's directory.
const StateFile = "campaign.json"

const lockFile = ".campaign.lock"

// StateSchema is the version of the state's file. It grows when a key changes its meaning or goes away.
const StateSchema = 1

// The state is saved every savePeriod, or less often where workers would wait for it more than one part in holdShare of
// the time, or the disk be busy with it more than one part in diskShare.
const (
	savePeriod = 250 * time.Millisecond
	holdShare  = 200
	diskShare  = 10
)

// stateStage is the time spent on writing down the state, while workers may have to wait.
const stateStage = "state"

// ResumeError says why a campaign cannot be resumed. Nothing was changed.
type ResumeError struct {
	Dir string
	Err error
}

func (e *ResumeError) Error() string { return fmt.Sprintf("%s cannot be resumed: %v", e.Dir, e.Err) }
func (e *ResumeError) Unwrap() error { return e.Err }

// Identity is what decides which programs a campaign makes and what it compares them on. Two campaigns with one identity
// do the same; one that is resumed keeps it.
type Identity struct {
	Seed       uint64   `json:"seed"`
	First      uint64   `json:"first"`
	Batch      int      `json:"batch"`
	Configs    []string `json:"configs"`
	Rotating   []string `json:"rotating"`
	ExeEvery   int64    `json:"exe_every"`
	CountEach  int64    `json:"count_each"`
	RejectEach int      `json:"reject_each"`
	Variants   int      `json:"variant_each"`
	Mutant     string   `json:"mutant"`
	Verify     bool     `json:"verify"`
	Profile    string   `json:"profile"`
	Build      string   `json:"build"` // of rokrig: its generator decides what a seed means
}

// identity is the Identity of complete options.
func (o *Options) identity() Identity {
	names := func(configs []subject.Config) []string {
		list := make([]string, len(configs))
		for i, c := range configs {
			list[i] = c.String()
		}
		return list
	}
	return Identity{o.Seed, o.First, o.Batch, names(o.Configs), names(o.Rotating), o.ExeEvery, o.CountEach, o.RejectEach, o.VariantEach, o.Mutant, o.Verify,
		o.Profile, buildName()}
}

// buildName names this build of rokrig: its revision, and the executable's own id where that says too little.
func buildName() string {
	name := version.Revision()
	if version.IsExact() {
		return name
	}
	if id := executableID(); id != "" {
		name += " " + id
	}
	return name
}

// executableID is the hash that the Go linker wrote into this executable, or "" if it did not.
func executableID() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := elf.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	note := f.Section(".note.go.buildid")
	if note == nil {
		return ""
	}
	data, err := note.Data()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// conflict says in what a campaign with identity other is another one than i's; nil if in nothing.
func (i *Identity) conflict(other *Identity) error {
	rows := []struct {
		what       string
		this, that any
	}{
		{"seed", i.Seed, other.Seed}, {"mutant", i.Mutant, other.Mutant}, {"profile", i.Profile, other.Profile},
		{"configurations", strings.Join(i.Configs, " "), strings.Join(other.Configs, " ")},
		{"configurations that take turns", strings.Join(i.Rotating, " "), strings.Join(other.Rotating, " ")},
		{"first program", i.First, other.First}, {"programs in a batch", i.Batch, other.Batch},
		{"programs for each that is linked by gcc", i.ExeEvery, other.ExeEvery},
		{"programs for each in which features are counted", i.CountEach, other.CountEach},
		{"programs for each that must be rejected", i.RejectEach, other.RejectEach},
		{"programs for each that is made of others", i.Variants, other.Variants},
		{"verifiers", i.Verify, other.Verify}, {"build of rokrig", i.Build, other.Build},
	}
	for _, r := range rows {
		if r.this != r.that {
			return fmt.Errorf("it is another campaign: %s: it has %q, this command asks for %q", r.what, fmt.Sprint(r.this), fmt.Sprint(r.that))
		}
	}
	return nil
}

// state is what is saved.
type state struct {
	Identity Identity `json:"identity"`
	Done     spans    `json:"done"`
	Summary  *Summary `json:"summary"` // of all programs in Done
	Long     int64    `json:"long"`    // programs of longLines or more
}

// envelope is the file: the state under its checksum.
type envelope struct {
	Schema int             `json:"schema"`
	Sum    string          `json:"sha256"`
	State  json.RawMessage `json:"state"`
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// readState reads a directory's state. Every error is a ResumeError.
func readState(dir string) (*state, error) {
	s, err := decodeState(filepath.Join(dir, StateFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("no campaign was started there: %w", err)
	}
	if err != nil {
		return nil, &ResumeError{dir, err}
	}
	return s, nil
}

func decodeState(path string) (*state, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var e envelope
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	if e.Schema != StateSchema {
		return nil, fmt.Errorf("%s: schema %d, this build reads %d", path, e.Schema, StateSchema)
	}
	if e.Sum != sumOf(e.State) {
		return nil, fmt.Errorf("%s is damaged: its checksum is another one", path)
	}
	s := state{Summary: newSummary()}
	if err := json.Unmarshal(e.State, &s); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	if s.Summary == nil || !s.Done.sound() {
		return nil, fmt.Errorf("%s is damaged: it does not say what is done", path)
	}
	return &s, nil
}

// ReadIdentity returns what a directory's campaign is. The error is a *ResumeError.
func ReadIdentity(dir string) (*Identity, error) {
	s, err := readState(dir)
	if err != nil {
		return nil, err
	}
	return &s.Identity, nil
}

// lock keeps a second campaign out of a directory for as long as this process lives or the file is open.
func lock(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("findings cannot be kept: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("findings cannot be kept: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: another campaign runs in this directory (%w)", dir, err)
	}
	return f, nil
}

// restore takes over the state that is on the disk.
func (c *campaign) restore() error {
	s, err := readState(c.opts.Dir)
	if err != nil {
		return err
	}
	if err := s.Identity.conflict(&c.identity); err != nil {
		return &ResumeError{c.opts.Dir, err}
	}
	if err := c.features.from(s.Summary); err != nil {
		return &ResumeError{c.opts.Dir, err}
	}
	c.summary, c.done, c.long, c.reached = s.Summary, s.Done, s.Long, s.Summary.MutantReached
	c.earlier, c.earlierCPU = seconds(s.Summary.Seconds), s.Summary.CPUSeconds
	c.summary.Resumed++
	for _, b := range s.Summary.Buckets {
		b.Path = ""
		if c.store.Has(b.ID) {
			if b.First, err = triage.Load(c.store.Path(b.ID)); err != nil {
				return &ResumeError{c.opts.Dir, err}
			}
			b.Path = c.store.Path(b.ID)
		}
		c.addBucket(&b)
	}
	c.summary.Buckets, c.summary.NeverRun = []Bucket{}, []string{}
	c.summary.Features, c.summary.FeatureCases = map[string]int64{}, map[string]int64{}
	c.programs.Store(c.summary.Programs)
	c.compared.Store(c.summary.Compared)
	return nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// from sets the counts to those of a summary.
func (f *featureCounts) from(s *Summary) error {
	f.grow()
	if len(s.Features) != feature.Count() {
		return fmt.Errorf("it counts %d features, this build %d", len(s.Features), feature.Count())
	}
	for i := range feature.Count() {
		name := feature.ID(i).String()
		f.executed[i], f.programs[i] = s.Features[name], s.FeatureCases[name]
	}
	return nil
}

// encode is the file of the state as it is at the moment.
func (c *campaign) encode() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := *c.summary
	s.Features, s.FeatureCases, s.NeverRun = map[string]int64{}, map[string]int64{}, []string{}
	c.features.into(&s)
	s.Seconds, s.CPUSeconds = (c.earlier + time.Since(c.start)).Seconds(), c.cpu()+c.programCPU.Seconds()
	s.MutantReached = c.reached
	s.Buckets = c.bucketList()
	data, err := json.Marshal(state{c.identity, c.done, &s, c.long})
	if err != nil {
		return nil, err
	}
	return json.Marshal(envelope{StateSchema, sumOf(data), data})
}

// save writes the state and returns when to write it again.
func (c *campaign) save() (pause time.Duration, err error) {
	start := time.Now()
	data, err := c.encode()
	held := time.Since(start)
	if err == nil {
		err = triage.WriteFile(filepath.Join(c.opts.Dir, StateFile), data)
	}
	if err != nil {
		return 0, fmt.Errorf("the campaign's state cannot be kept: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.summary.Stages[stateStage] += held.Seconds()
	return max(savePeriod, holdShare*held, diskShare*time.Since(start)), nil
}

// keep saves the state again and again until done is closed, and then once more.
func (c *campaign) keep(done <-chan struct{}) error {
	pause := savePeriod
	for {
		select {
		case <-done:
			_, err := c.save()
			return err
		case <-time.After(pause):
		}
		var err error
		if pause, err = c.save(); err != nil {
			return err
		}
	}
}

// span is the programs lo to hi-1.
type span struct{ lo, hi uint64 }

// spans are disjoint, not adjacent, and in order.
type spans []span

// MarshalJSON writes [[lo, hi], ...].
func (s spans) MarshalJSON() ([]byte, error) {
	list := make([][2]uint64, len(s))
	for i, x := range s {
		list[i] = [2]uint64{x.lo, x.hi}
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *spans) UnmarshalJSON(data []byte) error {
	var list [][2]uint64
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*s = make(spans, len(list))
	for i, x := range list {
		(*s)[i] = span{x[0], x[1]}
	}
	return nil
}

// sound reports whether the invariant holds.
func (s spans) sound() bool {
	for i, x := range s {
		if x.lo >= x.hi || i > 0 && x.lo <= s[i-1].hi {
			return false
		}
	}
	return true
}

// add returns s with lo to hi-1, none of which it has.
func (s spans) add(lo, hi uint64) spans {
	at, _ := slices.BinarySearchFunc(s, lo, func(x span, lo uint64) int {
		if x.lo < lo {
			return -1
		}
		return 1
	})
	before := at > 0 && s[at-1].hi == lo
	behind := at < len(s) && s[at].lo == hi
	switch {
	case before && behind:
		s[at-1].hi = s[at].hi
		return slices.Delete(s, at, at+1)
	case before:
		s[at-1].hi = hi
	case behind:
		s[at].lo = lo
	default:
		return slices.Insert(s, at, span{lo, hi})
	}
	return s
}

// gaps returns what is missing from first on.
func (s spans) gaps(first uint64) spans {
	var list spans
	for _, x := range s {
		if first < x.lo {
			list = append(list, span{first, x.lo})
		}
		first = x.hi
	}
	return append(list, span{first, math.MaxUint64})
}
