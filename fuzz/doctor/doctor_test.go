package doctor

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rokrig/compiler"
	"rokrig/compiler/source"
	"rokrig/fuzz/subject"
	"rokrig/internal/tier"
	"rokrig/oracle/outcome"
)

// childEnv makes the test binary examine the machine and print the report: a fresh process in which nothing is cached.
const childEnv = "ROKRIG_DOCTOR_TEST_OUT"

func TestMain(m *testing.M) {
	if out := os.Getenv(childEnv); out != "" {
		if err := json.NewEncoder(os.Stdout).Encode(ExamineOut(out)); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(runWithCache(m))
}

// runWithCache runs the tests with a cache of their own, which they share: building the runtime takes seconds.
func runWithCache(m *testing.M) int {
	dir, err := os.MkdirTemp("", "rokrig-doctor-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("ROKRIG_CACHE", dir)
	return m.Run()
}

// examineUnder examines in a child process, started by a shell after a prelude such as `ulimit`, with env on top of ours.
func examineUnder(t *testing.T, prelude string, env ...string) Report {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", prelude+"\nexec \"$0\"", os.Args[0])
	cmd.Env = append(append(os.Environ(), childEnv+"="+t.TempDir()), env...)
	out, err := cmd.Output()
	var r Report
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	} else if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return r
}

func (r Report) item(t *testing.T, name string) Item {
	t.Helper()
	for _, i := range r.Items {
		if i.Name == name {
			return i
		}
	}
	t.Fatalf("the report has no item %q", name)
	return Item{}
}

func (r Report) trial(t *testing.T, config string) Trial {
	t.Helper()
	for _, c := range r.Trials {
		if c.Config == config {
			return c
		}
	}
	t.Fatalf("the report has no configuration %q", config)
	return Trial{}
}

