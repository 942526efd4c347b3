// Command majordome is the butler of a murder-mystery table: one binary for the
// table itself (serve), a table without hardware (demo) and the tools around it.
// Here things are only wired together; what they do is in the packages.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// version is set by the Makefile from git.
var version = "unknown"

func main() { os.Exit(Main()) }

// Main runs the command line and returns the exit status; command tests call it.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	root := commands()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errs)
	if err := root.ExecuteContext(ctx); err != nil && !errors.Is(err, context.Canceled) {
		report(errs, err)
		return 1
	}
	return 0
}

// commands is the whole command line.
func commands() *cobra.Command {
	root := &cobra.Command{
		Use:           "majordome",
		Short:         "The butler of a murder-mystery table",
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          commandsOnly,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(serveCommand(), demoCommand(), enrollCommand(), scriptCommand(), checkCommand(), backupCommand(), restoreCommand(), nodeCommand(), versionCommand())
	both(root)
	return root
}
