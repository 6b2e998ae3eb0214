package variant

import (
	"errors"
	"strings"
	"testing"

	"rokrig/compiler"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/fuzz/gen"
	"rokrig/internal/tier"
	"rokrig/oracle/interp"
	"rokrig/oracle/outcome"
)

// bench runs programs on the oracle.
type bench struct {
	machine interp.Machine
	region  []int32
}

// run checks and runs a text. It returns nil if the checker has errors.
func (b *bench) run(text string) (*Original, outcome.Outcome, error) {
	result, err := compiler.Check(source.NewFile("case.rok", text), compiler.Options{})
	if err != nil {
		return nil, outcome.Outcome{}, err
	}
	b.region = append(b.region[:0], make([]int32, result.Checked.Nodes)...)
	for i := range b.region {
		b.region[i] = -1
	}
	b.machine.Load(result.Checked, interp.Options{Fuel: 2_000_000, Observe: func(region int, n interp.Node) { b.region[n.ID()] = int32(region) }})
	o := &Original{Text: text, Tree: result.Tree, Checked: result.Checked}
	out := b.machine.Run()
	if out.Kind == outcome.Value {
		counts := b.machine.Regions()
		o.Executed = func(id types.NodeID) (uint64, bool) {
			r := b.region[id]
			if r < 0 {
				return 0, false
			}
			return counts[r], true
		}
	}
	return o, out, nil
}

func withoutPlace(line string) string {
	if at := strings.LastIndex(line, " at "); at >= 0 {
		return line[:at]
	}
	return line
}

// maxShown is how many programs a failing test shows.
const maxShown = 3

// differs makes a variant of a program and returns what is wrong with it, or "".
func (b *bench) differs(o *Original, want outcome.Outcome, choices gen.Source) (v *Result, wrong string) {
	if v = Make(choices, o); v == nil {
		return nil, ""
	}
	_, got, err := b.run(v.Text)
	var diags *compiler.DiagnosticsError
	switch {
	case errors.As(err, &diags):
		return v, diags.Diagnostics.String()
	case err != nil:
		return v, err.Error()
	}
	want.Line, got.Line = withoutPlace(want.Line), withoutPlace(got.Line)
	if verdict := outcome.Compare(want, got); verdict.Class == outcome.Different {
		return v, verdict.Difference.Signature()
	}
	return v, ""
}

// TestVariantsBehaveLikeTheirOriginal is the proof of the table's rules: no variant of a generated program is rejected, or
// runs otherwise than its original.
func TestVariantsBehaveLikeTheirOriginal(t *testing.T) {
	var b bench
	rules := map[string]int{}
	bad := 0
	for i := range uint64(tier.Steps(20_000)) {
		src := gen.Program(gen.New(gen.ProgramSeed(11, i)), gen.Options{})
		o, want, err := b.run(src.Text)
		if err != nil {
			t.Fatal(err)
		}
		if !want.Kind.IsFinished() {
			continue
		}
		v, wrong := b.differs(o, want, gen.New(gen.ProgramSeed(12, i)))
		if v != nil {
			for _, r := range v.Rules {
				rules[r]++
			}
		}
		if wrong == "" {
			continue
		}
		t.Errorf("program %d, rules %v: %s\nthe original:\n%s\nthe variant:\n%s", i, v.Rules, wrong, src.Text, v.Text)
		if bad++; bad == maxShown {
			break
		}
	}
	if tier.Full() {
		for _, name := range Rules() {
			if rules[name] == 0 {
				t.Errorf("rule %s was never applied", name)
			}
		}
	}
}

// TestVariantsOfCornerPrograms makes many variants of each program that a rule once got wrong.
func TestVariantsOfCornerPrograms(t *testing.T) {
	for name, text := range map[string]string{
		"a variable that is assigned to and then hidden, moved together": `
fn main() {
    let mut x: f32 = 914.75;
    print x;
    let mut x: u64 = {
        x /= 2.0;
        2u64 ** 11
    };
    print x as i64;
}
`,
	} {
		t.Run(name, func(t *testing.T) {
			var first, b bench // what a bench saw of the program before is gone after a run
			o, want, err := first.run(text)
			if err != nil {
				t.Fatal(err)
			}
			for i := range uint64(2000) {
				if v, wrong := b.differs(o, want, gen.New(i)); wrong != "" {
					t.Fatalf("choices %d, rules %v: %s\n%s", i, v.Rules, wrong, v.Text)
				}
			}
		})
	}
}

// TestEqualChoicesMakeEqualPrograms makes everything twice, and from one Original, which has to stay as it is.
func TestEqualChoicesMakeEqualPrograms(t *testing.T) {
	var b bench
	other, _, err := b.run(gen.Program(gen.New(1), gen.Options{}).Text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(tier.Steps(400)) {
		o, _, err := b.run(gen.Program(gen.New(gen.ProgramSeed(11, i)), gen.Options{}).Text)
		if err != nil {
			t.Fatal(err)
		}
		before := syntax.PrintFile(o.Tree)
		for name, make := range map[string]func() *Result{
			"variant":  func() *Result { return Make(gen.New(i), o) },
			"mutation": func() *Result { return Mutate(gen.New(i), o) },
			"splice":   func() *Result { return Splice(gen.New(i), o, other) },
		} {
			first, second := make(), make()
			if (first == nil) != (second == nil) || first != nil && first.Text != second.Text {
				t.Errorf("program %d: the %s is another one the second time", i, name)
			}
		}
		if syntax.PrintFile(o.Tree) != before {
			t.Fatalf("program %d was changed", i)
		}
	}
}
