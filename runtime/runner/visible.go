package runner

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"time"
	"unsafe"
)

// show makes the programs of a batch, which are loaded, known to tools. A fresh
// worker registers them with gdb.
func (r *Runner) show(batch []Image) error {
	area := r.mem.control[r.mem.symfilesAt:]
	table := (*symfiles)(unsafe.Pointer(&area[0]))
	*table = symfiles{}
	at := int(unsafe.Sizeof(symfiles{}))
	for _, im := range batch {
		table.CodeSize = max(table.CodeSize, uint64(align(int(im.CodeAddr-codeBase)+len(im.Code), pageSize)))
		if len(im.Symfile) == 0 {
			continue
		}
		if len(im.Symfile) > len(area)-at {
			return fmt.Errorf("runner: the files for debuggers have more than %d bytes", symfilesSize)
		}
		table.At[table.Count], table.Size[table.Count] = uint64(r.mem.symfilesAt+at), uint64(len(im.Symfile))
		table.Count++
		at = align(at+copy(area[at:], im.Symfile), 16)
	}
	if err := r.proc.refork(); err != nil {
		return err
	}
	r.visible, r.seen = batch, 0
	for deadline := time.Now().Add(startTimeout); r.seen == 0; {
		m, err := r.proc.receive(deadline)
		if err == nil && !r.proc.saysBorn(m) {
			err = fmt.Errorf("runner: the worker does not start: %s", r.proc.stderr.String())
		}
		if err != nil {
			return err
		}
	}
	if r.mapError != nil {
		return r.mapError
	}
	if r.options.Attach != nil {
		return r.options.Attach(r.seen)
	}
	return nil
}

// named is told that a worker is there, and names the functions in it.
func (r *Runner) named(pid int) {
	r.seen = pid
	if r.options.PerfMap && len(r.visible) > 0 {
		r.mapError = os.WriteFile(MapFile(pid), perfMap(r.visible), 0o644)
	}
}

// MapFile is where perf looks for the names of functions in a process whose
// code is in no file.
func MapFile(pid int) string { return fmt.Sprintf("/tmp/perf-%d.map", pid) }

// perfMap has a line for each function: address and size in hexadecimal, name
// (tools/perf/Documentation/jit-interface.txt in the Linux sources).
func perfMap(images []Image) []byte {
	var b bytes.Buffer
	for _, im := range images {
		f, err := elf.NewFile(bytes.NewReader(im.Symfile))
		if err != nil {
			continue // it came without
		}
		symbols, _ := f.Symbols() // none: no lines
		for _, s := range symbols {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Size > 0 {
				fmt.Fprintf(&b, "%x %x %s\n", s.Value, s.Size, s.Name)
			}
		}
	}
	return b.Bytes()
}
