package runner

import (
	"os"
	"syscall"
)

// ownedPrivately tells whether dir is a folder of this user that nobody else
// can write: what lies in it gets executed.
func ownedPrivately(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o022 != 0 {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
