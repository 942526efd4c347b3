// Command majordome is the butler of a murder-mystery table. One binary has the
// table (serve), a table without hardware (demo) and the tools around them.
// This package only wires the other packages together.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"majordome/engine/games"
)

// Main runs the command line of this process with the games of a program and returns the exit status.
func Main(all games.Table) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return runCommandLine(ctx, all, os.Args[1:], os.Stdout, os.Stderr)
}

// runCommandLine runs a command line, prints its error and returns the exit status.
func runCommandLine(ctx context.Context, all games.Table, args []string, out, errs io.Writer) int {
	root, begun := rootCommand(all), false
	setBegunOnRun(root, &begun)
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	status := exitStatus(err, begun)
	if status != exitDone {
		printFaults(errs, err)
	}
	return status
}

// rootCommand returns the command majordome with all commands below it.
func rootCommand(all games.Table) *cobra.Command {
	root := &cobra.Command{
		Use:   "majordome",
		Short: "The butler of a murder-mystery table",
		Long: `The butler of a murder-mystery table.

Exit statuses of every command:

    0  it is done, and nothing is wrong with what was looked at; also when Ctrl-C ends it
    1  it could not be done, or something is wrong with what was looked at
    2  the command line was not understood, and nothing was done

With --json the standard output is JSON alone, and what went wrong goes to the standard error.`,
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          refuseUnknownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(serveCommand(all), hostCommand(), demoCommand(all), lightsCommand(all), doctorCommand(), scriptCommand(all),
		checkCommand(all), newEditionCommand(all), backupCommand(), restoreCommand(), nodeCommand(), updateCommand(), clockCommand(),
		proveCommand(all), venueCommand(all), versionCommand())
	translateCommands(root, strings.Join(all.IDs(), ", "))
	return root
}
