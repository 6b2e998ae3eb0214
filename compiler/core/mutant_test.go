package core_test

import (
	"testing"

	"rokrig/compiler/core"
)

// mutants has a program for each mutant of lowering on which it makes a difference, and one on which it must not: the
// effect that the catalogue names, and no other.
var mutants = []struct{ name, hit, miss string }{
	{"core/guard-skips-arms",
		`fn f(n: i64) -> i64 { match n { 1 if n > 2 => 1, 1 => 2, _ => 3 } }`,
		`fn f(n: i64) -> i64 { match n { 1 => 2, _ => 3 } }`},
	{"core/range-includes-end", `for i in 0..3 { print i; }`, `for i in 0..=3 { print i; }`},
	{"core/range-inclusive-no-end", `for i in 0..=3 { print i; }`, `for i in 0..3 { print i; }`},
	{"core/eager-or", `fn f(a: bool, b: bool) -> bool { a || b }`, `fn f(a: bool, b: bool) -> bool { a && b }`},
	{"control/break-innermost", `'a: loop { while true { break 'a; } break; }`, `'a: loop { while true { break; } break 'a; }`},
	{"core/operands-reversed",
		`fn f() -> i64 { 1 } fn g(x: i64) -> i64 { x - f() } fn h(x: i64) -> bool { x < f() }`,
		`fn f() -> i64 { 1 } fn g(x: i64) -> i64 { f() - x }`},
	{"core/assign-op-rereads", `fn f(mut x: i64) { x += { x = 2; 3 }; }`, `fn f(mut x: i64) { x = x + { x = 2; 3 }; }`},
	{"control/match-range-end",
		`fn f(n: i64) -> i64 { match n { 1..=3 => 1, _ => 2 } }`,
		`fn f(n: i64) -> i64 { match n { 1..=1 => 1, _ => 2 } }`},
	{"control/continue-innermost", `'a: for i in 0..3 { for j in 0..3 { continue 'a; } }`, `'a: for i in 0..3 { for j in 0..3 { continue; } continue 'a; }`},
	{"control/guard-first-alternative",
		`fn f(a: i64, b: i64) -> i64 { match (a, b) { (x, _) | (_, x) if x > 5 => x, _ => 0 } }`,
		`fn f(a: i64, b: i64) -> i64 { match (a, b) { (x, 1 | 2) if x > 5 => x, _ => 0 } }`},
	{"core/wildcard-one-word",
		`fn f(t: ((i64, i64), i64)) -> i64 { match t { (_, 1) => 10, (_, x) => x } }`,
		`fn f(t: (i64, i64)) -> i64 { match t { (_, 1) => 10, (_, x) => x } }`},
	{"core/tree-class-by-first-row",
		`fn f(a: i64, b: i64) -> i64 { match (a, b) { (0..=9, 1) => 1, (5, 2) => 2, _ => 3 } }`,
		`fn f(a: i64, b: i64) -> i64 { match (a, b) { (0..=9, _) => 1, (5, 2) => 2, _ => 3 } }`},
	{"core/global-flag-early", `fn f() -> i64 { g } let g = 1;`, `fn f() -> i64 { 2 } let g = f();`},
	{"core/tuple-part-swapped", `fn f(mut t: (i64, i64)) { t.1 = 2; }`, `fn f(mut t: (i64, i64)) { t.0 = 2; }`},
}

func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			plan := planOf(t, m.name)
			mutated := core.Lower(check(t, m.hit), core.Options{Mutant: plan})
			for _, fault := range core.Verify(mutated) {
				t.Error(fault)
			}
			if !plan.Reached() || core.Print(mutated) == core.Print(lower(t, m.hit)) {
				t.Errorf("no effect on %s", m.hit)
			}
			plan = planOf(t, m.name)
			spared := core.Lower(check(t, m.miss), core.Options{Mutant: plan})
			if plan.Reached() || core.Print(spared) != core.Print(lower(t, m.miss)) {
				t.Errorf("an effect on %s", m.miss)
			}
		})
	}
}
