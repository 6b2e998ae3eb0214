// Package abi holds every fact on which compiled code and the runtime must
// agree: offsets in the thread block, object headers, flag bits, the layout of
// the tables in a program's data, exit statuses, the runtime's entry points and
// the names of its deliberate bugs.
//
// Each fact is a Go constant. The back ends use the constants, [Header] writes
// the same constants down as the C header rok_abi.h from which the runtime's
// sources are built, and a test asks gcc whether both agree. Nothing here
// depends on a back end, and nothing is repeated elsewhere.
//
// All sizes and offsets are in bytes unless a name says otherwise; the machine
// is x86-64 with pointers of 8 bytes.
package abi

// PointerSize is the size of a pointer and of a machine word.
const PointerSize = 8

// The thread block is the thread-local object rok_tls. Compiled code reaches it
// as %fs:rok_tls@tpoff (local-exec model).
const (
	ThreadSymbol    = "rok_tls"
	ThreadBlockSize = 128
	ThreadAlign     = 16

	ThreadShadowHead  = 0                  // innermost shadow-stack frame, null if none
	ThreadTLABCursor  = PointerSize        // next free byte of the allocation buffer
	ThreadTLABLimit   = 2 * PointerSize    // first byte after it
	ThreadModule      = 3 * PointerSize    // descriptor of the running program
	ThreadTypeTable   = 4 * PointerSize    // its type table
	ThreadStaticTable = 5 * PointerSize    // its table of statics
	ThreadPollCount   = 6 * PointerSize    // slow-path polls since the program began
	ThreadYieldForced = 7 * PointerSize    // not 0: a poll leaves the yield flag set
	ThreadStackLowest = 8 * PointerSize    // lowest usable address of the stack
	ThreadReserved    = 9 * PointerSize    // two words for the runtime to come
	ThreadYieldFlag   = 10*PointerSize + 8 // one byte, tested by every poll
)

// Objects begin with a header of 16 bytes.
const (
	HeaderTypeID  = 0 // u32, index into the type table
	HeaderGCFlags = 4 // u32, the Flag bits
	HeaderGCWord  = 8 // u64, total size rounded up to 8; the new address while FlagForwarded is set
	HeaderSize    = 16

	FieldsOffset   = 16 // first field of a struct; every field takes whole words
	ArrayLength    = 16 // i64, number of elements
	ArrayElements  = 24 // first element
	ObjectAlign    = 8
	MaxArrayLength = 1<<32 - 1
)

// Bits of the gc_flags word. At most one of FlagUnlogged and FlagCarded is set,
// and only in old objects that hold references.
const (
	FlagUnlogged  = 1 << 0 // not in the remembered set: a store must report the object
	FlagCarded    = 1 << 1 // large: a store dirties cards instead
	FlagMarked    = 1 << 2 // reached by the running major collection
	FlagForwarded = 1 << 3 // moved; the gc word holds the new address

	BarrierMask = FlagUnlogged | FlagCarded // what the write barrier tests
)

// Cards. The address of an object's card table lies in the word before its
// header; a card covers CardSize bytes counted from the header.
const (
	CardShift     = 9
	CardSize      = 1 << CardShift
	CardTableSlot = -PointerSize
	CardDirty     = 1
)

// A tagged pair (union, any) is a tag word, then a payload word.
const (
	TaggedTag     = 0 // global type id, a zero-extended u32; compared as 32 bits
	TaggedPayload = 8
	TaggedSize    = 16
	TagNone       = 0
)

// A str is a data pointer, then a length in bytes.
const (
	StrPointer = 0
	StrLength  = 8
	StrSize    = 16
	// EmptySymbol is the one address of every string of length 0.
	EmptySymbol = "rok_empty"
)

// Shadow-stack frames are {previous, count, slots...}. A slot is the address of
// a home word; its low bits say what the word is.
const (
	FramePrev  = 0
	FrameCount = 8
	FrameSlots = 16

	SlotRef      = 0
	SlotInterior = 1
	SlotTagged   = 2
	SlotKindMask = 3
)

// What the collector finds in one word of an object, static or element.
const (
	WordPlain    = 0 // nothing
	WordRef      = 1 // null or the header of an object
	WordInterior = 2 // a string's data pointer
	WordTagged   = 3 // the tag of a pair whose payload is the next word
)

