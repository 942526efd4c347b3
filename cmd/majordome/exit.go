package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"
)

// Exit statuses, the same for every command. majordome --help, the man page and the manual list them.
const (
	exitDone    = 0 // done, and nothing wrong was found; also stopped by Ctrl-C
	exitWrong   = 1 // it could not be done, or something wrong was found
	exitMisused = 2 // the command line was not understood, and nothing was done
)

// misuse is an error about the way a command was written.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// exitStatus returns the exit status for the error of a command. begun is set once RunE was reached, so cobra has accepted the
// command line.
func exitStatus(err error, begun bool) int {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return exitDone
	case !begun, errors.As(err, new(misuse)):
		return exitMisused
	}
	return exitWrong
}

// setBegunOnRun wraps RunE of every command below root so that it first sets begun to true.
func setBegunOnRun(root *cobra.Command, begun *bool) {
	walkCommands(root, func(c *cobra.Command) {
		if own := c.RunE; own != nil {
			c.RunE = func(c *cobra.Command, args []string) error {
				*begun = true
				return own(c, args)
			}
		}
	})
}

// addJSONFlag adds --json to a command. With it, the standard output is JSON only.
func addJSONFlag(c *cobra.Command) *bool {
	return c.Flags().Bool("json", false, "print what is found as JSON, for programs")
}

// printJSON writes a value as indented JSON.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
