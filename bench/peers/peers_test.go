package peers

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rokrig/bench"
	"rokrig/internal/tier"
)

// fakes puts scripts in front of the PATH.
func fakes(t *testing.T, scripts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, body := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// fakeCsmith writes a program whose text says what it does: seed 1 agrees, 2 differs, 3 hangs when optimised, 4 crashes.
const fakeCsmith = `[ "$1 $3" = "--seed -o" ] && printf '/* seed */\n/*\n * more\n */\nint a;\n\nseed %s\n' "$2" >"$4"`

// fakeGCC makes a script of it: its arguments are -w LEVEL -I DIR SOURCE -o EXE.
const fakeGCC = `seed=$(sed -n 's/^seed //p' "$5")
{ echo '#!/bin/sh'
case $seed$2 in
1-O?) echo 'echo checksum 1' ;;
2-O?) echo "echo checksum $2" ;;
3-O3) echo 'exec sleep 60' ;;
4-O?) echo 'kill -SEGV $$' ;;
*) echo 'echo checksum 0' ;;
esac; } >"$7"
chmod +x "$7"`

func TestCsmithTally(t *testing.T) {
	fakes(t, map[string]string{"csmith": fakeCsmith, "gcc": fakeGCC})
	c := &csmith{dir: t.TempDir(), include: "/nowhere", seed: 1, runLimit: 300 * time.Millisecond}
	for range 4 {
		if err := c.program(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if c.compared != 3 || c.differ != 1 || c.overLimit != 1 || c.lines != 6 || c.cpu <= 0 {
		t.Errorf("of programs that agree, differ, hang and crash alike: %+v", c.tally)
	}
	var b strings.Builder
	c.seed = 1
	if err := c.turn(context.Background(), time.Nanosecond, &b); err != nil {
		t.Fatal(err)
	}
	figures, err := bench.Read(strings.NewReader(b.String()), "turn")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{LinesUnit: 2, LimitUnit: 0, DiffersUnit: 0, ComparedUnit: 1}
	for _, f := range figures {
		if v, ok := want[f.Unit]; ok && (f.Median != v || f.Name != CsmithName) {
			t.Errorf("%s %s is %v, want %v", f.Name, f.Unit, f.Median, v)
		}
		delete(want, f.Unit)
	}
	if len(want) > 0 {
		t.Errorf("not written: %v", want)
	}
}

func TestAToolThatFailsIsAnError(t *testing.T) {
	fakes(t, map[string]string{"csmith": fakeCsmith, "gcc": "echo no header >&2; exit 1"})
	c := &csmith{dir: t.TempDir(), seed: 1}
	if err := c.program(context.Background()); err == nil || !strings.Contains(err.Error(), "no header") {
		t.Errorf("the error is %v", err)
	}
}

func TestCodeLines(t *testing.T) {
	const text = "/* one */\n\n/*\n * inside\n\n */\nint a; /* behind */\n   }\n"
	if n := codeLines(text); n != 2 {
		t.Errorf("%d lines of code, want 2", n)
	}
}

// fakeCVise asks the test twice, and keeps the case's last line if the test allows it; then it hangs if told to.
const fakeCVise = `for last; do :; done
shift $(($# - 2))
"$1" || exit 9
tail -n 1 "$2" >small; cp "$2" old; cp small "$2"
"$1" || cp old "$2"
[ ! -e hang ] || exec sleep 60`

func TestCViseResult(t *testing.T) {
	fakes(t, map[string]string{"cvise": fakeCVise})
	text := "let a = 1;\nprint(2);\n"
	for _, c := range []struct {
		keeps string
		hang  bool
		want  string
	}{{"print", false, "print(2);\n"}, {"let", false, text}, {"print", true, "print(2);\n"}} {
		dir, limit := t.TempDir(), time.Minute
		if c.hang {
			limit = time.Second
			if err := os.WriteFile(filepath.Join(dir, "hang"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		r, err := reduceByCVise(context.Background(), dir, text, []string{"grep", c.keeps, caseName}, limit)
		if err != nil || r.text != c.want || r.tries != 2 || r.cut != c.hang {
			t.Errorf("%+v: %v, %+v", c, err, r)
		}
	}
	if _, err := reduceByCVise(context.Background(), t.TempDir(), text, []string{"false"}, time.Minute); err == nil {
		t.Error("a test that the case does not pass is no error")
	}
}

func TestMissingToolsAreNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := Run(context.Background(), Options{Turns: 1, Turn: 1, Limit: 1, Include: "/nowhere"}, nil)
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "csmith, cvise, /nowhere/csmith.h lacking") {
		t.Errorf("the error is %v", err)
	}
}

// The tools themselves are large, so that only the nightly tier asks for them. Below it nothing is lacking, so that this
// passes and does not count as skipped.
func TestRealTools(t *testing.T) {
	if !tier.Full() {
		t.Log("nightly only: needs " + packages)
		return
	}
	tier.NeedTools(t, "gcc", "as", "go", "csmith", "cvise")
	rokrig := filepath.Join(t.TempDir(), "rokrig")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", rokrig, "rokrig/cmd/rokrig").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var b strings.Builder
	if err := Run(context.Background(), Options{Seed: 1, Turn: time.Second, Turns: 1, Limit: 20 * time.Second, Rokrig: rokrig}, &b); err != nil {
		t.Fatal(err)
	}
	figures, err := bench.Read(strings.NewReader(b.String()), "results")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range figures {
		got[f.Name+" "+f.Unit] = f.Median
	}
	for _, name := range []string{CsmithName, CampaignName} {
		if got[name+" "+ComparedUnit] < 1 || got[name+" "+DiffersUnit] != 0 || !(got[name+" "+ProgramsUnit] > 0) {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, name := range []string{CViseName, ReduceName} {
		if got[name+" "+TriesUnit] < 2 || !(got[name+" "+AfterUnit] < got[name+" "+BeforeUnit]) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
