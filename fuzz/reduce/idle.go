package reduce

import (
	"slices"

	"rokrig/compiler/syntax"
)

// idle removes what the oracle did not execute: functions and statements; and it puts constants in the place of such
// expressions in statements that were executed. All of it goes first, then halves of it, and so on. A program that shows
// a bug in code that the oracle does not come to keeps that part.
func (r *reducer) idle() []edit {
	items := r.idleItems()
	var edits []edit
	for size := len(items); size > 0; size /= 2 {
		for from := 0; from < len(items); from += size {
			edits = append(edits, all(items[from:min(from+size, len(items))]))
		}
	}
	return edits
}

func (r *reducer) idleItems() []edit {
	var items []edit
	for _, d := range r.file.Decls {
		if r.isIdle(d) {
			items = append(items, drop(&r.file.Decls, d))
		}
	}
	found := find(r.file)
	for _, b := range found.blocks {
		for _, s := range b.Stmts {
			if r.isIdle(s) {
				items = append(items, drop(&b.Stmts, s))
			}
		}
	}
	for _, p := range found.exprs {
		if n, known := r.ran[(*p).Where()]; known && n == 0 {
			if c := r.constants(*p); len(c) > 0 {
				items = append(items, set(p, c[len(c)-1])) // the last one says its type
			}
		}
	}
	return items
}

// isIdle reports whether something was in the oracle's reach and no part of it was executed.
func (r *reducer) isIdle(node any) bool {
	seen := false
	for _, p := range find(&node).exprs {
		n, known := r.ran[(*p).Where()]
		if n > 0 {
			return false
		}
		seen = seen || known
	}
	return seen
}

// drop removes an element of a list, wherever it stands by then.
func drop[T syntax.Node](list *[]T, element T) edit {
	return func() func() {
		old := *list
		kept := make([]T, 0, len(old))
		for _, x := range old {
			if syntax.Node(x) != syntax.Node(element) {
				kept = append(kept, x)
			}
		}
		*list = kept
		return func() { *list = old }
	}
}

// all is several edits as one.
func all(edits []edit) edit {
	return func() func() {
		var undos []func()
		for _, e := range edits {
			undos = append(undos, e())
		}
		slices.Reverse(undos)
		return func() {
			for _, undo := range undos {
				undo()
			}
		}
	}
}
