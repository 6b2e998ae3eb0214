package core_test

import (
	"fmt"
	"strings"
	"testing"

	"rokrig/compiler/core"
)

// bigMatches are functions of n arms or parts whose trees would grow out of proportion if nothing bounded them.
var bigMatches = map[string]func(n int) string{
	"integers": func(n int) string {
		return matchOf("i64", n, func(i int) string { return fmt.Sprintf("%d => %d", i*2, i) })
	},
	"integers in two ways": func(n int) string {
		return matchOf("i64", n, func(i int) string { return fmt.Sprintf("%d | %d => %d", i*2, -i-1, i) })
	},
	"strings": func(n int) string {
		return matchOf("str", n, func(i int) string { return fmt.Sprintf("\"s%d\" => %d", i, i) })
	},
	"diagonal": func(n int) string {
		// Each arm asks for one word of its own: a tree that does not share would try all subsets.
		parts := min(n, 6)
		return matchOf("("+strings.Repeat("i64, ", parts)+")", min(n, 18), func(i int) string {
			at := i % parts
			return fmt.Sprintf("(%s%d, %s) => %d", strings.Repeat("_, ", at), i, strings.Repeat("_, ", parts-at-1), i)
		})
	},
	"pairs": func(n int) string {
		return matchOf("("+strings.Repeat("i64, ", 5)+")", min(n, 63), func(i int) string {
			text := ""
			for j := range 5 {
				if (i*7+j*j)%5 < 2 {
					text += fmt.Sprintf("%d..=%d, ", (i*j)%7, (i*j)%7+i%5)
				} else {
					text += "_, "
				}
			}
			return fmt.Sprintf("(%s) => %d", text, i)
		})
	},
	"guards": func(n int) string {
		return matchOf("i64", n, func(i int) string { return fmt.Sprintf("x if x > %d => %d", i*3, i) })
	},
	"alternatives under a guard": func(n int) string {
		alts := strings.Repeat("(1 | 0..=3), ", n%8+1)
		return matchOf("("+strings.Repeat("i64, ", n%8+1)+")", 1, func(int) string { return "(" + alts + ") if true => 1" })
	},
	"alternatives with variables": func(n int) string {
		alts := strings.Repeat("((1, _) | (_, 1)), ", n%8+1)
		return matchOf("("+strings.Repeat("(i64, i64), ", n%8+1)+")", 1, func(int) string { return "(" + alts + ") => 1" })
	},
}

func matchOf(typ string, n int, arm func(i int) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fn f(v: %s) -> i64 { match v {\n", typ)
	for i := range n {
		b.WriteString(arm(i) + ",\n")
	}
	return b.String() + "_ => -1 } }"
}

// count returns how many nodes a tree has, and how deep it is.
func count(e core.Expr) (nodes, depth int) {
	core.EachOperand(e, func(x core.Expr) {
		n, d := count(x)
		nodes, depth = nodes+n, max(depth, d)
	})
	return nodes + 1, depth + 1
}

// TestMatchSize lets a match's code grow no faster than its text, and no deeper than the limits allow.
func TestMatchSize(t *testing.T) {
	for name, text := range bigMatches {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{10, 63, 300, 1500} {
				source := text(n)
				nodes, depth := count(lower(t, source).Funcs[0].Body)
				t.Logf("%d: %d bytes of source, %d nodes, depth %d", n, len(source), nodes, depth)
				if nodes > 4*len(source) {
					t.Errorf("%d nodes for %d bytes of source", nodes, len(source))
				}
				if depth > 400 {
					t.Errorf("depth %d", depth)
				}
			}
		})
	}
}
