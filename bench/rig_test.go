package bench

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os/exec"
	"strings"
	"testing"
	"time"

	"rokrig/internal/tier"
)

// What is measured can be read back by the benchmark packages, every stage of it.
func TestRigIsReadBack(t *testing.T) {
	tier.NeedTools(t, "gcc", "as")
	var text bytes.Buffer
	if _, err := Rig(context.Background(), RigOptions{Seed: 1, Programs: 40, Repeats: 2}, &text); err != nil {
		t.Fatal(err)
	}
	figures, err := Read(bytes.NewReader(text.Bytes()), "test")
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	seen := map[string]bool{}
	for _, f := range figures {
		seen[f.Name+" "+f.Unit] = true
		if f.N != 2 || !(f.Median > 0) {
			t.Errorf("%s %s: %v of %d", f.Name, f.Unit, f.Median, f.N)
		}
	}
	var want []string
	for _, stage := range Stages {
		want = append(want, StagePrefix+stage.Name+" "+WallUnit, StagePrefix+stage.Name+" "+CPUUnit, StagePrefix+stage.Name+" "+stage.unit())
	}
	for _, name := range []string{PathName, CampaignName} {
		want = append(want, name+" "+WallUnit, name+" "+CPUUnit, name+" "+ProgramsUnit, name+" "+StatementsUnit)
	}
	for _, w := range append(want, PathName+" "+LinesUnit, CampaignName+" "+SizeUnit, StagePrefix+"execute "+ExecutionUnit) {
		if !seen[w] {
			t.Errorf("lacks %s:\n%s", w, text.String())
		}
		delete(seen, w)
	}
	if len(seen) > 0 {
		t.Errorf("unknown figures %v", seen)
	}
}

// The stages' times add up to that of the whole, and what is beside the path is not in it.
func TestPathIsTheSumOfItsStages(t *testing.T) {
	tier.NeedTools(t, "gcc", "as")
	g, err := newRig(1)
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	if err := g.pass(context.Background(), 40); err != nil {
		t.Fatal(err)
	}
	if g.compared != 40 || g.work.programs != 40 || g.work.lines == 0 || g.work.statements == 0 {
		t.Errorf("compared %d programs, work %+v", g.compared, g.work)
	}
	var text bytes.Buffer
	if err := g.writeStages(&text, 40); err != nil {
		t.Fatal(err)
	}
	figures, err := Read(&text, "test")
	if err != nil {
		t.Fatal(err)
	}
	sum, path := 0.0, 0.0
	for _, f := range figures {
		stage, isStage := strings.CutPrefix(f.Name, StagePrefix)
		switch {
		case f.Unit != CPUUnit:
		case f.Name == PathName:
			path = f.Median
		case isStage && !StageNamed(stage).Beside:
			sum += f.Median
		}
	}
	if path <= 0 || math.Abs(sum/path-1) > 0.001 {
		t.Errorf("the stages take %v ns, the path %v", sum, path)
	}
}

// Time that a child spends is counted when it has ended, and so is this process's own.
func TestMeasureCountsCPUTime(t *testing.T) {
	tier.NeedTools(t, "sh")
	const spent = 50 * time.Millisecond
	own, err := Measure(func() error {
		for start := cpuTime(); cpuTime()-start < spent; {
		}
		return nil
	})
	if err != nil || own.CPU < spent || own.CPU > 20*spent || own.Wall < spent/4 {
		t.Errorf("%+v, %v", own, err)
	}
	child, err := Measure(exec.Command("sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done").Run)
	if err != nil || child.CPU < 10*time.Millisecond {
		t.Errorf("a child that counts to 100000 takes %v, %v", child.CPU, err)
	}
	idle, err := Measure(func() error { time.Sleep(spent); return nil })
	if err != nil || idle.Wall < spent || idle.CPU > spent/2 {
		t.Errorf("sleeping: %+v, %v", idle, err)
	}
}

// What programs spend in a runner is this process's, as soon as the runner has ended: campaigns count on that.
func TestRunnersTimeIsCounted(t *testing.T) {
	tier.NeedTools(t, "gcc", "as")
	g, err := newRig(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.pass(context.Background(), 200); err != nil {
		t.Fatal(err)
	}
	// Enough that starting and ending the runners is little beside it.
	var native time.Duration
	for native < 100*time.Millisecond {
		g.native = 0
		if err := g.execute(context.Background()); err != nil {
			t.Fatal(err)
		}
		native += g.native
	}
	ended, err := Measure(g.close)
	if err != nil || ended.CPU < native*3/4 {
		t.Errorf("programs took %v in the runners; when those ended, %v were counted; %v", native, ended.CPU, err)
	}
}

func TestRigRefuses(t *testing.T) {
	for _, o := range []RigOptions{{Programs: 0, Repeats: 1}, {Programs: 1, Repeats: 0}, {Programs: -1, Repeats: 1}} {
		if _, err := Rig(context.Background(), o, &bytes.Buffer{}); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	tier.NeedTools(t, "gcc", "as")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Rig(ctx, RigOptions{Programs: 40, Repeats: 1}, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestRead(t *testing.T) {
	figures, err := Read(strings.NewReader("BenchmarkA 1 30 ns/op 5 x/y\nBenchmarkA 1 10 ns/op 6 x/y\nBenchmarkA 1 20 ns/op 9 x/y\nBenchmarkB 1 7 ns/op\n"), "test")
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name, unit string
		median     float64
		n          int
	}{{"A", "ns/op", 20, 3}, {"A", "x/y", 6, 3}, {"B", "ns/op", 7, 1}}
	if len(figures) != len(want) {
		t.Fatalf("%+v", figures)
	}
	for i, w := range want {
		f := figures[i]
		if f.Name != w.name || f.Unit != w.unit || math.Abs(f.Median-w.median) > 1e-9 || f.N != w.n || len(f.Warn) == 0 {
			t.Errorf("%+v, want %+v", f, w)
		}
	}
	for _, bad := range []string{"", "nothing here\n", "BenchmarkA x 1 ns/op\n"} {
		if _, err := Read(strings.NewReader(bad), "test"); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
