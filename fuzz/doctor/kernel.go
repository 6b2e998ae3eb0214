package doctor

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
)

// probeSource tries the kernel's features.
//
//go:embed probe/probe.c
var probeSource string

// probeFlags build the probe like the runner.
var probeFlags = []string{"-x", "c", "-O1", "-static", "-no-pie", "-Wall", "-Wextra", "-Werror", "-o", "probe", "-"}

// features are what the probe tries, in its order.
var features = []Item{
	{Name: "memfd_create", Purpose: "memory shared with the runner", Remedy: "needs Linux 3.17 or newer"},
	{Name: "shared r-x mapping", Purpose: "running machine code that this process wrote",
		Remedy: "needs Linux 4.17 or newer, and no policy against mapping memory files executable (SELinux: execmem; sysctl vm.memfd_noexec=0)"},
	{Name: "fork", Purpose: "replacing a worker that a program has damaged", Remedy: "raise the limit of processes: ulimit -u"},
	{Name: "fault recovery", Purpose: "going on after a program that crashed"},
	{Name: "CPU timer", Purpose: "ending programs that run too long"},
	{Name: "parent-death signal", Purpose: "leaving no process behind"},
	{Name: "seccomp", Purpose: "trapping system calls that a wrong program makes", Optional: true,
		Loss:   "a wild jump into a system call is not trapped",
		Remedy: "allow seccomp filters to this process (a container runtime may forbid them)"},
	{Name: "perf counters", Purpose: "counting instructions in benchmarks", Optional: true,
		Loss: "hardware instruction counts are not measured"},
}

// perfParanoid allows a process to count its own instructions up to the value 2.
const perfParanoid = "/proc/sys/kernel/perf_event_paranoid"

// examineKernel builds the probe and runs it. A feature counts as there if one of two runs says so: the region's fixed
// address may collide by chance with where the kernel puts the heap, which the runner tries again for as well.
func examineKernel(s *scratch) []Item {
	items := make([]Item, len(features))
	problem := buildProbe(s)
	for i, f := range features {
		f.Kind, f.State, f.Problem = Kernel, NotTried, problem
		items[i] = f
	}
	for try := 0; try < 2 && problem == "" && !allOK(items); try++ {
		out, err := s.run("", s.path("probe"))
		if err != nil {
			out += "\n"
			problem = err.Error()
		}
		readProbe(items, out, problem)
	}
	for i := range items {
		if items[i].State == OK {
			items[i].Remedy = ""
		}
		if items[i].Name == "perf counters" && strings.Contains(items[i].Problem, "ermi") {
			items[i].Remedy = "sysctl -w kernel.perf_event_paranoid=2"
			if level, err := os.ReadFile(perfParanoid); err == nil {
				items[i].Problem += fmt.Sprintf(" (%s is %s)", perfParanoid, strings.TrimSpace(string(level)))
			}
		}
	}
	return items
}

// buildProbe returns what stands in the way of building the probe, or "".
func buildProbe(s *scratch) string {
	if s.err != nil {
		return "no folder for temporary files: " + s.err.Error()
	}
	if _, err := s.run(probeSource, "gcc", probeFlags...); err != nil {
		return "the probe cannot be built: " + err.Error()
	}
	return ""
}

func allOK(items []Item) bool {
	for _, i := range items {
		if i.State != OK {
			return false
		}
	}
	return true
}

// readProbe takes over what the probe printed. Features that it did not reach are not tried, for the reason given.
func readProbe(items []Item, out, reason string) {
	lines := map[string][2]string{}
	for line := range strings.Lines(out) {
		if parts := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3); len(parts) == 3 {
			lines[parts[0]] = [2]string{parts[1], parts[2]}
		}
	}
	for i := range items {
		item := &items[i]
		got, there := lines[item.Name]
		switch {
		case item.State == OK:
		case !there:
			item.State, item.Problem = NotTried, "the probe did not reach it: "+reason
		case got[0] == "ok":
			item.State, item.Found, item.Problem = OK, got[1], ""
		default:
			item.fail(got[1])
		}
	}
}
