package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// patience is the time that one mutant may take, in the scripts and again in the tests (-patience).
var patience = time.Minute

// killMutants runs the scripts against each chosen mutant, then the tests against the survivors for which
// skipTests is false. It stores the results in the mutants.
func (t target) killMutants(work string, workers int, chosen []*mutant, skipTests func(*mutant) bool) error {
	if len(t.games) > 0 {
		err := runWorkers(workers, chosen, func(todo <-chan *mutant) error { return killByScripts(filepath.Join(work, "play"), todo) })
		if err != nil {
			return err
		}
	}
	alive := slices.DeleteFunc(slices.Clone(chosen), func(m *mutant) bool { return m.killedBy != "" || skipTests(m) })
	if len(alive) == 0 {
		return nil
	}
	tests, err := t.traceTests(work, workers)
	if err != nil {
		return err
	}
	return runWorkers(workers, alive, func(todo <-chan *mutant) error {
		for m := range todo {
			t.testMutant(work, tests, m)
		}
		return nil
	})
}

// runWorkers divides a list among workers, and returns their errors when all have ended.
func runWorkers[T any](workers int, list []T, work func(<-chan T) error) error {
	todo := make(chan T, len(list))
	for _, m := range list {
		todo <- m
	}
	close(todo)
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() { errs[i] = work(todo) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// killByScripts gives mutants to one process that plays the scripts, and stores the results in the mutants. It
// starts another process when a mutant ends it or exceeds patience.
func killByScripts(binary string, todo <-chan *mutant) error {
	var cmd *exec.Cmd
	var in io.WriteCloser
	var out *bufio.Scanner
	halt := func() {
		if cmd != nil {
			_ = in.Close()
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			cmd = nil
		}
	}
	defer halt()
	for m := range todo {
		if cmd == nil {
			cmd = exec.Command(binary)
			in, _ = cmd.StdinPipe()
			pipe, _ := cmd.StdoutPipe()
			out = bufio.NewScanner(pipe)
			if err := cmd.Start(); err != nil {
				return err
			}
			if !out.Scan() || out.Text() != "ready" {
				rest := out.Text()
				for out.Scan() {
					rest += "\n" + out.Text()
				}
				return fmt.Errorf("the scripts do not hold as they are: %s", rest)
			}
		}
		late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		fmt.Fprintln(in, m.n)
		if ok, intime := out.Scan(), late.Stop(); !intime || !ok {
			m.killedBy, m.byScript, m.timedOut = "a script that came to no end", true, !intime
			halt()
			continue
		}
		f := strings.SplitN(out.Text(), " ", 3)
		m.survivedHow = f[1] + " scenes"
		m.killedBy = f[2]
		m.byScript = m.killedBy != ""
	}
	return nil
}

// treeTest compares COVERAGE.md with the tree, which changes more often than the rules.
const treeTest = "TestRuleCoverage"

// tracedTest is a test and the places that it passes.
type tracedTest struct {
	name   string
	seen   map[int]bool
	passes int
	took   time.Duration
}

// traceTests runs every quick test once without a mutant, and returns them by duration.
func (t target) traceTests(work string, workers int) ([]*tracedTest, error) {
	list := exec.Command(filepath.Join(work, "test"), "-test.list", ".")
	list.Dir = t.dir
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	var tests []*tracedTest
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(name, "Benchmark") {
			tests = append(tests, &tracedTest{name: name, seen: map[int]bool{}})
		}
	}
	err = runWorkers(workers, tests, func(todo <-chan *tracedTest) error {
		for test := range todo {
			if err := t.traceTest(work, test); err != nil {
				return err
			}
		}
		return nil
	})
	slices.SortFunc(tests, func(a, b *tracedTest) int { return cmp.Compare(a.took, b.took) })
	return tests, err
}

// traceTest runs a quick test without a mutant and records in it how long that took and which places it passes.
func (t target) traceTest(work string, test *tracedTest) error {
	file := filepath.Join(work, test.name+".trace")
	start := time.Now()
	out, fault := t.testCommand(work, []*tracedTest{test}, "MUT_TRACE="+file).CombinedOutput()
	test.took = time.Since(start)
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if fault != nil && test.name == treeTest {
		return nil // it checks the tree, not the engine: make test reports it
	} else if fault != nil {
		return fmt.Errorf("%s fails already: %s", test.name, out)
	}
	for line := range strings.FieldsSeq(string(data)) {
		if n, err := strconv.Atoi(line); err == nil {
			test.seen[n] = true
		} else {
			test.passes += 10000
		}
	}
	return nil
}

// testCommand returns the command that runs some tests in the package's folder.
func (t target) testCommand(work string, tests []*tracedTest, env string) *exec.Cmd {
	names := make([]string, len(tests))
	for i, test := range tests {
		names[i] = test.name
	}
	cmd := exec.Command(filepath.Join(work, "test"), "-test.short", "-test.failfast", "-test.timeout", patience.String(),
		"-test.run", "^("+strings.Join(names, "|")+")$")
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", env)
	return cmd
}

// testMutant runs the tests that pass the place of a mutant, the quickest half first, and stores the result in
// the mutant.
func (t target) testMutant(work string, tests []*tracedTest, m *mutant) {
	passes := 10000
	reach := slices.DeleteFunc(slices.Clone(tests), func(test *tracedTest) bool { return !test.seen[m.n] })
	for _, test := range reach {
		passes += test.passes
	}
	m.survivedHow = strings.TrimPrefix(fmt.Sprintf("%s, %d tests pass it", m.survivedHow, len(reach)), ", ")
	half := (len(reach) + 1) / 2
	for _, some := range [][]*tracedTest{reach[:half], reach[half:]} {
		if len(some) == 0 {
			continue
		}
		cmd := t.testCommand(work, some, "MUT_ACTIVE="+strconv.Itoa(m.n))
		cmd.Env = append(cmd.Env, "MUT_FUEL="+strconv.Itoa(20*passes))
		if out, err := cmd.CombinedOutput(); err != nil {
			m.killedBy, m.timedOut = "a test", bytes.Contains(out, []byte("panic: test timed out"))
			if _, rest, ok := bytes.Cut(out, []byte("--- FAIL: ")); ok {
				m.killedBy, _, _ = strings.Cut(string(rest), " ")
			}
			return
		}
	}
}
