package gen

import (
	"strings"
	"testing"

	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/fuzz/feature"
	"rokrig/internal/tier"
	"rokrig/oracle/interp"
	"rokrig/oracle/outcome"
)

// run checks and runs a program, with a front-end mutant perhaps.
func run(t *testing.T, text string, plan *mutant.Plan) (outcome.Outcome, *interp.Machine) {
	t.Helper()
	file := source.NewFile("gen.rok", text)
	diags := &source.Diagnostics{File: file}
	tree := syntax.Parse(file, diags, syntax.Options{Mutant: plan})
	p := types.Check(tree, diags, types.Options{Mutant: plan})
	if p == nil {
		return outcome.Outcome{Kind: outcome.Rejected, Line: diags.String()}, nil
	}
	m := interp.New(p, interp.Options{})
	return m.Run(), m
}

// programs is how many programs the larger tests look at.
func programs(t *testing.T) uint64 {
	switch {
	case tier.Full():
		return 20000
	case testing.Short():
		return 500
	}
	return 2000
}

func TestProgramsAreAcceptedAndEndAsPlanned(t *testing.T) {
	bad := 0
	panics, long := 0, 0
	lines, most := 0, int64(0)
	n := programs(t)
	for seed := uint64(0); seed < n && bad < 5; seed++ {
		r := Program(New(seed), Options{})
		o, m := run(t, r.Text, nil)
		if what := r.Unplanned(o); what != "" {
			t.Errorf("seed %d: %s", seed, what)
			bad++
			continue
		}
		if r.Panic != "" {
			panics++
		}
		if r.Stats.Lines >= 300 {
			long++
		}
		lines += r.Stats.Lines
		most = max(most, m.Steps())
	}
	if bad > 0 {
		return
	}
	share := func(k int) float64 { return float64(k) / float64(n) }
	t.Logf("mean lines %.0f, 300 or more in %.3f, panics %.3f, most steps %d", share(lines), share(long), share(panics), most)
	if share(lines) < 40 || share(long) < 0.1-0.03 {
		t.Errorf("programs are too small: %.0f lines in the mean, %.3f of them have 300", share(lines), share(long))
	}
	if p := share(panics); p < 0.07 || p > 0.18 {
		t.Errorf("%.3f of the programs panic", p)
	}
	if most > interp.DefaultFuel/10 {
		t.Errorf("a program takes %d steps", most)
	}
}

func TestEqualChoicesGiveEqualPrograms(t *testing.T) {
	for seed := range uint64(200) {
		r := Program(New(seed), Options{})
		if again := Program(New(seed), Options{}); again.Text != r.Text {
			t.Fatalf("seed %d gives two programs", seed)
		}
		replayed := Program(FromBytes(r.Bytes), Options{})
		if replayed.Text != r.Text {
			t.Fatalf("seed %d: the program's bytes give another one", seed)
		}
		if string(replayed.Bytes) != string(r.Bytes) || replayed.Panic != r.Panic {
			t.Fatalf("seed %d: the bytes are not given back", seed)
		}
	}
}

func TestAnyBytesGiveAProgram(t *testing.T) {
	draw := &gen{src: New(7)}
	for i := range 300 {
		b := make([]byte, draw.n(4*i+1))
		for j := range b {
			b[j] = draw.src.Byte()
		}
		r := Program(FromBytes(b), Options{})
		o, _ := run(t, r.Text, nil)
		if what := r.Unplanned(o); what != "" {
			t.Fatalf("%x: %s\n%s", b, what, r.Text)
		}
	}
}

// TestOneByteChangesOneDecision changes single bytes of recorded choices. The decision's own consequences show, and the
// statements of other segments stay as they are.
func TestOneByteChangesOneDecision(t *testing.T) {
	draw := &gen{src: New(11)}
	trials, local := 0, 0
	for seed := range uint64(200) {
		r := Program(New(seed), Options{})
		if r.Stats.Lines < 60 {
			continue
		}
		b := append([]byte(nil), r.Bytes...)
		at := len(b)/4 + draw.n(len(b)/2)
		b[at] ^= 1 << draw.n(8)
		changed := Program(FromBytes(b), Options{})
		trials++
		if kept := commonLines(r.Text, changed.Text); kept >= 0.6 {
			local++
		}
	}
	if share := float64(local) / float64(trials); share < 0.6 {
		t.Errorf("only %.2f of %d programs kept most of their lines when a byte changed", share, trials)
	}
}

// commonLines returns the share of a's lines that b has too.
func commonLines(a, b string) float64 {
	have := map[string]int{}
	for _, l := range strings.Split(b, "\n") {
		have[l]++
	}
	lines := strings.Split(a, "\n")
	kept := 0
	for _, l := range lines {
		if have[l] > 0 {
			have[l]--
			kept++
		}
	}
	return float64(kept) / float64(len(lines))
}