// One entry of the type table, indexed by type id.
const (
	TypeSize      = 0  // u32, bytes with header; of an array, up to its first element
	TypeStride    = 4  // u32, bytes from element to element; 0: not an array
	TypeWords     = 8  // address of one Word... byte for each word after the header; of an array, of one element
	TypeWordCount = 16 // u32
	TypeFlags     = 20 // u32, TypeHasRefs
	TypeName      = 24 // address of the name's bytes
	TypeNameLen   = 32 // i64
	TypeEntrySize = 40

	TypeHasRefs = 1 << 0
)

// One entry of the table of statics.
const (
	StaticAddress   = 0 // address of the word
	StaticKind      = 8 // u32, one of the Word constants
	StaticEntrySize = 16
)

// One entry of the call-site table, in any order. Return addresses found on the
// stack are looked up in it.
const (
	CallReturn    = 0  // u64, address of the instruction after the call
	CallLine      = 8  // u32, from 1
	CallColumn    = 12 // u32, characters from 1
	CallSite      = 16 // u32, site id
	CallReserved  = 20 // u32, 0
	CallEntrySize = 24
)

// The module descriptor, in the program's data at a multiple of 8.
const (
	ModuleFile        = 0  // address of the file name's bytes
	ModuleFileLen     = 8  // i64
	ModuleCalls       = 16 // address of the call-site table
	ModuleCallCount   = 24 // i64
	ModuleTypes       = 32 // address of the type table, null if there is none
	ModuleTypeCount   = 40 // i64
	ModuleStatics     = 48 // address of the table of statics, null if there is none
	ModuleStaticCount = 56 // i64
	ModuleReserved    = 64 // two words, 0
	ModuleSize        = 80
)

// Symbols that a compiled program defines.
const (
	EntrySymbol  = "rok_main"   // void rok_main(void)
	ModuleSymbol = "rok_module" // the module descriptor
)

// StackSize is the usable stack of a program, touched lazily; below it lie
// StackGuard inaccessible bytes. A frame larger than PageSize touches each of
// its pages from the top down, so that it cannot step over the guard.
const (
	StackSize  = 64 << 20
	StackGuard = 1 << 20
	StackAlign = 16
	PageSize   = 4096
)

// Field is one member of a structure.
type Field struct {
	Name   string
	C      string // C type of the member, or of its elements
	Offset int
	Count  int // 0: a single member; otherwise an array of so many
	Doc    string
}

// Struct is a layout that C sees as a structure.
type Struct struct {
	Name   string // C tag
	Size   int
	Fields []Field // by offset; holes are padded by the header
	Doc    string
}

