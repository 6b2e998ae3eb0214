package runner

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

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
	tag     uint64        // of the zygote's replies
	worker  uint32        // number of the worker: how many have ended
	born    func(pid int) // told of each worker of a visible runner; else nil
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
	p := &process{tag: rand.Uint64(), control: controlW, batch: batchW, reply: replyR, done: make(chan struct{}), patience: 10 * time.Second}
	cmd.Stderr = &p.stderr
	m.header.ZygoteTag = p.tag
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
	reply, err := p.await(time.Now().Add(startTimeout))
	if err != nil || reply.Letter != replyReady {
		p.close()
		return nil, fmt.Errorf("runner: does not start: %v %s", err, p.stderr.String())
	}
	return p, nil
}

// await reads one reply; that a worker is born is for p.born. Anything may come
// from a worker that went astray, but always whole messages.
func (p *process) await(deadline time.Time) (message, error) {
	for {
		m, err := p.receive(deadline)
		if err != nil || !p.saysBorn(m) {
			return m, err
		}
	}
}

// saysBorn reports whether m is a worker's message that it is ready, and if so
// passes it on.
func (p *process) saysBorn(m message) bool {
	if m.Letter != replyReady || m.Tag != p.tag || m.Value == 0 || p.born == nil {
		return false
	}
	p.born(int(m.Value))
	return true
}

func (p *process) receive(deadline time.Time) (message, error) {
	var m message
	if err := p.reply.SetReadDeadline(deadline); err != nil {
		return m, err
	}
	if _, err := io.ReadFull(p.reply, unsafe.Slice((*byte)(unsafe.Pointer(&m)), unsafe.Sizeof(m))); err != nil {
		if errors.Is(err, io.EOF) {
			<-p.done
			err = fmt.Errorf("runner: the runner process ended: %s", p.stderr.String())
		}
		return m, err
	}
	return m, nil
}

// saysDead reports whether m is the zygote's message that the worker has ended,
// and if so expects the next one's.
func (p *process) saysDead(m message) bool {
	if m.Letter != replyDead || m.Tag != p.tag {
		return false
	}
	p.worker++
	return true
}

// killWorker has the zygote end the worker and fork another. If it is about to
// end by itself, the command does nothing: there is one message of each
// worker's end.
func (p *process) killWorker() error {
	c := command{commandKill, p.worker}
	if _, err := p.control.Write(unsafe.Slice((*byte)(unsafe.Pointer(&c)), unsafe.Sizeof(c))); err != nil {
		return fmt.Errorf("runner: %w %s", err, p.stderr.String())
	}
	return nil
}

// refork replaces the worker.
func (p *process) refork() error {
	if err := p.killWorker(); err != nil {
		return err
	}
	for {
		m, err := p.await(time.Now().Add(startTimeout))
		if err != nil {
			return err
		}
		if p.saysDead(m) {
			return nil
		}
	}
}

// batchEnd says how a worker came to stop working on a batch.
type batchEnd struct {
	dead   bool
	status unix.WaitStatus
	killed string // why it was killed from here
}

// Why a worker is killed.
const (
	killedBlocked = "blocked without using CPU time"
	killedAstray  = "the program wrote to the runner's driver"
)

// runBatch has the worker run the batch in shared memory. Programs are timed
// by CPU time in the worker. Only a program that manages to block, which takes
// a bug, is stopped from here, by the clock on the wall.
func (p *process) runBatch(mem *memory, cpu time.Duration) (batchEnd, error) {
	patience := 20*cpu + p.patience
	seen := atomic.LoadUint32(&mem.progress.Execution)
	if _, err := p.batch.Write([]byte{1}); err != nil {
		return batchEnd{}, fmt.Errorf("runner: %w %s", err, p.stderr.String())
	}
	killed := ""
	for deadline := time.Now().Add(patience); ; {
		reply, err := p.await(deadline)
		moved := atomic.LoadUint32(&mem.progress.Execution)
		reason := killedBlocked
		switch {
		case err == nil && p.saysDead(reply):
			return batchEnd{dead: true, status: unix.WaitStatus(reply.Value), killed: killed}, nil
		case err == nil && killed != "":
			continue // its end is already under way
		case err == nil && reply.Letter == replyDone && reply.Tag == mem.header.Tag:
			return batchEnd{}, nil
		case err == nil:
			reason = killedAstray
		case !errors.Is(err, os.ErrDeadlineExceeded) || killed != "":
			return batchEnd{}, err
		case moved != seen:
			seen, deadline = moved, time.Now().Add(patience)
			continue
		}
		killed = reason
		if err := p.killWorker(); err != nil {
			return batchEnd{}, err
		}
		deadline = time.Now().Add(startTimeout)
	}
}

// result describes the program during which the worker ended.
func (e batchEnd) result() Result {
	r := Result{Kind: abi.Died, Status: -1, Detail: e.describe()}
	if e.status.Signaled() {
		r.Signal = int(e.status.Signal())
	}
	switch e.killed {
	case killedBlocked:
		r.Kind, r.Detail = abi.Timeout, e.killed
	case killedAstray:
		r.Detail = e.killed
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
