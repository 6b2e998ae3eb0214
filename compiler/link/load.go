package link

import (
	"context"
	"encoding/binary"
	"fmt"

	"rokrig/runtime/abi"
	"rokrig/runtime/runner"
)

// Program is one program of a batch: text made with its own symbol prefix (x64.TextOptions.Prefix).
type Program struct {
	Prefix string
	Text   []byte
}

// codeAlign is the alignment of each program in the code region: a cache line.
const codeAlign = 64

// Assembled is a batch of programs as one object, not yet bound to addresses. It never changes, so that it may be loaded for
// several runners, also at once.
type Assembled struct {
	object   *object
	prefixes []string
}

// Assemble assembles a batch of programs in one run of as. Errors: as is missing or refuses; the object is malformed.
func Assemble(ctx context.Context, programs []Program) (*Assembled, error) {
	texts := make([][]byte, len(programs))
	a := &Assembled{prefixes: make([]string, len(programs))}
	for i, p := range programs {
		texts[i], a.prefixes[i] = p.Text, p.Prefix
	}
	data, err := assemble(ctx, texts)
	if err != nil {
		return nil, err
	}
	a.object, err = readObject(data)
	return a, err
}

// Load makes an image of each program of the batch, in order: code and constants one after another from the code region's
// start, initialised data at the data region's start, which programs use one at a time. symbols gives the addresses of the
// runtime's entry points. Errors: a prefix is empty, used twice or not that of the text; a program does not fit; a
// relocation or a symbol is unknown.
func (a *Assembled) Load(at runner.Layout, symbols map[string]uint64) ([]runner.Image, error) {
	l := &loader{object: a.object, layout: at, symbols: symbols, next: at.CodeBase}
	if err := l.place(a.prefixes); err != nil {
		return nil, err
	}
	l.define(a.prefixes)
	for i := range a.object.relocations {
		if err := l.relocate(&a.object.relocations[i]); err != nil {
			return nil, fmt.Errorf("link: %w", err)
		}
	}
	for i, p := range a.prefixes {
		if l.images[i].Entry == 0 || l.images[i].Module == 0 {
			return nil, fmt.Errorf("link: program %q defines no %s or no %s", p, abi.EntrySymbol, abi.ModuleSymbol)
		}
	}
	return l.images, nil
}

// loader lays a batch out and relocates it.
type loader struct {
	object  *object
	layout  runner.Layout
	symbols map[string]uint64
	next    uint64 // next free address of the code region
	images  []runner.Image
	placed  []placedSection // by section index of the object
	values  []symbolValue   // by symbol index
}

// placedSection is a section of a program: where its bytes are now and where they will be.
type placedSection struct {
	program int // index into images; notPlaced if the section goes nowhere
	bytes   []byte
	addr    uint64
}

// notPlaced marks sections and symbols that belong to no program.
const notPlaced = -1

// symbolValue is a symbol's address.
type symbolValue struct {
	program int // whose it is; notPlaced for the runtime's
	addr    uint64
	known   bool
	thread  bool // the thread block
}

// sectionNames are the sections of a program before its prefix, in the order in which the code region takes them. The last
// goes to the data region.
var sectionNames = [...]string{".text.", ".rodata.", ".data."}

// place finds every program's sections and gives them addresses.
func (l *loader) place(prefixes []string) error {
	byName := make(map[string]int, len(l.object.sections))
	l.placed = make([]placedSection, len(l.object.sections))
	for i, s := range l.object.sections {
		byName[s.name] = i
		l.placed[i].program = notPlaced
	}
	l.images = make([]runner.Image, len(prefixes))
	for i, p := range prefixes {
		text, okText := byName[sectionNames[0]+p]
		constants, okConstants := byName[sectionNames[1]+p]
		data, okData := byName[sectionNames[2]+p]
		if p == "" || !okText || !okConstants || !okData || l.placed[text].program != notPlaced {
			return fmt.Errorf("link: prefix %q is empty, used twice, or not that of the text", p)
		}
		code, err := l.join(i, l.next, text, constants)
		if err != nil {
			return err
		}
		initialised, err := l.join(i, l.layout.DataBase, data)
		if err != nil {
			return err
		}
		l.images[i] = runner.Image{Code: code, CodeAddr: l.next, Data: initialised}
		l.next = alignUp(l.next+uint64(len(code)), codeAlign)
		if l.next > l.layout.CodeBase+l.layout.CodeSize || uint64(len(initialised)) > l.layout.DataSize {
			return fmt.Errorf("link: program %q does not fit into the runner's memory", p)
		}
	}
	return nil
}