// Structs lists the layouts that runtime sources read as C structures.
var Structs = []Struct{
	{"rok_thread", ThreadBlockSize, []Field{
		{"shadow_head", "void *", ThreadShadowHead, 0, "innermost shadow-stack frame"},
		{"tlab_cursor", "char *", ThreadTLABCursor, 0, "next free byte"},
		{"tlab_limit", "char *", ThreadTLABLimit, 0, "first byte after the buffer"},
		{"module", "const struct rok_module *", ThreadModule, 0, "the running program"},
		{"types", "const struct rok_type *", ThreadTypeTable, 0, "its type table"},
		{"statics", "const struct rok_static *", ThreadStaticTable, 0, "its statics"},
		{"poll_count", "uint64_t", ThreadPollCount, 0, "slow-path polls"},
		{"yield_forced", "uint64_t", ThreadYieldForced, 0, "a poll leaves the flag set"},
		{"stack_lowest", "char *", ThreadStackLowest, 0, "lowest usable stack address"},
		{"reserved", "uint64_t", ThreadReserved, 2, ""},
		{"yield_flag", "volatile uint8_t", ThreadYieldFlag, 0, "tested by every poll"},
	}, "thread block"},
	{"rok_header", HeaderSize, []Field{
		{"type_id", "uint32_t", HeaderTypeID, 0, ""},
		{"gc_flags", "uint32_t", HeaderGCFlags, 0, ""},
		{"gc_word", "uint64_t", HeaderGCWord, 0, "size, or new address"},
	}, "object header"},
	{"rok_type", TypeEntrySize, []Field{
		{"size", "uint32_t", TypeSize, 0, ""},
		{"stride", "uint32_t", TypeStride, 0, "0: not an array"},
		{"words", "const uint8_t *", TypeWords, 0, "one ROK_WORD_... each"},
		{"word_count", "uint32_t", TypeWordCount, 0, ""},
		{"flags", "uint32_t", TypeFlags, 0, ""},
		{"name", "const char *", TypeName, 0, ""},
		{"name_len", "int64_t", TypeNameLen, 0, ""},
	}, "entry of the type table"},
	{"rok_static", StaticEntrySize, []Field{
		{"address", "uint64_t *", StaticAddress, 0, ""},
		{"kind", "uint32_t", StaticKind, 0, "a ROK_WORD_..."},
	}, "entry of the table of statics"},
	{"rok_call", CallEntrySize, []Field{
		{"return_address", "uint64_t", CallReturn, 0, ""},
		{"line", "uint32_t", CallLine, 0, ""},
		{"column", "uint32_t", CallColumn, 0, ""},
		{"site", "uint32_t", CallSite, 0, ""},
		{"reserved", "uint32_t", CallReserved, 0, "0"},
	}, "entry of the call-site table"},
	{"rok_module", ModuleSize, []Field{
		{"file", "const char *", ModuleFile, 0, ""},
		{"file_len", "int64_t", ModuleFileLen, 0, ""},
		{"calls", "const struct rok_call *", ModuleCalls, 0, ""},
		{"call_count", "int64_t", ModuleCallCount, 0, ""},
		{"types", "const struct rok_type *", ModuleTypes, 0, ""},
		{"type_count", "int64_t", ModuleTypeCount, 0, ""},
		{"statics", "const struct rok_static *", ModuleStatics, 0, ""},
		{"static_count", "int64_t", ModuleStaticCount, 0, ""},
		{"reserved", "uint64_t", ModuleReserved, 2, "0"},
	}, "module descriptor"},
	{"rok_str", StrSize, []Field{
		{"data", "const char *", StrPointer, 0, ""},
		{"length", "int64_t", StrLength, 0, ""},
	}, "a str value, as rok_str_slice returns it"},
}

// Number is a fact that C sees as a macro.
type Number struct {
	Name  string
	Value int64
}

// Numbers lists the facts that runtime sources use as plain values.
var Numbers = []Number{
	{"ROK_THREAD_ALIGN", ThreadAlign},
	{"ROK_ARRAY_LENGTH", ArrayLength},
	{"ROK_ARRAY_ELEMENTS", ArrayElements},
	{"ROK_OBJECT_ALIGN", ObjectAlign},
	{"ROK_MAX_ARRAY_LENGTH", MaxArrayLength},
	{"ROK_FLAG_UNLOGGED", FlagUnlogged},
	{"ROK_FLAG_CARDED", FlagCarded},
	{"ROK_FLAG_MARKED", FlagMarked},
	{"ROK_FLAG_FORWARDED", FlagForwarded},
	{"ROK_BARRIER_MASK", BarrierMask},
	{"ROK_CARD_SHIFT", CardShift},
	{"ROK_CARD_SIZE", CardSize},
	{"ROK_CARD_TABLE_SLOT", CardTableSlot},
	{"ROK_CARD_DIRTY", CardDirty},
	{"ROK_TAG_NONE", TagNone},
	{"ROK_FRAME_PREV", FramePrev},
	{"ROK_FRAME_COUNT", FrameCount},
	{"ROK_FRAME_SLOTS", FrameSlots},
	{"ROK_SLOT_REF", SlotRef},
	{"ROK_SLOT_INTERIOR", SlotInterior},
	{"ROK_SLOT_TAGGED", SlotTagged},
	{"ROK_SLOT_KIND_MASK", SlotKindMask},
	{"ROK_WORD_PLAIN", WordPlain},
	{"ROK_WORD_REF", WordRef},
	{"ROK_WORD_INTERIOR", WordInterior},
	{"ROK_WORD_TAGGED", WordTagged},
	{"ROK_TYPE_HAS_REFS", TypeHasRefs},
	{"ROK_STACK_SIZE", StackSize},
	{"ROK_STACK_GUARD", StackGuard},
	{"ROK_STACK_ALIGN", StackAlign},
	{"ROK_PAGE_SIZE", PageSize},
}
