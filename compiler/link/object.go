package link

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// object is what Load needs of a relocatable ELF file.
type object struct {
	sections    []section // by section index
	symbols     []objectSymbol
	relocations []relocation
}

type section struct {
	name  string
	bytes []byte
	align uint64
}

type objectSymbol struct {
	name    string
	section uint16
	value   uint64
}

// undefinedSection is the section of a symbol that another file defines.
const undefinedSection = uint16(elf.SHN_UNDEF)

type relocation struct {
	section int // which it changes
	offset  uint64
	kind    elf.R_X86_64
	symbol  uint32
	addend  int64
}

// base says what a relocated value is counted from.
type base uint8

const (
	fromZero base = iota
	fromPlace
	fromThread
)

// relocationKinds are the relocations that package x64's text leads to.
var relocationKinds = map[elf.R_X86_64]struct {
	base     base
	size     int
	unsigned bool
}{
	elf.R_X86_64_64:      {fromZero, 8, false},
	elf.R_X86_64_32:      {fromZero, 4, true},
	elf.R_X86_64_32S:     {fromZero, 4, false},
	elf.R_X86_64_PC32:    {fromPlace, 4, false},
	elf.R_X86_64_PLT32:   {fromPlace, 4, false},
	elf.R_X86_64_TPOFF32: {fromThread, 4, false},
}

// Sizes of the records in an ELF64 file.
const (
	symbolSize = 24
	relaSize   = 24
)

// readObject reads a relocatable x86-64 file.
func readObject(data []byte) (*object, error) {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("link: reading the object: %w", err)
	}
	if f.Machine != elf.EM_X86_64 || f.Type != elf.ET_REL {
		return nil, fmt.Errorf("link: the object is %v for %v", f.Type, f.Machine)
	}
	o := &object{sections: make([]section, len(f.Sections))}
	for i, s := range f.Sections {
		sec := &o.sections[i]
		sec.name, sec.align = s.Name, s.Addralign
		if s.Type == elf.SHT_NOBITS || s.Type == elf.SHT_NULL {
			continue
		}
		if sec.bytes, err = s.Data(); err != nil {
			return nil, fmt.Errorf("link: section %s: %w", s.Name, err)
		}
	}
	for i, s := range f.Sections {
		switch s.Type {
		case elf.SHT_SYMTAB:
			err = o.readSymbols(o.sections[i].bytes, int(s.Link))
		case elf.SHT_RELA:
			err = o.readRelocations(o.sections[i].bytes, int(s.Info))
		case elf.SHT_REL:
			err = fmt.Errorf("link: section %s holds relocations without addends", s.Name)
		}
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (o *object) readSymbols(table []byte, names int) error {
	if names <= 0 || names >= len(o.sections) {
		return fmt.Errorf("link: the symbol table has no names")
	}
	strings := o.sections[names].bytes
	o.symbols = make([]objectSymbol, len(table)/symbolSize)
	for i := range o.symbols {
		rec := table[i*symbolSize:]
		at := uint64(binary.LittleEndian.Uint32(rec))
		if at > uint64(len(strings)) {
			return fmt.Errorf("link: symbol %d has no name", i)
		}
		name := strings[at:]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		o.symbols[i] = objectSymbol{string(name), binary.LittleEndian.Uint16(rec[6:]), binary.LittleEndian.Uint64(rec[8:])}
	}
	return nil
}

func (o *object) readRelocations(table []byte, target int) error {
	if target <= 0 || target >= len(o.sections) {
		return fmt.Errorf("link: relocations without a section")
	}
	for ; len(table) >= relaSize; table = table[relaSize:] {
		info := binary.LittleEndian.Uint64(table[8:])
		o.relocations = append(o.relocations, relocation{
			section: target,
			offset:  binary.LittleEndian.Uint64(table),
			kind:    elf.R_X86_64(uint32(info)),
			symbol:  uint32(info >> 32),
			addend:  int64(binary.LittleEndian.Uint64(table[16:])),
		})
	}
	return nil
}