func alignUp(n, to uint64) uint64 { return (n + to - 1) / to * to }

// join copies sections of a program one after another, as they will lie from addr on.
func (l *loader) join(program int, addr uint64, sections ...int) ([]byte, error) {
	size := uint64(0)
	for _, i := range sections {
		s := &l.object.sections[i]
		if s.align > codeAlign {
			return nil, fmt.Errorf("link: section %s wants an alignment of %d", s.name, s.align)
		}
		size = alignUp(size, max(s.align, 1))
		l.placed[i] = placedSection{program: program, addr: addr + size}
		size += uint64(len(s.bytes))
	}
	all := make([]byte, size)
	for _, i := range sections {
		from := l.placed[i].addr - addr
		n := copy(all[from:], l.object.sections[i].bytes)
		l.placed[i].bytes = all[from : from+uint64(n)]
	}
	return all, nil
}

// define finds the value of every symbol, and the programs' entries and descriptors.
func (l *loader) define(prefixes []string) {
	l.values = make([]symbolValue, len(l.object.symbols))
	for i := range l.object.symbols {
		s := &l.object.symbols[i]
		v := &l.values[i]
		v.program = notPlaced
		switch {
		case s.section == undefinedSection && s.name == abi.ThreadSymbol:
			*v = symbolValue{program: notPlaced, known: true, thread: true}
		case s.section == undefinedSection:
			v.addr, v.known = l.symbols[s.name]
		case int(s.section) < len(l.placed) && l.placed[s.section].program != notPlaced:
			in := &l.placed[s.section]
			*v = symbolValue{program: in.program, addr: in.addr + s.value, known: true}
			l.noteEntry(prefixes[in.program], s.name, v)
		}
	}
}

// noteEntry keeps the address of a program's entry or module descriptor.
func (l *loader) noteEntry(prefix, name string, v *symbolValue) {
	if len(name) <= len(prefix) || name[:len(prefix)] != prefix {
		return
	}
	switch name[len(prefix):] {
	case "." + abi.EntrySymbol:
		l.images[v.program].Entry = v.addr
	case "." + abi.ModuleSymbol:
		l.images[v.program].Module = v.addr
	}
}

// relocate writes one address into a program's bytes.
func (l *loader) relocate(r *relocation) error {
	in := &l.placed[r.section]
	if in.program == notPlaced {
		return fmt.Errorf("a relocation in section %s", l.object.sections[r.section].name)
	}
	kind, ok := relocationKinds[r.kind]
	if !ok {
		return fmt.Errorf("unknown relocation type %d in section %s", r.kind, l.object.sections[r.section].name)
	}
	if r.symbol >= uint32(len(l.values)) || r.offset > uint64(len(in.bytes)) || uint64(len(in.bytes))-r.offset < uint64(kind.size) {
		return fmt.Errorf("a malformed relocation in section %s", l.object.sections[r.section].name)
	}
	v := &l.values[r.symbol]
	name := l.object.symbols[r.symbol].name
	switch {
	case !v.known:
		return fmt.Errorf("unknown symbol %q", name)
	case v.program != notPlaced && v.program != in.program:
		return fmt.Errorf("a program uses symbol %q of another", name)
	case v.thread != (kind.base == fromThread):
		return fmt.Errorf("relocation type %d of symbol %q", r.kind, name)
	}
	value := int64(v.addr) + r.addend
	switch kind.base {
	case fromPlace:
		value -= int64(in.addr + r.offset)
	case fromThread:
		value = l.layout.TPOff + r.addend
	}
	if kind.size == 8 {
		binary.LittleEndian.PutUint64(in.bytes[r.offset:], uint64(value))
		return nil
	}
	if kind.unsigned && value != int64(uint32(value)) || !kind.unsigned && value != int64(int32(value)) {
		return fmt.Errorf("symbol %q is out of reach", name)
	}
	binary.LittleEndian.PutUint32(in.bytes[r.offset:], uint32(value))
	return nil
}
