package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"
)

// Exit statuses: the same for every command. majordome --help, the man page and the manual list them.
const (
	exitDone    = 0 // done, and nothing wrong with what was looked at; also stopped by Ctrl-C
	exitWrong   = 1 // it could not be done, or something is wrong with what was looked at
	exitMisused = 2 // the command line was not understood, and nothing was done
)

// misuse is an error about how a command was written.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// statusOf is the exit status of what a command has returned; begun: its own part was reached, the library has understood all of it.
func statusOf(err error, begun bool) int {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return exitDone
	case !begun, errors.As(err, new(misuse)):
		return exitMisused
	}
	return exitWrong
}

// noteBegin lets begun become true when the own part of any command is reached.
func noteBegin(root *cobra.Command, begun *bool) {
	walk(root, func(c *cobra.Command) {
		if own := c.RunE; own != nil {
			c.RunE = func(c *cobra.Command, args []string) error {
				*begun = true
				return own(c, args)
			}
		}
	})
}

// jsonFlag is --json of a command that says facts: they are all that it writes to its standard output.
func jsonFlag(c *cobra.Command) *bool {
	return c.Flags().Bool("json", false, "print what is found as JSON, for programs")
}

// printJSON writes a value for a program.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
