package link

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"

	"golang.org/x/sys/unix"
)

// assemble runs as over the texts, joined into one file, and returns the object. It goes through memory: neither the text
// nor the object is a file on disk.
func assemble(ctx context.Context, texts [][]byte) ([]byte, error) {
	fd, err := unix.MemfdCreate("rokrig-object", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memfd_create: %w", err)
	}
	object := os.NewFile(uintptr(fd), "rokrig-object")
	defer object.Close()
	readers := make([]io.Reader, len(texts))
	for i, t := range texts {
		readers[i] = bytes.NewReader(t)
	}
	cmd := exec.CommandContext(ctx, "as", "-o", "/proc/self/fd/3", "-")
	cmd.Stdin = io.MultiReader(readers...)
	cmd.ExtraFiles = []*os.File{object}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, toolError("as", out, err)
	}
	if _, err := object.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("as: reading the object: %w", err)
	}
	data, err := io.ReadAll(object)
	if err != nil {
		return nil, fmt.Errorf("as: reading the object: %w", err)
	}
	return data, nil
}
