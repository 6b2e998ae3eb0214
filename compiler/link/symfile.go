package link

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"rokrig/runtime/abi"
	"rokrig/runtime/runner"
)

// threadBlock stands for the runtime's thread block, without which ld refuses the references to it.
const threadBlock = "\t.section .tbss,\"awT\",@nobits\n\t.globl " + abi.ThreadSymbol + "\n" + abi.ThreadSymbol + ":\n\t.zero %d\n"

// Symfile makes what a debugger reads of a program that runs at an image's addresses: an ELF file with its symbols and
// lines. text is the program's, without a symbol prefix and with lines. Errors: as or ld is missing or refuses.
func (rt *Runtime) Symfile(ctx context.Context, text []byte, im *runner.Image) ([]byte, error) {
	dir, err := os.MkdirTemp("", "rokrig-symfile-")
	if err != nil {
		return nil, fmt.Errorf("link: %w", err)
	}
	defer os.RemoveAll(dir)
	object, err := assemble(ctx, [][]byte{text, fmt.Appendf(nil, threadBlock, abi.ThreadBlockSize)})
	if err != nil {
		return nil, err
	}
	in, out, script := filepath.Join(dir, "program.o"), filepath.Join(dir, "symfile"), filepath.Join(dir, "script")
	if err := os.WriteFile(in, object, 0o600); err != nil {
		return nil, fmt.Errorf("link: %w", err)
	}
	layout := fmt.Sprintf("SECTIONS { .text 0x%x : { *(.text) } .rodata : { *(.rodata) } .data 0x%x : { *(.data) } .tbss : { *(.tbss) } }",
		im.CodeAddr, rt.layout.DataBase)
	if err := os.WriteFile(script, []byte(layout), 0o600); err != nil {
		return nil, fmt.Errorf("link: %w", err)
	}
	// Addresses outside the program do not matter here.
	cmd := exec.CommandContext(ctx, "ld", "-static", "-T", script, "-e", abi.EntrySymbol, "--unresolved-symbols=ignore-all", "-o", out, in)
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, toolError("ld", said, err)
	}
	return os.ReadFile(out)
}
