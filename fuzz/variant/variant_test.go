package variant

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"rokrig/compiler"
	"rokrig/compiler/source"
	"rokrig/compiler/types"
	"rokrig/fuzz/gen"
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

func count(t *testing.T, name string, n int) int {
	if s := os.Getenv(name); s != "" {
		v, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	return n
}

func withoutPlace(line string) string {
	if at := strings.LastIndex(line, " at "); at >= 0 {
		return line[:at]
	}
	return line
}

func TestVariantsBehaveLikeTheirOriginal(t *testing.T) {
	var b bench
	rules := map[string]int{}
	bad := 0
	n, from := count(t, "VARIANTS", 400), uint64(count(t, "VARIANTS_FROM", 0))
	for i := from; i < from+uint64(n); i++ {
		src := gen.Program(gen.New(gen.ProgramSeed(11, i)), gen.Options{})
		o, want, err := b.run(src.Text)
		if err != nil {
			t.Fatal(err)
		}
		if !want.Kind.IsFinished() {
			continue
		}
		v := Make(gen.New(gen.ProgramSeed(12, i)), o)
		if v == nil {
			continue
		}
		for _, r := range v.Rules {
			rules[r]++
		}
		_, got, err := b.run(v.Text)
		want.Line, got.Line = withoutPlace(want.Line), withoutPlace(got.Line)
		if err != nil {
			var diags *compiler.DiagnosticsError
			msg := err.Error()
			if errors.As(err, &diags) {
				msg = diags.Diagnostics.String()
			}
			t.Errorf("program %d, rules %v: %s", i, v.Rules, msg)
		} else if verdict := outcome.Compare(want, got); verdict.Class == outcome.Different {
			t.Errorf("program %d, rules %v: %s", i, v.Rules, verdict.Difference.Signature())
		} else {
			continue
		}
		if bad++; bad == 1 {
			os.WriteFile("/tmp/v-orig.rok", []byte(src.Text), 0o666)
			os.WriteFile("/tmp/v-var.rok", []byte(v.Text), 0o666)
		}
		if bad > 8 {
			break
		}
	}
	for _, name := range Rules() {
		t.Logf("%-20s %d", name, rules[name])
	}
}