func TestWrongValuesShow(t *testing.T) {
	n := tier.Steps(100000)
	r, err := Sensitivity(max(n, 1000), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d wrong values show; blind: %v", r.Seen, r.Trials, r.Blind(20, 0.3))
	if least := 0.8 - 1.5/40; r.Share() < least && r.Trials >= 1000 {
		t.Errorf("only %.3f of the wrong values show", r.Share())
	}
	if r.Trials >= 10000 && r.Share() < 0.8 {
		t.Errorf("only %.3f of the wrong values show", r.Share())
	}
}

func TestEveryFeatureIsExecuted(t *testing.T) {
	counts := make([]uint64, feature.Count())
	for seed := range programs(t) * 2 {
		r := Program(New(seed), Options{})
		p, err := checked(r.Text)
		if err != nil {
			t.Fatal(err)
		}
		x := feature.NewIndex(p)
		m := interp.New(p, interp.Options{Observe: func(region int, n interp.Node) { x.Observe(region, n.ID()) }})
		if o := m.Run(); o.Kind == outcome.Panic {
			counts[feature.OfPanic(panicMessage(o.Line))]++
		}
		x.Count(m.Regions(), counts)
	}
	var missing []string
	for id, n := range counts {
		if n == 0 {
			missing = append(missing, feature.ID(id).String())
		}
	}
	allowed := 0
	if testing.Short() {
		allowed = 6 // a thousand programs do not meet the rarest
	}
	if len(missing) > allowed {
		t.Errorf("%d of %d features are never executed: %v", len(missing), feature.Count(), missing)
	}
}

func TestBrokenProgramsAreRejected(t *testing.T) {
	met := map[string]bool{}
	for seed := range programs(t) * 2 {
		r := MustReject(New(seed), Options{})
		met[r.Rule] = true
		if what := rejectedRightly(r); what != "" {
			t.Errorf("seed %d, %s: %s", seed, r.Rule, what)
		}
	}
	if !testing.Short() {
		for _, rule := range RejectRules() {
			if !met[rule] {
				t.Errorf("the rule %s was never broken", rule)
			}
		}
	}
}

// rejectedRightly returns what is wrong with the diagnostics of a broken program, or "".
func rejectedRightly(r *Reject) string {
	file := source.NewFile("gen.rok", r.Text)
	diags := &source.Diagnostics{File: file}
	tree := syntax.Parse(file, diags, syntax.Options{})
	types.Check(tree, diags, types.Options{})
	for _, d := range diags.Errors() {
		if file.Position(d.Span.Start).Line == r.Line && strings.Contains(d.Message, r.Message) {
			return ""
		}
	}
	return "no error on line `" + file.LineText(r.Line) + "` says " + r.Message + "; there are:\n" + diags.String()
}

// TestKnownValuesShowFrontEndFaults switches on faults that compiler and interpreter share. No comparison of the two can
// see them; assertions of known values do.
func TestKnownValuesShowFrontEndFaults(t *testing.T) {
	otherwise := map[string]string{
		"front/accept-missing-case":   "programs broken on purpose",
		"front/static-shift-unmasked": "variants of programs",
		"front/shadow-shares":         "variants of programs",
	}
	for _, info := range mutant.All() {
		if info.Area != mutant.FrontEnd {
			continue
		}
		if by := otherwise[info.Name]; by != "" {
			t.Logf("%s is shown by %s", info.Name, by)
			continue
		}
		t.Run(info.Name, func(t *testing.T) {
			for seed := range uint64(3000) {
				plan, err := mutant.New(info.Name)
				if err != nil {
					t.Fatal(err)
				}
				r := Program(New(seed), Options{})
				if o, _ := run(t, r.Text, plan); r.Unplanned(o) != "" {
					t.Logf("seen after %d programs: %s", seed+1, o.Kind)
					return
				}
			}
			t.Error("not seen by 3000 programs")
		})
	}
}

func TestBrokenProgramsShowAMissingCheck(t *testing.T) {
	plan, err := mutant.New("front/accept-missing-case")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(2000) {
		r := MustReject(New(seed), Options{})
		file := source.NewFile("gen.rok", r.Text)
		diags := &source.Diagnostics{File: file}
		tree := syntax.Parse(file, diags, syntax.Options{Mutant: plan})
		if types.Check(tree, diags, types.Options{Mutant: plan}) != nil {
			return
		}
	}
	t.Error("every broken program is rejected although missing cases are accepted")
}

func BenchmarkProgram(b *testing.B) {
	b.ReportAllocs()
	lines := 0
	for i := range b.N {
		lines += Program(New(uint64(i)), Options{}).Stats.Lines
	}
	b.ReportMetric(float64(lines)/float64(b.N), "lines/program")
}