// toolFolder is a folder with links to the tools named, for a PATH.
func toolFolder(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, n := range names {
		at, err := exec.LookPath(n)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(at, filepath.Join(dir, n)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var nativeTools = []string{"gcc", "as", "ld", "ar"}

func TestExamineOnAWholeMachine(t *testing.T) {
	tier.NeedTools(t, nativeTools...)
	tier.NeedTools(t, "go", "make", "git")
	r := ExamineOut(DefaultOut)
	for _, i := range r.Items {
		if i.State != OK && !i.Optional {
			t.Errorf("%s: %s: %s", i.Name, i.State, i.Problem)
		}
		if i.State == OK && (i.Problem != "" || i.Remedy != "") {
			t.Errorf("%s is ok and yet has a problem: %+v", i.Name, i)
		}
		if i.State != OK && i.Problem == "" || i.Purpose == "" || i.Kind == "" {
			t.Errorf("says too little: %+v", i)
		}
	}
	var names []string
	for _, c := range r.Trials {
		names = append(names, c.Config)
		if !c.Runs {
			t.Errorf("%s does not run: %s", c.Config, c.Reason)
		}
	}
	var want []string
	for _, row := range subject.All() {
		want = append(want, row.Config.String())
	}
	if !slices.Equal(names, want) {
		t.Errorf("tried %q, there are %q", names, want)
	}
	if !r.AllRun() || !r.Complete() {
		t.Errorf("AllRun %v, Complete %v", r.AllRun(), r.Complete())
	}
}

func TestWithoutAnyTool(t *testing.T) {
	r := examineUnder(t, "", "PATH="+t.TempDir())
	for _, tool := range tools {
		if i := r.item(t, tool.name); i.State != Lacking || i.Remedy == "" || !strings.Contains(i.Remedy, tool.debian) {
			t.Errorf("%s: %+v", tool.name, i)
		}
	}
	for _, f := range features {
		if i := r.item(t, f.Name); i.State != NotTried || !strings.Contains(i.Problem, "gcc is not on the PATH") {
			t.Errorf("%s: %+v", f.Name, i)
		}
	}
	for _, c := range r.Trials {
		if c.Runs != (c.Config == "interp") {
			t.Errorf("without tools: %+v", c)
		}
	}
	if r.AllRun() || r.Complete() {
		t.Error("the report is clean")
	}
	lines := strings.Join(r.NotTested(), "\n")
	for _, want := range []string{"configuration stack does not run here: ", "gcc not found", "perf counters: ", "hardware instruction counts are not measured", "structs"} {
		if !strings.Contains(lines, want) {
			t.Errorf("not tested lacks %q:\n%s", want, lines)
		}
	}
	if got := r.Remedies(); len(got) < 1 || strings.Count(got[0], "binutils") != 1 || !strings.Contains(got[0], "gcc libc6-dev binutils make git") {
		t.Errorf("remedies %q", got)
	}
}

func TestWithoutTheAssembler(t *testing.T) {
	tier.NeedTools(t, nativeTools...)
	r := examineUnder(t, "", "PATH="+toolFolder(t, "gcc", "ld", "ar"))
	if i := r.item(t, "gcc"); i.State != OK {
		t.Errorf("%+v", i)
	}
	if i := r.item(t, "as"); i.State != Lacking {
		t.Errorf("%+v", i)
	}
	// The rig's own encoder does without it, if the runtime was built before.
	for _, config := range []string{"stack/as", "stack/exe"} {
		if c := r.trial(t, config); c.Runs {
			t.Errorf("%+v", c)
		}
	}
}

// A tool that is there and does not work must not count as there.
func TestToolsThatDoNothing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"go", "gcc", "as", "ld", "ar", "make", "git", "gdb"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho "+name+" 99.0\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := examineUnder(t, "", "PATH="+dir)
	for _, tool := range tools {
		if i := r.item(t, tool.name); i.State != Lacking {
			t.Errorf("%s counts as there: %+v", tool.name, i)
		}
	}
	for _, f := range features {
		if i := r.item(t, f.Name); i.State != NotTried {
			t.Errorf("%s: %+v", f.Name, i)
		}
	}
	if r.trial(t, "stack").Runs {
		t.Error("stack runs")
	}
}

func TestLimitsAreSeen(t *testing.T) {
	tier.NeedTools(t, nativeTools...)
	for _, c := range []struct{ prelude, item string }{
		{"ulimit -H -n 40; ulimit -n 40", "limit of open files"},
		{"ulimit -v 1500000", "limit of address space"},
		{"ulimit -f 65536", "limit of file size"},
		{"ulimit -t 1000", "limit of CPU time"},
	} {
		t.Run(c.item, func(t *testing.T) {
			r := examineUnder(t, c.prelude)
			if i := r.item(t, c.item); i.State != Lacking || !strings.HasPrefix(i.Remedy, "ulimit -") {
				t.Errorf("under %q: %+v", c.prelude, i)
			}
			if r.Complete() {
				t.Error("the report counts as complete")
			}
		})
	}
}

// Memory files cannot grow either under a limit of file sizes: what needs a large one does not run, and says so.
func TestKernelFeaturesThatAreRefused(t *testing.T) {
	tier.NeedTools(t, nativeTools...)
	r := examineUnder(t, "ulimit -f 32768") // 16 MiB: enough for gcc's files, not for the code region
	if i := r.item(t, "memfd_create"); i.State != OK {
		t.Errorf("%+v", i)
	}
	if i := r.item(t, "shared r-x mapping"); i.State != Lacking || !strings.Contains(i.Problem, "File size limit") {
		t.Errorf("%+v", i)
	}
	if c := r.trial(t, "stack"); c.Runs {
		t.Errorf("%+v", c)
	}
}

func TestFoldersThatCannotBeWritten(t *testing.T) {
	tier.NeedTools(t, nativeTools...)
	r := examineUnder(t, "", childEnv+"=/proc/rokrig-out")
	if i := r.item(t, "output folder"); i.State != Lacking || i.Remedy == "" {
		t.Errorf("%+v", i)
	}
	r = examineUnder(t, "", "TMPDIR=/proc/rokrig", "ROKRIG_CACHE=/proc/rokrig")
	for _, name := range []string{"temporary files", "cache"} {
		if i := r.item(t, name); i.State != Lacking || i.Remedy == "" {
			t.Errorf("%s: %+v", name, i)
		}
	}
	if i := r.item(t, "gcc"); i.State != NotTried {
		t.Errorf("without temporary files: %+v", i)
	}
	r = examineUnder(t, "", "ROKRIG_CACHE=/proc/rokrig") // the runner falls back on the folder of temporary files
	if i := r.item(t, "cache"); i.State != OK || !strings.HasPrefix(i.Found, os.TempDir()) {
		t.Errorf("%+v", i)
	}
}

func TestFolderItemCountsSpace(t *testing.T) {
	dir := t.TempDir()
	if i := folderItem("x", filepath.Join(dir, "not", "yet"), 1, "", "free some"); i.State != OK {
		t.Errorf("%+v", i)
	}
	if i := folderItem("x", dir, 1<<62, "", "free some"); i.State != Lacking || i.Remedy != "free some" {
		t.Errorf("%+v", i)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The probe's names and the table's are the same, in one order.
func TestProbeTriesEveryFeature(t *testing.T) {
	tier.NeedTools(t, "gcc")
	var s scratch
	s.open()
	defer s.close()
	if problem := buildProbe(&s); problem != "" {
		t.Fatal(problem)
	}
	out, err := s.run("", s.path("probe"))
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for line := range strings.Lines(out) {
		name, rest, _ := strings.Cut(line, "\t")
		got = append(got, name)
		if state, _, ok := strings.Cut(rest, "\t"); !ok || state != "ok" && state != "failed" {
			t.Errorf("malformed line %q", line)
		}
	}
	for _, f := range features {
		want = append(want, f.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the probe tries %q, the table has %q", got, want)
	}
}

func TestReadProbe(t *testing.T) {
	items := []Item{{Name: "a", State: NotTried}, {Name: "b", State: NotTried}, {Name: "c", State: NotTried}}
	readProbe(items, "a\tok\tfine\nb\tfailed\tmmap: Operation not permitted\n", "killed")
	if items[0].State != OK || items[0].Found != "fine" {
		t.Errorf("%+v", items[0])
	}
	if items[1].State != Lacking || items[1].Problem != "mmap: Operation not permitted" {
		t.Errorf("%+v", items[1])
	}
	if items[2].State != NotTried || !strings.Contains(items[2].Problem, "killed") {
		t.Errorf("%+v", items[2])
	}
	readProbe(items, "a\tfailed\tx\nb\tok\t\n", "") // a second run takes nothing back
	if items[0].State != OK || items[1].State != OK || items[1].Problem != "" {
		t.Errorf("%+v", items)
	}
}

// What a line says is not there is not there: when it comes, this test wants the line taken out.
func TestGapsAreStillOpen(t *testing.T) {
	for _, g := range gaps {
		if (g.program == "") == (g.config == "") {
			t.Errorf("%q has to be shown by either a program or a configuration", g.line)
		}
		if !g.open() {
			t.Errorf("%q holds no longer: take the line out", g.line)
		}
		if g.program == "" {
			continue
		}
		_, err := compiler.Check(source.NewFile("gap.rok", g.program), compiler.Options{})
		if err == nil || !strings.Contains(err.Error(), "not supported yet") {
			t.Errorf("%q: the program is refused for another reason: %v", g.line, err)
		}
	}
	if len(NotYet()) != len(gaps) {
		t.Errorf("%d lines for %d gaps", len(NotYet()), len(gaps))
	}
}

// What the doctor tells people to install is what `make setup` and, for what no campaign uses, `make peers` install; go has
// a way of its own.
func TestPackagesAreThoseOfSetup(t *testing.T) {
	var listed, ours []string
	for _, file := range []string{"packages", "packages-peers"} {
		text, err := os.ReadFile("../../.ci/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if fields := strings.Fields(line); len(fields) > 0 && !strings.HasPrefix(line, "#") {
				listed = append(listed, fields[0])
			}
		}
	}
	for _, tool := range tools {
		ours = append(ours, strings.Fields(tool.debian)...)
	}
	slices.Sort(listed)
	slices.Sort(ours)
	if ours = slices.Compact(ours); !slices.Equal(listed, ours) {
		t.Errorf(".ci/packages and .ci/packages-peers have %q, the doctor %q", listed, ours)
	}
}

func TestMinimumGoIsTheModules(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\ngo "+strings.TrimPrefix(minimumGo, "go")+"\n") {
		t.Errorf("go.mod does not ask for %s", minimumGo)
	}
}

func TestJudgeTrial(t *testing.T) {
	right := []byte(trialOutput)
	for _, c := range []struct {
		o    outcome.Outcome
		want bool
	}{
		{outcome.Outcome{Kind: outcome.Value, Stdout: right}, true},
		{outcome.Outcome{Kind: outcome.Value, Stdout: right[1:]}, false},
		{outcome.Outcome{Kind: outcome.Value, Stdout: right, Status: 1}, false},
		{outcome.Outcome{Kind: outcome.Crash, Stdout: right, Status: 11}, false},
		{outcome.Outcome{Kind: outcome.Rejected}, false},
	} {
		if err := judgeTrial(c.o); (err == nil) != c.want {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}
