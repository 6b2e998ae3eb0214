package variant

import (
	"testing"

	"rokrig/fuzz/gen"
)

// BenchmarkMake measures the making of a variant beside that of the program it is made of.
func BenchmarkMake(b *testing.B) {
	const n = 200
	var originals []*Original
	var e bench
	for i := range uint64(n) {
		o, _, err := e.run(gen.Program(gen.New(gen.ProgramSeed(11, i)), gen.Options{}).Text)
		if err != nil {
			b.Fatal(err)
		}
		o.Executed = nil // the counts are the machine's, which has gone on
		originals = append(originals, o)
	}
	b.Run("fresh", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			gen.Program(gen.New(gen.ProgramSeed(11, uint64(i%n))), gen.Options{})
		}
	})
	b.Run("variant", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			originals[i%n].places = nil
			Make(gen.New(gen.ProgramSeed(12, uint64(i%n))), originals[i%n])
		}
	})
}
