package link

import (
	"encoding/binary"
	"fmt"

	"rokrig/compiler/mutant"
	"rokrig/compiler/x64"
	"rokrig/runtime/abi"
	"rokrig/runtime/runner"
)

// Runtime is where a batch of objects will run: a runner's memory and the addresses of its entry points.
type Runtime struct {
	Mutant *mutant.Plan // the deliberate bug that is on; nil for none

	layout  runner.Layout
	entries []uint64 // by index into abi.EntryPoints
	empty   uint64
}

// NewRuntime finds every entry point of the runtime among symbols. One that is missing is an error.
func NewRuntime(layout runner.Layout, symbols map[string]uint64) (*Runtime, error) {
	rt := &Runtime{layout: layout, entries: make([]uint64, len(abi.EntryPoints))}
	for i, e := range abi.EntryPoints {
		at, ok := symbols[e.Name]
		if !ok {
			return nil, fmt.Errorf("link: the runtime has no %s", e.Name)
		}
		rt.entries[i] = at
	}
	var ok bool
	if rt.empty, ok = symbols[abi.EmptySymbol]; !ok {
		return nil, fmt.Errorf("link: the runtime has no %s", abi.EmptySymbol)
	}
	return rt, nil
}

// Place binds encoded programs to the addresses of a runtime and returns the image of each, in order: code and constants one
// after another from the code region's start, data at the data region's start, which programs use one at a time. The
// objects are not changed, so they can be placed for several runtimes. Errors: a program does not fit.
func Place(objects []*x64.Object, rt *Runtime) ([]runner.Image, error) {
	images := make([]runner.Image, len(objects))
	next := rt.layout.CodeBase
	for i, o := range objects {
		var err error
		if images[i], err = rt.place(o, next); err != nil {
			return nil, fmt.Errorf("link: program %d: %w", i, err)
		}
		next = alignUp(next+uint64(len(images[i].Code)), codeAlign)
	}
	return images, nil
}

// place binds one program whose code starts at base.
func (rt *Runtime) place(o *x64.Object, base uint64) (runner.Image, error) {
	text, rodata, data := o.Bytes[x64.Text], o.Bytes[x64.Rodata], o.Bytes[x64.Data]
	constants := int(alignUp(uint64(len(text)), abi.PointerSize))
	code := make([]byte, constants+len(rodata))
	copy(code, text)
	copy(code[constants:], rodata)
	im := runner.Image{Code: code, CodeAddr: base, Data: append([]byte(nil), data...),
		Entry: base + uint64(o.Main), Module: rt.layout.DataBase + uint64(o.Module)}
	if base+uint64(len(code)) > rt.layout.CodeBase+rt.layout.CodeSize || uint64(len(data)) > rt.layout.DataSize {
		return im, fmt.Errorf("%d bytes of code and %d of data do not fit into the runner's memory", len(code), len(data))
	}
	bytes := [...][]byte{x64.Text: code, x64.Rodata: code[constants:], x64.Data: im.Data}
	addrs := [...]uint64{x64.Text: base, x64.Rodata: base + uint64(constants), x64.Data: rt.layout.DataBase}
	for i := range o.Fixups {
		f := &o.Fixups[i]
		if f.In == x64.Data && f.Off >= abi.PageSize && rt.Mutant.On(mutant.LinkFixupBeyondPage) {
			continue
		}
		value := int64(rt.address(f, addrs[:])) + f.Addend
		at := bytes[f.In][f.Off:]
		switch f.Kind {
		case x64.Abs64:
			binary.LittleEndian.PutUint64(at, uint64(value))
			continue
		case x64.Rel32:
			value -= int64(addrs[f.In]) + int64(f.Off)
		}
		if value != int64(int32(value)) {
			return im, fmt.Errorf("a distance of %d is out of reach", value)
		}
		binary.LittleEndian.PutUint32(at, uint32(value))
	}
	return im, nil
}

// address is what a fixup refers to, before its addend.
func (rt *Runtime) address(f *x64.Fixup, sections []uint64) uint64 {
	switch f.Ref {
	case x64.RefText:
		return sections[x64.Text]
	case x64.RefRodata:
		return sections[x64.Rodata]
	case x64.RefData:
		return sections[x64.Data]
	case x64.RefEntry:
		return rt.entries[f.ID]
	case x64.RefEmpty:
		return rt.empty
	}
	return uint64(rt.layout.TPOff)
}
