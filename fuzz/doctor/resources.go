package doctor

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"rokrig/runtime/runner"
)

// What a campaign needs of the machine, per core where it says so.
const (
	memoryPerCore = 256 << 20
	cacheFree     = 32 << 20 // three builds of the runtime
	tempFree      = 64 << 20 // executables on their way through gcc
	outFree       = 1 << 30  // the cap on a campaign's findings
	filesPerCore  = 64       // pipes and memory files of the runners
	filesBase     = 64
	addressSpace  = 2 << 30 // what Go and a runner reserve, not what they use
	fileSize      = 128 << 20
)

const rlimitProcesses = 6 // RLIMIT_NPROC on Linux; package syscall lacks it

// examineResources looks at cores, memory, folders and limits.
func examineResources(out string) []Item {
	cores := runtime.GOMAXPROCS(0)
	items := []Item{coresItem(cores), memoryItem(cores)}
	items = append(items, cacheItem(),
		folderItem("temporary files", os.TempDir(), tempFree, "executables on their way through gcc", "set TMPDIR to a folder with room"),
		folderItem("output folder", out, outFree, "findings, up to 1 GiB a campaign", "choose another folder with --out, or free some space"))
	return append(items, limitItems(cores)...)
}

func coresItem(cores int) Item {
	item := Item{Name: "cores", Kind: Resource, State: OK, Purpose: "one worker each", Found: strconv.Itoa(cores)}
	if n := runtime.NumCPU(); n != cores {
		item.Found += fmt.Sprintf(" of %d, by quota or GOMAXPROCS", n)
	}
	return item
}

func memoryItem(cores int) Item {
	item := Item{Name: "memory", Kind: Resource, State: OK, Purpose: "programs and workers"}
	available, err := availableMemory()
	if err != nil {
		item.State, item.Problem = NotTried, err.Error()
		return item
	}
	item.Found = size(available) + " available"
	if need := uint64(cores) * memoryPerCore; available < need {
		item.fail(fmt.Sprintf("%s available, %d workers want %s", size(available), cores, size(need)))
		item.Remedy = fmt.Sprintf("use fewer workers: --jobs %d", max(1, available/memoryPerCore))
	}
	return item
}

// availableMemory is what the kernel says can be used without swapping, within the control group's limit.
func availableMemory() (uint64, error) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	defer f.Close()
	available, found := uint64(0), false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "MemAvailable:"); ok {
			kib, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err != nil {
				return 0, fmt.Errorf("/proc/meminfo: %w", err)
			}
			available, found = kib<<10, true
		}
	}
	if !found {
		return 0, errors.New("/proc/meminfo does not tell MemAvailable")
	}
	// Version 2 of control groups; "max" is no limit, and no such file means no such group.
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err == nil {
		if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
			available = min(available, limit)
		}
	}
	return available, nil
}

// cacheItem builds the runtime, which fills the cache, and looks at the folder that it went to.
func cacheItem() Item {
	item := Item{Name: "cache", Kind: Resource, State: OK, Purpose: "the runtime, built once"}
	archive, err := runner.Archive(runner.Release)
	if err != nil {
		item.fail(firstLine(err.Error()))
		item.Remedy = "set ROKRIG_CACHE to a folder that can be written, once gcc works"
		return item
	}
	root := filepath.Dir(filepath.Dir(archive))
	return folderItem("cache", root, cacheFree, item.Purpose, "set ROKRIG_CACHE to a folder with room")
}

// folderItem writes a file into a folder, or into the nearest one above it that exists, and asks for the space there.
func folderItem(name, dir string, need uint64, purpose, remedy string) Item {
	item := Item{Name: name, Kind: Resource, State: OK, Purpose: purpose}
	abs, err := filepath.Abs(dir)
	if err != nil {
		item.fail(err.Error())
		return item
	}
	at := existing(abs)
	if err := writeInto(at); err != nil {
		item.fail(err.Error())
		item.Remedy = remedy
		return item
	}
	free, err := freeSpace(at)
	if err != nil {
		item.State, item.Problem = NotTried, err.Error()
		return item
	}
	item.Found = fmt.Sprintf("%s, %s free", abs, size(free))
	if free < need {
		item.fail(fmt.Sprintf("%s: %s free, wanted are %s", abs, size(free), size(need)))
		item.Remedy = remedy
	}
	return item
}

// existing is the nearest folder at or above dir that exists.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// writeInto writes a page into a file in dir and removes it.
func writeInto(dir string) error {
	f, err := os.CreateTemp(dir, ".rokrig-doctor-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

func freeSpace(dir string) (uint64, error) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return 0, fmt.Errorf("statfs %s: %w", dir, err)
	}
	return fs.Bavail * uint64(fs.Bsize), nil
}

// limitItems compares what `ulimit` allows with what a campaign needs.
func limitItems(cores int) []Item {
	var items []Item
	for _, l := range []struct {
		name, option string
		resource     int
		need         uint64
		unit         uint64 // of ulimit's figures
		purpose      string
	}{
		{"open files", "-n", syscall.RLIMIT_NOFILE, filesBase + filesPerCore*uint64(cores), 1, "pipes and memory files of the runners"},
		{"processes", "-u", rlimitProcesses, 32 * uint64(cores), 1, "runners, their workers, gcc and as"},
		{"address space", "-v", syscall.RLIMIT_AS, addressSpace, 1 << 10, "code, data and stack regions of the runners"},
		{"file size", "-f", syscall.RLIMIT_FSIZE, fileSize, 1 << 10, "memory shared with the runners"},
	} {
		item := Item{Name: "limit of " + l.name, Kind: Resource, State: OK, Purpose: l.purpose}
		var limit syscall.Rlimit
		if err := syscall.Getrlimit(l.resource, &limit); err != nil {
			item.State, item.Problem = NotTried, err.Error()
			items = append(items, item)
			continue
		}
		item.Found = limitText(limit.Cur, l.unit)
		if limit.Cur < l.need {
			item.fail(fmt.Sprintf("%s, wanted are %d", item.Found, l.need/l.unit))
			item.Remedy = fmt.Sprintf("ulimit %s %d", l.option, l.need/l.unit)
		}
		items = append(items, item)
	}
	return append(items, cpuLimitItem())
}

// cpuLimitItem: a limit on CPU time ends a campaign that goes on for longer.
func cpuLimitItem() Item {
	item := Item{Name: "limit of CPU time", Kind: Resource, State: OK, Purpose: "long campaigns"}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_CPU, &limit); err != nil {
		item.State, item.Problem = NotTried, err.Error()
		return item
	}
	item.Found = limitText(limit.Cur, 1)
	if limit.Cur < math.MaxInt64 {
		item.fail(fmt.Sprintf("processes are ended after %d s of CPU time", limit.Cur))
		item.Remedy = "ulimit -t unlimited"
	}
	return item
}

func limitText(n, unit uint64) string {
	if n > math.MaxInt64 {
		return "unlimited"
	}
	return strconv.FormatUint(n/unit, 10)
}

// size writes a number of bytes in the largest fitting unit.
func size(n uint64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
}
