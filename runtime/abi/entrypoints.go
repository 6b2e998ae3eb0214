package abi

// Type is the type of a parameter or result of a runtime entry point, as fine
// as C needs it. Calling conventions only look at its Class.
type Type uint8

// I64 and U64 hold narrower integers normalised: sign- or zero-extended.
const (
	I64 Type = iota
	U64
	Pointer
	F32
	F64
)

// Class is the kind of register in which a value travels.
type Class uint8

// The classes of the calling conventions.
const (
	ClassInt Class = iota
	ClassF32
	ClassF64
)

// Class tells the register class of t.
func (t Type) Class() Class {
	switch t {
	case F32:
		return ClassF32
	case F64:
		return ClassF64
	}
	return ClassInt
}

// EntryPoint is a function of the runtime that compiled code calls by the
// platform's C convention. Two integer results come back in rax and rdx.
type EntryPoint struct {
	Name      string
	Params    []Type
	Results   []Type
	MayPanic  bool // can end in a panic of the language
	NoReturn  bool
	Safepoint bool // the collector may run inside
}

// IntKind is one of the language's integer types.
type IntKind struct {
	Name   string
	Bits   int
	Signed bool
}

// IntKinds lists them; an entry point that exists per type has the name as its
// suffix.
var IntKinds = []IntKind{
	{"i8", 8, true}, {"i16", 16, true}, {"i32", 32, true}, {"i64", 64, true},
	{"u8", 8, false}, {"u16", 16, false}, {"u32", 32, false}, {"u64", 64, false},
}

// word is the Type that carries a value of kind k.
func (k IntKind) word() Type {
	if k.Signed {
		return I64
	}
	return U64
}

// EntryPoints is the table of all entry points, in a fixed order.
var EntryPoints = entryPoints()

// entryIndex finds an entry point by name; built once, never iterated.
var entryIndex = func() map[string]int {
	m := make(map[string]int, len(EntryPoints))
	for i, e := range EntryPoints {
		m[e.Name] = i
	}
	return m
}()

// LookupEntry returns the entry point called name.
func LookupEntry(name string) (EntryPoint, bool) {
	i, ok := entryIndex[name]
	if !ok {
		return EntryPoint{}, false
	}
	return EntryPoints[i], true
}

func entryPoints() []EntryPoint {
	types := func(t ...Type) []Type { return t }
	table := []EntryPoint{
		// Printing is buffered and no safepoint.
		{Name: "mini_print_int", Params: types(I64)},
		{Name: "rok_print_i64", Params: types(I64)},
		{Name: "rok_print_u64", Params: types(U64)},
		{Name: "rok_print_f32", Params: types(F32)},
		{Name: "rok_print_f64", Params: types(F64)},
		{Name: "rok_print_bool", Params: types(U64)},
		{Name: "rok_print_str", Params: types(Pointer, I64)},
		{Name: "rok_print_sep"},
		{Name: "rok_print_nl"},
		// Strings are (pointer, length); places are (line, column).
		{Name: "rok_str_eq", Params: types(Pointer, I64, Pointer, I64), Results: types(U64)},
		{Name: "rok_str_cmp", Params: types(Pointer, I64, Pointer, I64), Results: types(I64)},
		{Name: "rok_str_index", Params: types(Pointer, I64, I64, I64, I64), Results: types(U64), MayPanic: true},
		{Name: "rok_str_slice", Params: types(Pointer, I64, I64, I64, I64, I64), Results: types(Pointer, I64), MayPanic: true},
		// Panics.
		{Name: "rok_panic", Params: types(Pointer, I64, I64, I64), MayPanic: true, NoReturn: true},
		{Name: "rok_panic_bounds", Params: types(I64, I64, I64, I64), MayPanic: true, NoReturn: true},
		// Floats.
		{Name: "rok_fmod_f32", Params: types(F32, F32), Results: types(F32)},
		{Name: "rok_fmod_f64", Params: types(F64, F64), Results: types(F64)},
		{Name: "rok_u64_to_f32", Params: types(U64), Results: types(F32)},
		{Name: "rok_u64_to_f64", Params: types(U64), Results: types(F64)},
		// The slow path of a poll.
		{Name: "rok_runtime_yield", Safepoint: true},
	}
	for _, op := range []string{"div", "mod", "pow"} {
		for _, k := range IntKinds {
			table = append(table, checkedArith("rok_"+op+"_"+k.Name, k.word()))
		}
		table = append(table, checkedArith("mini_"+op, I64))
	}
	for _, k := range IntKinds {
		table = append(table,
			EntryPoint{Name: "rok_f32_to_" + k.Name, Params: types(F32), Results: types(k.word())},
			EntryPoint{Name: "rok_f64_to_" + k.Name, Params: types(F64), Results: types(k.word())})
	}
	return table
}

// checkedArith is the shape of the arithmetic helpers: (a, b, line, column).
func checkedArith(name string, t Type) EntryPoint {
	return EntryPoint{Name: name, Params: []Type{t, t, I64, I64}, Results: []Type{t}, MayPanic: true}
}
