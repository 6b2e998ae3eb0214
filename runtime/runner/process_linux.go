package runner

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"rokrig/runtime/abi"
)

// process is the runner process: a zygote and the worker it forks.
type process struct {
	control *os.File // commands to the zygote
	batch   *os.File // a byte for each batch
	reply   *os.File
	stderr  lockedBuffer
	done    chan struct{} // closed when the zygote has ended
	pid     int           // of the zygote
	kill    func() error
	// patience is how long nothing may move, beyond the programs' CPU limit.
	patience time.Duration
}

// startTimeout bounds what takes milliseconds: starting, reforking, ending.
const startTimeout = 30 * time.Second

// startProcess starts the zygote on m and waits until it is ready.
func startProcess(path string, m *memory) (*process, error) {
	var files []*os.File
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	pipe := func() (r, w *os.File, err error) {
		r, w, err = os.Pipe()
		if err == nil {
			files = append(files, r, w)
		}
		return r, w, err
	}
	controlR, controlW, err1 := pipe()
	replyR, replyW, err2 := pipe()
	batchR, batchW, err3 := pipe()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, fmt.Errorf("runner: %w", err)
	}
	cmd := exec.Command(path)
	cmd.Stdin, cmd.Stdout = controlR, replyW
	cmd.ExtraFiles = []*os.File{m.controlFile, m.codeFile, batchR} // fdShared, fdCode, fdBatch
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p := &process{control: controlW, batch: batchW, reply: replyR, done: make(chan struct{}), patience: 10 * time.Second}
	cmd.Stderr = &p.stderr
	started := make(chan error)
	go func() {
		// The parent-death signal goes by the thread that forked, so that
		// thread has to stay.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			cmd.Wait()
		}
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("runner: %w", err)
	}
	p.pid, p.kill = cmd.Process.Pid, cmd.Process.Kill
	files = []*os.File{controlR, replyW, batchR} // our copies of the child's ends
	for _, f := range files {
		f.Close()
	}
	files = nil
	letter, _, err := p.await(time.Now().Add(startTimeout))
	if err != nil || letter != replyReady {
		p.close()
		return nil, fmt.Errorf("runner: does not start: %v %s", err, p.stderr.String())
	}
	return p, nil
}

// await reads one reply.
func (p *process) await(deadline time.Time) (letter byte, value uint32, err error) {
	var message [5]byte
	if err := p.reply.SetReadDeadline(deadline); err != nil {
		return 0, 0, err
	}
	if _, err := io.ReadFull(p.reply, message[:]); err != nil {
		if errors.Is(err, io.EOF) {
			<-p.done
			err = fmt.Errorf("runner: the runner process ended: %s", p.stderr.String())
		}
		return 0, 0, err
	}
	return message[0], binary.LittleEndian.Uint32(message[1:]), nil
}

// refork replaces the idle worker.
func (p *process) refork() error {
	if _, err := p.control.Write([]byte{commandKill}); err != nil {
		return fmt.Errorf("runner: %w %s", err, p.stderr.String())
	}
	for {
		letter, _, err := p.await(time.Now().Add(startTimeout))
		if err != nil {
			return err
		}
		if letter == replyDead {
			return nil
		}
	}
}

// batchEnd says how a worker came to stop working on a batch.
type batchEnd struct {
	dead   bool
	status unix.WaitStatus
	hung   bool // killed because nothing moved
}

// runBatch has the worker run the batch in shared memory. Programs are timed
// by CPU time in the worker. Only a program that manages to block, which takes
// a bug, is stopped from here, by the clock on the wall.
func (p *process) runBatch(h *batchHeader, cpu time.Duration) (batchEnd, error) {
	patience := 20*cpu + p.patience
	seen := atomic.LoadUint32(&h.Execution)
	if _, err := p.batch.Write([]byte{1}); err != nil {
		return batchEnd{}, fmt.Errorf("runner: %w %s", err, p.stderr.String())
	}
	hung := false
	for deadline := time.Now().Add(patience); ; {
		letter, value, err := p.await(deadline)
		switch {
		case err == nil && letter == replyDead:
			return batchEnd{dead: true, status: unix.WaitStatus(value), hung: hung}, nil
		case err == nil && !hung:
			return batchEnd{}, nil
		case err == nil:
			// It was done after all, but its end is already under way.
		case !errors.Is(err, os.ErrDeadlineExceeded) || hung:
			return batchEnd{}, err
		case atomic.LoadUint32(&h.Execution) != seen:
			seen = atomic.LoadUint32(&h.Execution)
			deadline = time.Now().Add(patience)
		default:
			hung = true
			if _, err := p.control.Write([]byte{commandKill}); err != nil {
				return batchEnd{}, fmt.Errorf("runner: %w", err)
			}
			deadline = time.Now().Add(startTimeout)
		}
	}
}

// result describes the program during which the worker ended.
func (e batchEnd) result() Result {
	r := Result{Kind: abi.Died, Status: -1, Detail: e.describe()}
	if e.status.Signaled() {
		r.Signal = int(e.status.Signal())
	}
	if e.hung {
		r.Kind = abi.Timeout
		r.Detail = "blocked without using CPU time"
	}
	return r
}

func (e batchEnd) describe() string {
	switch {
	case !e.dead:
		return "the worker stopped early"
	case e.status.Signaled():
		return "the worker was ended by " + unix.SignalName(e.status.Signal())
	}
	return fmt.Sprintf("the worker exited with status %d", e.status.ExitStatus())
}

// close ends zygote and worker.
func (p *process) close() error {
	p.control.Close()
	p.batch.Close()
	p.reply.Close()
	select {
	case <-p.done:
		return nil
	case <-time.After(startTimeout):
		return p.kill()
	}
}

// readSymbols finds the runtime's entry points in the runner's symbol table.
func readSymbols(path string) (map[string]uint64, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("runner: %w", err)
	}
	defer f.Close()
	list, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("runner: %s: %w", path, err)
	}
	all := make(map[string]uint64, len(list))
	for _, s := range list {
		all[s.Name] = s.Value
	}
	symbols := make(map[string]uint64, len(abi.EntryPoints)+1)
	names := []string{abi.EmptySymbol}
	for _, e := range abi.EntryPoints {
		names = append(names, e.Name)
	}
	for _, n := range names {
		at, ok := all[n]
		if !ok {
			return nil, fmt.Errorf("runner: %s has no %s", path, n)
		}
		symbols[n] = at
	}
	return symbols, nil
}

// lockedBuffer keeps the first bytes of what the process says.
type lockedBuffer struct {
	mu sync.Mutex
	b  []byte
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	const enough = 4096
	l.b = append(l.b, p[:min(len(p), enough-len(l.b))]...)
	return len(p), nil
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.b)
}
